/** By which columns a table joins the parcels: the pair, and the way of writing both, under which most parcels find a row. */
import { foldSpaces } from '../spec/text-fold.ts';
import { factsOf } from './guess-facts.ts';
import { guessByName } from './guess-patterns.ts';
import { type ParcelSample, tablePrefix, valuesOf } from './guess-sample.ts';
import { wordsOf } from './guess-words.ts';
import { groupApn } from './mapping-expression.ts';
import type { Expression, ExpressionObject } from './mapping-schema.ts';
import type { TableFile } from './table-file.ts';

export interface GuessedJoin {
  readonly parcel: Expression;
  readonly table: Expression;
  readonly parcelColumn: string;
  readonly tableColumn: string;
  /** Share of the sampled parcels that find a row. */
  readonly share: number;
}

/** A way to write a key: the steps of a mapping, and the same as a function. */
interface KeyForm {
  readonly steps: Partial<ExpressionObject>;
  readonly write: (text: string) => string;
}

interface KeyColumn {
  readonly name: string;
  readonly forms: readonly KeyForm[];
}

const separators = ['-', ' ', '.', '/'] as const;
const groupSizes = [2, 3, 4, 5, 6] as const;
/** Rows of the table by which its key columns are chosen. */
const rowsToLookAt = 2000;
const maxColumns = 12;
const leastShare = 0.5;

const asWritten: KeyForm = { steps: {}, write: (text) => text };

function groupForm(by: { readonly by: string } | { readonly size: number }): KeyForm {
  const apnGroups = { ...by, separator: '-', dropTrailingZeroGroups: true };
  return { steps: { apnGroups }, write: (text) => groupApn(text, apnGroups) };
}

function formsOf(texts: readonly string[]): KeyForm[] {
  const forms = [asWritten];
  for (const by of separators) if (texts.some((text) => text.includes(by))) forms.push(groupForm({ by }));
  const [first = ''] = texts;
  const isOfOneLength = first.length >= 6 && texts.every((text) => text.length === first.length && /^\d+$/.test(text));
  for (const size of isOfOneLength ? groupSizes : []) if (first.length % size === 0) forms.push(groupForm({ size }));
  if (texts.some((text) => /\D/.test(text) && /\d{4}/.test(text.replace(/\D/g, '')))) {
    forms.push({ steps: { digits: true }, write: (text) => text.replace(/\D/g, '') });
  }
  return forms;
}

/** Columns that can be a key: filled, mostly different, like numbers of parcels; those with the most values first. */
function keyColumns(columns: readonly { name: string; values: readonly (string | null)[] }[]): KeyColumn[] {
  return columns
    .map(({ name, values }) => ({ name, values, facts: factsOf(values) }))
    .filter(
      ({ facts }) =>
        facts.filled >= 0.5 * facts.rows && facts.identifiers >= 0.8 && facts.distinct >= 0.5 * facts.filled,
    )
    .sort((a, b) => b.facts.distinct - a.facts.distinct)
    .slice(0, maxColumns)
    .map(({ name, values }) => ({ name, forms: formsOf(values.filter((value) => value !== null)) }));
}

const keyOf = (form: KeyForm, text: string): string => foldSpaces(form.write(text));

interface Pair {
  readonly parcel: { column: string; form: KeyForm };
  readonly table: { column: string; form: KeyForm };
  readonly keys: Set<string>;
}

/** @returns null when less than half of the parcels find a row, whatever is tried */
export function guessJoin(sample: ParcelSample, table: TableFile): GuessedJoin | null {
  const parcelColumns = sample.columns.map((name) => ({
    name,
    values: valuesOf(sample.rows, (row) => (name === '$id' ? row.id : row.properties[name])),
  }));
  const parcelKeys = keyColumns(parcelColumns);
  const holders = new Map<string, { column: string; form: KeyForm; rows: number }[]>();
  for (const { name, forms } of parcelKeys) {
    const values = parcelColumns.find((column) => column.name === name)?.values ?? [];
    for (const form of forms) hold(holders, name, form, values);
  }
  const pairs = countPairs(table, holders);
  const best = bestPair(pairs, holders);
  if (!best) return null;
  const { pair, matched } = best;
  const share = matched / Math.max(sample.rows.length, 1);
  if (share < leastShare) return null;
  const { parcel, table: tableSide } = pair;
  return {
    parcel: expressionOf(parcel.column, parcel.form),
    table: expressionOf(tablePrefix + tableSide.column, tableSide.form),
    parcelColumn: parcel.column,
    tableColumn: tableSide.column,
    share,
  };
}

const expressionOf = (column: string, { steps }: KeyForm): Expression =>
  Object.keys(steps).length === 0 ? column : { from: column, ...steps };

type Holders = Map<string, { column: string; form: KeyForm; rows: number }[]>;

function hold(holders: Holders, column: string, form: KeyForm, values: readonly (string | null)[]): void {
  for (const value of values) {
    if (value === null) continue;
    const key = keyOf(form, value);
    const held = holders.get(key) ?? [];
    const known = held.find((one) => one.column === column && one.form === form);
    if (known) known.rows++;
    else holders.set(key, [...held, { column, form, rows: 1 }]);
  }
}

/** Reads the table once; of its millions of rows only the keys of sampled parcels are remembered. */
function countPairs(table: TableFile, holders: Holders): Map<string, Pair> {
  const columns = tableKeyColumns(table);
  const positions = columns.map(({ name }) => table.columns.indexOf(name));
  const pairs = new Map<string, Pair>();
  const count = (name: string, forms: readonly KeyForm[], text: string) => {
    for (const [place, form] of forms.entries()) {
      const key = keyOf(form, text);
      for (const holder of holders.get(key) ?? []) {
        const id = JSON.stringify([holder.column, holder.form.steps, name, place]);
        const pair = pairs.get(id) ?? { parcel: holder, table: { column: name, form }, keys: new Set<string>() };
        pair.keys.add(key);
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

function tableKeyColumns(table: TableFile): KeyColumn[] {
  const rows: (readonly (string | null)[])[] = [];
  for (const { values } of table.rows(table.columns.map((_, index) => index))) {
    rows.push(values);
    if (rows.length === rowsToLookAt) break;
  }
  return keyColumns(table.columns.map((name, index) => ({ name, values: rows.map((row) => row[index] ?? null) })));
}

const stepsOf = ({ parcel, table }: Pair): number =>
  Object.keys(parcel.form.steps).length + Object.keys(table.form.steps).length;

/** How much both names are those of parcel numbers. */
const nameScore = ({ parcel, table }: Pair): number =>
  [parcel.column, table.column]
    .map((name) => guessByName(wordsOf(name)).find(({ target }) => target === 'apn')?.score ?? 0)
    .reduce((sum, score) => sum + score, 0);

/** The pair under which most parcels find a row; of equals the one that is written most plainly. */
function bestPair(pairs: ReadonlyMap<string, Pair>, holders: Holders): { pair: Pair; matched: number } | null {
  const counted = [...pairs.values()].map((pair) => {
    let matched = 0;
    for (const key of pair.keys) {
      const held = holders.get(key)?.find((one) => one.column === pair.parcel.column && one.form === pair.parcel.form);
      matched += held?.rows ?? 0;
    }
    return { pair, matched };
  });
  counted.sort(
    (a, b) => b.matched - a.matched || stepsOf(a.pair) - stepsOf(b.pair) || nameScore(b.pair) - nameScore(a.pair),
  );
  return counted[0] ?? null;
}
