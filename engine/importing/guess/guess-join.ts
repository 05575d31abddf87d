/**
 * Finds the columns that join a table to the parcels: the pair, and the form of both, with which most parcels find a
 * row; several columns if no pair gives each its own.
 */
import { isTableName, tablePrefix } from '../../spec/table-names.ts';
import { foldSpaces } from '../../spec/text-fold.ts';
import type { TableFile } from '../formats/table-file.ts';
import { groupApn, withoutSeparators, withoutZeroFraction } from '../mapping/mapping-expression.ts';
import type { Expression, ExpressionObject, MappingJoin } from '../mapping/mapping-schema.ts';
import { factsOf } from './guess-facts.ts';
import { guessKeyOfParts, type KeyOfParts, keyExpression, leastOwn } from './guess-key-parts.ts';
import { guessByName } from './guess-patterns.ts';
import { type ParcelSample, valuesOf } from './guess-sample.ts';
import { wordsOf } from './guess-words.ts';

export interface GuessedJoin extends MappingJoin {
  readonly parcelColumns: readonly string[];
  readonly tableColumns: readonly string[];
  /** Share of the sampled parcels that find a row. */
  readonly share: number;
  /** The key says as much as the number: it can also identify the parcel between imports. */
  readonly isIdentity: boolean;
}

/**
 * What a form drops from a number. Separators may distinguish lots (`12-201`, `12-2-01`), and so do letters (`201A`,
 * `201B`).
 */
const losses = { nothing: 0, separators: 1, letters: 2 } as const;

/** A form of a key: the steps of a mapping, and the same as a function. */
interface KeyForm {
  readonly loss: (typeof losses)[keyof typeof losses];
  readonly steps: Partial<ExpressionObject>;
  readonly write: (text: string) => string;
}

interface KeyColumn {
  readonly name: string;
  readonly forms: readonly KeyForm[];
}

const separators = ['-', ' ', '.', '/'] as const;
const groupSizes = [2, 3, 4, 5, 6] as const;
/** Rows of the table used to choose its key columns. */
const rowsToLookAt = 2000;
const maxColumns = 12;
/** Of the numbers of the parcels; a lower share is a map or a block, not a lot. */
const leastDifferent = 0.5;
const leastShare = 0.5;
/** Several columns must find rows for this share of the parcels that one finds rows for. */
const nearlyAsMany = 0.8;
/** A form that drops something must match more than this share of the parcels beyond what matches without it. */
const fewParcels = 0.05;

const asWritten: KeyForm = { loss: losses.nothing, steps: {}, write: (text) => text };

function groupForm(by: { readonly by: string } | { readonly size: number }): KeyForm {
  const apnGroups = { ...by, separator: '-', dropTrailingZeroGroups: true };
  return { loss: losses.nothing, steps: { apnGroups }, write: (text) => groupApn(text, apnGroups) };
}

/**
 * Spreadsheets drop leading zeros: `001-0001` and `0010001` become 10001. After the first step no blank separates
 * groups.
 */
function formWithoutZeros(): KeyForm {
  const apnGroups = { by: ' ', separator: '' };
  const write = (text: string) => groupApn(withoutSeparators(text), apnGroups);
  return { loss: losses.separators, steps: { lettersAndDigits: true, apnGroups }, write };
}

function formsOf(texts: readonly string[]): KeyForm[] {
  const forms = [asWritten];
  for (const by of separators) if (texts.some((text) => text.includes(by))) forms.push(groupForm({ by }));
  if (texts.length > 0 && texts.every((text) => /^\d+\.0$/.test(text)))
    forms.push({ loss: losses.nothing, steps: { wholeNumber: true }, write: withoutZeroFraction });
  const [first = ''] = texts;
  const isOfOneLength = first.length >= 6 && texts.every((text) => text.length === first.length && /^\d+$/.test(text));
  for (const size of isOfOneLength ? groupSizes : []) if (first.length % size === 0) forms.push(groupForm({ size }));
  if (texts.some((text) => withoutSeparators(text).length >= 4 && withoutSeparators(text) !== text)) {
    forms.push({ loss: losses.separators, steps: { lettersAndDigits: true }, write: withoutSeparators });
  }
  if (texts.some((text) => /^0\d{3,}$/.test(withoutSeparators(text)))) forms.push(formWithoutZeros());
  if (texts.some((text) => /\D/.test(text) && /\d{4}/.test(text.replace(/\D/g, '')))) {
    forms.push({ loss: losses.letters, steps: { digits: true }, write: (text) => text.replace(/\D/g, '') });
  }
  return forms;
}

/**
 * Columns that can be a key: filled, shaped like parcel numbers; those with the most values first, after those that the
 * other file calls the same.
 * @param least share of values that differ: a table may have many rows of one parcel
 */
function keyColumns(
  columns: readonly NamedValues[],
  least: number,
  others: ReadonlySet<string> = new Set(),
): KeyColumn[] {
  const isShared = (name: string): number => (others.has(name.toLowerCase()) ? 1 : 0);
  return columns
    .map(({ name, values }) => ({ name, values, facts: factsOf(values) }))
    .filter(
      ({ facts }) =>
        facts.filled >= 0.5 * facts.rows && facts.identifiers >= 0.8 && facts.distinct >= least * facts.filled,
    )
    .sort((a, b) => isShared(b.name) - isShared(a.name) || b.facts.distinct - a.facts.distinct)
    .slice(0, maxColumns)
    .map(({ name, values }) => ({ name, forms: formsOf(values.filter((value) => value !== null)) }));
}

interface NamedValues {
  readonly name: string;
  readonly values: readonly (string | null)[];
}

const keyOf = (form: KeyForm, text: string): string => foldSpaces(form.write(text));

/** A column in one form. */
interface Side {
  readonly column: string;
  readonly form: KeyForm;
}

/** The sampled parcels that have a key in a column of the parcel file. */
interface Holder extends Side {
  rows: number;
  /** Their number, apart from case and blanks. */
  readonly text: string;
}
type Holders = Map<string, Holder[]>;

interface Pair {
  readonly parcel: Side;
  readonly table: Side;
  /** For parcels that find a row, the row's number. */
  readonly keys: Map<string, string>;
  /** Rows of the table with one of these keys. */
  rows: number;
  /** Two numbers of the table share a key: lots could take each other's rows. */
  isMerging: boolean;
}

/** @param place of the table, from 0. @returns null if less than half of the parcels find a row */
export function guessJoin(sample: ParcelSample, table: TableFile, place = 0): GuessedJoin | null {
  const parcelColumns = sample.columns
    .filter((name) => !isTableName(name))
    .map((name) => ({
      name,
      values: valuesOf(sample.rows, (row) => (name === '$id' ? row.id : row.properties[name])),
    }));
  const parcelKeys = keyColumns(parcelColumns, leastDifferent);
  const holders: Holders = new Map();
  for (const { name, forms } of parcelKeys) {
    const values = parcelColumns.find((column) => column.name === name)?.values ?? [];
    for (const form of forms) hold(holders, { column: name, form }, values);
  }
  const best = bestPair(
    countPairs(table, holders, new Set(parcelKeys.map(({ name }) => name.toLowerCase()))),
    holders,
    sample.rows.length,
  );
  // LOT alone finds the rows of every map.
  const isOwn = best !== null && best.pair.keys.size >= leastOwn * Math.max(best.pair.rows, best.matched);
  const parts = isOwn ? null : guessKeyOfParts(parcelColumns, table);
  const share = (best?.matched ?? 0) / sample.rows.length;
  if (parts && parts.share >= nearlyAsMany * share) return joinByParts(parts, place);
  if (!best) return null;
  const { pair } = best;
  const { parcel, table: tableSide } = pair;
  return {
    parcel: expressionOf(parcel.column, parcel.form),
    table: expressionOf(tablePrefix(place) + tableSide.column, tableSide.form),
    parcelColumns: [parcel.column],
    tableColumns: [tableSide.column],
    share,
    isIdentity: parcel.form.loss === losses.nothing,
  };
}

const joinByParts = (key: KeyOfParts, place: number): GuessedJoin => ({
  parcel: keyExpression(key, 'parcel'),
  table: keyExpression(key, 'table', tablePrefix(place)),
  parcelColumns: key.parts.map(({ parcel }) => parcel),
  tableColumns: key.parts.map(({ table }) => table),
  share: key.share,
  isIdentity: true,
});

const expressionOf = (column: string, { steps }: KeyForm): Expression =>
  Object.keys(steps).length === 0 ? column : { from: column, ...steps };

/**
 * Adds a column's keys in one form. A form that drops something is discarded if it gives two numbers the same key;
 * numbers that differ only in padding zeros count as one.
 */
function hold(holders: Holders, side: Side, values: readonly (string | null)[]): void {
  const held = new Map<string, Holder>();
  const mayMerge = side.form.loss === losses.nothing;
  for (const value of values) {
    if (value === null) continue;
    const key = keyOf(side.form, value);
    if (key === '') continue;
    const text = foldSpaces(value);
    const known = held.get(key);
    if (known === undefined) held.set(key, { ...side, rows: 1, text });
    // ROW and R-O-W are not lot numbers.
    else if (mayMerge || known.text === text || !/\d/.test(key)) known.rows++;
    else return;
  }
  for (const [key, holder] of held) holders.set(key, [...(holders.get(key) ?? []), holder]);
}

/** Reads the table once; of its millions of rows it keeps only the keys of sampled parcels. */
function countPairs(table: TableFile, holders: Holders, shared: ReadonlySet<string>): Map<string, Pair> {
  const columns = tableKeyColumns(table, shared);
  const positions = columns.map(({ name }) => table.columns.indexOf(name));
  const pairs = new Map<string, Pair>();
  const count = (name: string, forms: readonly KeyForm[], text: string) => {
    for (const [place, form] of forms.entries()) {
      const key = keyOf(form, text);
      for (const holder of holders.get(key) ?? []) {
        const id = JSON.stringify([holder.column, holder.form.steps, name, place]);
        const pair = pairs.get(id) ?? newPair(holder, { column: name, form });
        const number = foldSpaces(text);
        if ((pair.keys.get(key) ?? number) !== number) pair.isMerging = true;
        pair.keys.set(key, number);
        pair.rows++;
        pairs.set(id, pair);
      }
    }
  };
  for (const { values } of table.rows(positions)) {
    for (const [index, { name, forms }] of columns.entries()) {
      const text = values[index];
      if (typeof text === 'string') count(name, forms, text);
    }
  }
  return pairs;
}

const newPair = (parcel: Side, table: Side): Pair => ({ parcel, table, keys: new Map(), rows: 0, isMerging: false });

function tableKeyColumns(table: TableFile, shared: ReadonlySet<string>): KeyColumn[] {
  const rows: (readonly (string | null)[])[] = [];
  for (const { values } of table.rows(table.columns.map((_, index) => index))) {
    rows.push(values);
    if (rows.length === rowsToLookAt) break;
  }
  const named = table.columns.map((name, index) => ({ name, values: rows.map((row) => row[index] ?? null) }));
  return keyColumns(named, 0, shared);
}

const stepsOf = ({ parcel, table }: Pair): number =>
  Object.keys(parcel.form.steps).length + Object.keys(table.form.steps).length;

/** How much both names look like those of parcel numbers. */
const nameScore = ({ parcel, table }: Pair): number =>
  [parcel.column, table.column]
    .map((name) => guessByName(wordsOf(name)).find(({ target }) => target === 'apn')?.score ?? 0)
    .reduce((sum, score) => sum + score, 0);

interface CountedPair {
  readonly pair: Pair;
  /** Sampled parcels that find a row. */
  readonly matched: number;
}

const lossOf = ({ pair: { parcel, table } }: CountedPair): number => Math.max(parcel.form.loss, table.form.loss);

/**
 * The pair with which most parcels find a row; of equals the plainest form. A form that drops something is chosen only
 * if many more match: a few could be other lots, whose numbers differ in exactly that.
 */
function bestPair(pairs: ReadonlyMap<string, Pair>, holders: Holders, rows: number): CountedPair | null {
  const counted = [...pairs.values()]
    .map((pair): CountedPair => {
      let matched = 0;
      for (const key of pair.keys.keys()) {
        const held = holders
          .get(key)
          ?.find(({ column, form }) => column === pair.parcel.column && form === pair.parcel.form);
        matched += held?.rows ?? 0;
      }
      return { pair, matched };
    })
    .filter((one) => one.matched >= leastShare * rows && (lossOf(one) === losses.nothing || !one.pair.isMerging));
  const most = Math.max(...counted.map(({ matched }) => matched));
  const enough = most - Math.max(1, fewParcels * rows);
  const leastLoss = Math.min(...counted.filter(({ matched }) => matched >= enough).map(lossOf));
  const [best] = counted
    .filter((one) => lossOf(one) === leastLoss)
    .sort(
      (a, b) => b.matched - a.matched || stepsOf(a.pair) - stepsOf(b.pair) || nameScore(b.pair) - nameScore(a.pair),
    );
  return best ?? null;
}
