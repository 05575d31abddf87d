/**
 * A key of several columns: MAP + LOT, BOOK + PAGE + PARCEL. Only columns whose names say that they are part of a parcel
 * number count: acres and an owner tell rows apart, too, and join others' rows.
 */
import { foldSpaces } from '../../spec/text-fold.ts';
import type { TableFile } from '../formats/table-file.ts';
import { groupApn, withoutZeroFraction } from '../mapping/mapping-expression.ts';
import type { Expression } from '../mapping/mapping-schema.ts';
import { wordsOf } from './guess-words.ts';

/** What a part is called, and what may stand beside that: TAX_MAP, LOT_NO. */
const parts = ['map', 'block', 'lot', 'book', 'page', 'parcel', 'plat', 'unit', 'town', 'district'] as const;
const beside: ReadonlySet<string> = new Set(['tax', 'number', 'id', 'code', 'situs']);
const mostParts = 5;

/** Share of the parcels with a row of their own, and of numbers that are no other parcel's. */
const leastShare = 0.5;
export const leastOwn = 0.9;

/** As keys that a person puts together. */
const separator = ' ';
/** `012` and `12.0` are 12. */
const bareGroups = { by: '-', separator: '-' };
const bareSteps = { wholeNumber: true, apnGroups: bareGroups } as const;
const bareText = (text: string): string => groupApn(withoutZeroFraction(text), bareGroups);

interface Part {
  readonly parcel: string;
  readonly table: string;
  /** The files write its numbers with different zeros. */
  readonly isBare: boolean;
}

export interface KeyOfParts {
  readonly parts: readonly Part[];
  readonly share: number;
}

export function keyExpression({ parts }: KeyOfParts, side: 'parcel' | 'table', prefix = ''): Expression {
  const of = (part: Part): Expression =>
    part.isBare ? { from: prefix + part[side], ...bareSteps } : prefix + part[side];
  return { concat: parts.map(of), separator };
}

/** The part that a name means; null: none, or more than one. */
function partOf(name: string): string | null {
  const words = wordsOf(name);
  const meant = parts.filter((part) => words.some(({ concepts }) => concepts.includes(part)));
  const isPlain = words.every(({ concepts }) => concepts.some((one) => one === meant[0] || beside.has(one)));
  return meant.length === 1 && isPlain ? (meant[0] ?? null) : null;
}

/** By part, in the order of the columns; the first of several of one name. */
const namedParts = (names: readonly string[]): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  for (const name of names) {
    const part = partOf(name);
    if (part !== null && !found.has(part)) found.set(part, name);
  }
  return found;
};

interface PartColumn {
  readonly name: string;
  readonly values: readonly (string | null)[];
}

/** Rows of the table by which it is decided whether numbers differ in zeros alone. */
const rowsToLookAt = 2000;

type Row = readonly (string | null)[];

/** Some of the parts as a key, and how many rows of each file have each key. */
interface Combination {
  readonly places: readonly number[];
  readonly holders: Map<string, number>;
  readonly found: Map<string, number>;
}

/**
 * Reads the table once, after its first rows; of all rows it keeps only counts for keys of sampled parcels.
 * @returns null if no parts of the same name give most parcels one row each
 */
export function guessKeyOfParts(parcelColumns: readonly PartColumn[], table: TableFile): KeyOfParts | null {
  const theirs = namedParts(table.columns);
  const given = namedParts(parcelColumns.map(({ name }) => name));
  const shared = [...given].filter(([part]) => theirs.has(part)).slice(0, mostParts);
  if (shared.length < 2) return null;
  const columns = shared.map(([, own]) => parcelColumns.find(({ name }) => name === own) as PartColumn);
  const names = shared.map(([part]) => theirs.get(part) ?? '');
  const positions = names.map((name) => table.columns.indexOf(name));
  const parcels = (columns[0]?.values ?? []).map((_, row) => columns.map(({ values }) => values[row] ?? null));
  const looked = [...parcels, ...firstRows(table, positions)];
  const parts = columns.map(
    ({ name }, at): Part => ({
      parcel: name,
      table: names[at] ?? '',
      isBare: looked.some((row) => bareText(row[at] ?? '0') !== (row[at] ?? '0')),
    }),
  );
  const all = combinations(parts.length).map(
    (places): Combination => ({ places, holders: new Map(), found: new Map() }),
  );
  for (const row of parcels) for (const { places, holders } of all) count(holders, keyOfRow(row, places, parts));
  for (const { values } of table.rows(positions)) {
    for (const { places, holders, found } of all) {
      const key = keyOfRow(values, places, parts);
      if (holders.has(key)) count(found, key);
    }
  }
  const counted = all.map((one) => ({ places: one.places, share: ownParcels(one) / parcels.length }));
  const most = Math.max(...counted.map(({ share }) => share));
  const best = most < leastShare ? undefined : counted.find(({ share }) => share === most);
  return best ? { parts: best.places.map((at) => parts[at] as Part), share: best.share } : null;
}

function* firstRows(table: TableFile, positions: readonly number[]): Iterable<Row> {
  let rows = 0;
  for (const { values } of table.rows(positions)) {
    yield values;
    if (++rows === rowsToLookAt) return;
  }
}

/** Two places and more of `count`, the fewest first, each in order. */
function combinations(count: number): number[][] {
  const places = Array.from({ length: count }, (_, at) => at);
  return Array.from({ length: 2 ** count }, (_, bits) => places.filter((at) => bits & (1 << at)))
    .filter(({ length }) => length >= 2)
    .sort((a, b) => a.length - b.length);
}

/** Empty parts are skipped, as the expression skips them; empty: all are. */
function keyOfRow(row: Row, places: readonly number[], parts: readonly Part[]): string {
  const texts = places.flatMap((at) => {
    const text = row[at] ?? null;
    if (text === null) return [];
    return parts[at]?.isBare ? bareText(text) : text;
  });
  return foldSpaces(texts.join(separator));
}

function count(counts: Map<string, number>, key: string): void {
  if (key !== '') counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Parcels that find exactly one row; 0 if too many numbers are several parcels' or rows'. */
function ownParcels({ holders, found }: Combination): number {
  const own = [...found].filter(([, rows]) => rows === 1).map(([key]) => key);
  const parcels = own.reduce((sum, key) => sum + (holders.get(key) ?? 0), 0);
  return own.length >= leastOwn * found.size && own.length >= leastOwn * parcels ? parcels : 0;
}
