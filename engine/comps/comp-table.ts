/** The source of comps for the comp value: a few numbers of every comp in columns, and whole comps on request. */
import { type StruckBy, struckBys } from '../spec/suspect-rules.ts';
import type { ValueComp } from './value-types.ts';

/** The searched columns: one row per comp. NaN means unknown. */
export interface CompKeys {
  /** Degrees, finite. */
  readonly longitudes: Float64Array;
  readonly latitudes: Float64Array;
  /** Days since 1970-01-01. */
  readonly dates: Float64Array;
  readonly propertyIds: Float64Array;
  /** A number per distinct use; -1 if unknown. */
  readonly uses: Int32Array;
}

/** Fields read for found rows. */
export interface CompTable {
  /** US dollars and acres as recorded: they may be 0 or less. NaN where unknown. */
  readonly prices: Float64Array;
  readonly acres: Float64Array;
  /** 1: sold; 0: listed. */
  readonly areSold: Uint8Array;
  /** 1: the place is only that of its ZIP code. */
  readonly areZip: Uint8Array;
  /** What strikes a comp out: its place in `struckBys`, from 1; 0: nothing. */
  readonly struck: Uint8Array;
  /** Rows that are pinned by hand; absent: none. */
  readonly pinned?: ReadonlySet<number>;
  readonly useNumbers: ReadonlyMap<string, number>;
  /** Orders the ids of two rows by code units: negative if the first comes first. */
  compareIds(rowA: number, rowB: number): number;
  /** `recordOf` of these rows, in the same order. */
  recordsAt(rows: readonly number[]): (string | null)[];
  /** The comps of these rows, in the same order. */
  compsAt(rows: readonly number[]): ValueComp[];
}

/** A rule of another version strikes as one that is listed first would. */
export const struckNumber = (by: string | null | undefined): number =>
  by == null ? 0 : Math.max(1, struckBys.indexOf(by as StruckBy) + 1);

/** By code units: the same on every machine, whatever its locale. */
export const compareIds = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Numbers the distinct words of a column in order of appearance; -1 for null. */
export class WordNumbers {
  readonly numbers = new Map<string, number>();

  numberOf(word: string | null): number {
    if (word === null) return -1;
    const known = this.numbers.get(word);
    if (known !== undefined) return known;
    this.numbers.set(word, this.numbers.size);
    return this.numbers.size - 1;
  }
}

/** Comps in memory; skips those without a finite point. */
export function buildCompTable(comps: Iterable<ValueComp>): { readonly keys: CompKeys; readonly table: CompTable } {
  const rows = [...comps].filter(({ longitude, latitude }) => Number.isFinite(longitude) && Number.isFinite(latitude));
  const column = (read: (comp: ValueComp) => number | null) =>
    Float64Array.from(rows, (comp) => read(comp) ?? Number.NaN);
  const idOf = (row: number) => rows[row]?.id ?? '';
  const uses = new WordNumbers();
  return {
    keys: {
      longitudes: column(({ longitude }) => longitude),
      latitudes: column(({ latitude }) => latitude),
      dates: column(({ date }) => date),
      propertyIds: column(({ propertyId }) => propertyId),
      uses: Int32Array.from(rows, ({ use }) => uses.numberOf(use)),
    },
    table: {
      prices: column(({ price }) => price),
      acres: column(({ acres }) => acres),
      areSold: Uint8Array.from(rows, ({ status }) => Number(status === 'SOLD')),
      areZip: Uint8Array.from(rows, ({ coordinateGrain }) => Number(coordinateGrain === 'zip')),
      struck: Uint8Array.from(rows, ({ struck }) => struckNumber(struck)),
      pinned: new Set(rows.flatMap(({ isPinned }, row) => (isPinned ? [row] : []))),
      useNumbers: uses.numbers,
      compareIds: (a, b) => compareIds(idOf(a), idOf(b)),
      recordsAt: (wanted) => wanted.map((row) => rows[row]?.record ?? null),
      compsAt: (wanted) => wanted.map((row) => rows[row] as ValueComp),
    },
  };
}
