/** Which rows of a joined table a parcel finds, and what becomes of several. */
import { EngineError } from '../../spec/errors.ts';
import type { ColumnChoice, JoinRows } from '../../spec/join-rows.ts';
import { joinsOf } from '../../spec/table-names.ts';
import { foldSpaces } from '../../spec/text-fold.ts';
import { nearNames } from '../../spec/validate.ts';
import { parseNumber } from '../values/convert-value.ts';
import { guessDate } from '../values/parse-date.ts';
import type { Mapping, MappingJoin } from './mapping-schema.ts';

type Cells = readonly (string | null)[];

export interface KeyedRow {
  /** As written, apart from blanks at its ends. */
  readonly key: string;
  readonly values: Cells;
}

interface RowsFound<Row> {
  readonly rows: readonly Row[];
  /** Why a key that is the same apart from case and blanks was not taken; null: it was, or there is none. */
  readonly problem: string | null;
}

/**
 * An exact key wins. Else a row whose key differs in case or blanks alone is taken, unless it may be another parcel's:
 * `12  1` and `12 1` can be two lots.
 * @param alike the rows whose keys are the same apart from case and blanks
 * @param isClaimed whether a parcel has exactly this key
 */
export function rowsOfKey<Row extends KeyedRow>(
  key: string,
  alike: readonly Row[],
  isClaimed: (row: Row) => boolean,
): RowsFound<Row> {
  const exact = alike.filter((row) => row.key === key);
  const [first] = alike;
  if (exact.length > 0 || first === undefined) return { rows: exact, problem: null };
  const others = [...new Set(alike.map((row) => row.key))];
  const like = others.map((other) => JSON.stringify(other)).join(' and ');
  if (others.length > 1) return { rows: [], problem: `${like} in the table differ from it in case or blanks alone` };
  if (isClaimed(first)) return { rows: [], problem: `${like} in the table is exactly the key of another parcel` };
  return { rows: alike, problem: null };
}

export const foldKey = foldSpaces;

interface CombinedRow {
  readonly values: Cells;
  /** Index of the row that counts where nothing else is said. */
  readonly main: number;
  /** Whether the other rows count too. */
  readonly usesAll: boolean;
  /** The rows differ, and no choice was made. */
  readonly isUndecided: boolean;
}

/** @param columns names of the values, without the prefix of their table; compared in any case */
export function combineRows(
  rows: readonly KeyedRow[],
  columns: readonly string[],
  choice: JoinRows | undefined,
): CombinedRow {
  const main = choice === 'last' ? rows.length - 1 : 0;
  const values = rows[main]?.values ?? [];
  const byName = new Map(
    typeof choice === 'object' ? Object.entries(choice).map(([name, how]) => [name.toLowerCase(), how]) : [],
  );
  const hows = columns.map((name) => byName.get(name.toLowerCase()));
  if (hows.every((how) => how === undefined)) {
    const isChosen = choice === 'first' || choice === 'last';
    return { values, main, usesAll: false, isUndecided: !isChosen && !areEqual(rows) };
  }
  const combined = hows.map((how, at) => {
    if (how === undefined) return values[at] ?? null;
    return combiners[how](rows.map((row) => row.values[at] ?? null).filter((value) => value !== null));
  });
  return { values: combined, main, usesAll: true, isUndecided: false };
}

const areEqual = ([first, ...others]: readonly KeyedRow[]): boolean =>
  others.every(({ values }) => values.every((value, at) => value === (first?.values[at] ?? null)));

/** Cents do not add up in binary: 0.1 + 0.2. */
const plainSum = (numbers: readonly number[]): string =>
  String(Number(numbers.reduce((sum, number) => sum + number, 0).toFixed(6)));

/** Largest first: by number, else by date, else by the alphabet. */
function sorted(texts: readonly string[]): readonly string[] {
  const numbers = texts.map(parseNumber);
  const dates = texts.map(guessDate);
  const rank = (at: number): number | string => {
    if (numbers.every((number) => !Number.isNaN(number))) return numbers[at] ?? 0;
    return dates.every((date) => date !== null) ? (dates[at] ?? '') : (texts[at] ?? '');
  };
  return texts
    .map((text, at) => ({ text, rank: rank(at) }))
    .sort((a, b) => (a.rank < b.rank ? 1 : a.rank > b.rank ? -1 : 0))
    .map(({ text }) => text);
}

const combiners: Readonly<Record<ColumnChoice, (texts: readonly string[]) => string | null>> = {
  first: (texts) => texts[0] ?? null,
  last: (texts) => texts.at(-1) ?? null,
  // A text that is no number is passed on, for the conversion to report.
  sum: (texts) =>
    texts.length === 0
      ? null
      : (texts.find((text) => Number.isNaN(parseNumber(text))) ?? plainSum(texts.map(parseNumber))),
  max: (texts) => sorted(texts)[0] ?? null,
  min: (texts) => sorted(texts).at(-1) ?? null,
  count: (texts) => (texts.length === 0 ? null : String(texts.length)),
  list: (texts) => (texts.length === 0 ? null : [...new Set(texts)].join('; ')),
};

/** The mapping with this choice for every table. */
export function withJoinRows(mapping: Mapping, rows: JoinRows): Mapping {
  const joins = joinsOf(mapping).map((join): MappingJoin => ({ ...join, rows }));
  const [only] = joins;
  return only === undefined ? mapping : { ...mapping, join: joins.length === 1 ? only : joins };
}

/** @param columns of all joined tables. @throws EngineError mapping_invalid */
export function checkJoinRows(
  joins: readonly { readonly rows?: JoinRows | undefined }[],
  columns: readonly string[],
): void {
  const known = new Set(columns.map((name) => name.toLowerCase()));
  const named = joins.flatMap(({ rows }) => (typeof rows === 'object' ? Object.keys(rows) : []));
  const unknown = named.find((name) => !known.has(name.toLowerCase()));
  if (unknown === undefined) return;
  const near = nearNames(unknown, columns);
  throw new EngineError(
    'mapping_invalid',
    `The choice between several rows names the column ${unknown}, which the joined table lacks.${near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ` It has ${columns.slice(0, 40).join(', ')}.`}`,
  );
}
