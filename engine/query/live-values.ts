/** Values of a column over a place: how often each occurs, which columns have any, bars with readable edges. */
import { compareUtf8 } from '../columns/text-table.ts';
import { type FilterRow, filters } from '../spec/filters.ts';
import type { LandStore } from '../store/land-store.ts';
import {
  byColumns,
  type CountedValues,
  coverageByColumns,
  type KnownValues,
  type SortedValues,
  valuesByColumns,
  withSortedValues,
} from './live-by-columns.ts';
import { type LiveRequest, scopeOf, withoutFilter } from './live-request.ts';
import { coverageBySql, sortedBySql, valuesBySql } from './sql-filters/live-by-sql.ts';

interface FacetValue {
  readonly value: string;
  /** The county's own label of the value; null if it has none. */
  readonly label: string | null;
  readonly count: number;
}

export interface Facet {
  readonly values: FacetValue[];
  /** Distinct values in all; more than listed if the limit was reached. */
  readonly distinct: number;
  readonly unknown: number;
}

/** Filters whose values can be listed, with the column they read. */
export const facetColumns = new Map(
  filters.flatMap((row) =>
    row.kind === 'list' || row.kind === 'text' || row.kind === 'zips' || row.kind === 'exclude_zips'
      ? [[row.name, row.column] as const]
      : [],
  ),
);

/** Codes whose labels are in another column. */
const labelColumns: Readonly<Record<string, string>> = { land_use_code: 'land_use_description' };

/**
 * @param find the column index where it can answer, else SQL; tests pass either
 * @throws EngineError validation_error when the query takes too long
 */
export function liveFacet(
  land: LandStore,
  request: LiveRequest,
  column: string,
  limit: number,
  find = findValues,
): Facet {
  return facetOf(find(land, request, column, labelColumnOf(column)), limit);
}

/** The column that labels the codes of this one. */
export const labelColumnOf = (column: string): string | undefined => labelColumns[column];

export const facetOf = ({ counts, labels, unknown }: CountedValues, limit: number): Facet => ({
  values: listedValues(counts, labels, limit),
  distinct: counts.size,
  unknown,
});

const findValues: typeof valuesBySql = (land, request, column, labelColumn) =>
  byColumns(land, request, (_, steps) => valuesByColumns(land, steps, column, labelColumn)) ??
  valuesBySql(land, request, column, labelColumn);

/** Most frequent first. */
const listedValues = (
  counts: ReadonlyMap<string, number>,
  labels: ReadonlyMap<string, string>,
  limit: number,
): FacetValue[] =>
  [...counts]
    .map(([value, count]) => ({ value, label: labels.get(value) ?? null, count }))
    .sort((a, b) => b.count - a.count || compareUtf8(a.value, b.value))
    .slice(0, limit);

export interface Coverage {
  readonly parcels: number;
  /** For each filter, how many of them have a value in its column. */
  readonly filters: { readonly name: string; readonly known: number }[];
}

/** The columns that decide whether a filter has data. */
function columnsOf(row: FilterRow): readonly string[] {
  if (row.kind === 'slope_area') return ['slope_area_percent'];
  return 'column' in row ? [row.column] : [];
}

const filterColumns = filters.map((row) => ({ name: row.name, columns: columnsOf(row) }));

/** Which data the place of the request has. @throws EngineError validation_error when the query takes too long */
export function liveCoverage(land: LandStore, request: LiveRequest): Coverage {
  const place = scopeOf(request);
  return coverageOf(
    byColumns(land, place, (_, steps) => coverageByColumns(land, steps, coverageColumns)) ??
      coverageBySql(land, place, coverageColumns),
  );
}

/** The columns whose known values `coverageOf` reads. */
export const coverageColumns: readonly string[] = [...new Set(filterColumns.flatMap((filter) => filter.columns))];

export function coverageOf({ parcels, known }: KnownValues): Coverage {
  return {
    parcels,
    filters: filterColumns.map(({ name, columns: read }) => ({
      name,
      // A filter that reads no published column (place, id, APN) always has data.
      known: read.length === 0 ? parcels : Math.max(...read.map((column) => known.get(column) ?? 0)),
    })),
  };
}

interface Histogram {
  /** `log`: each edge is a ratio above the one before. */
  readonly scale: 'linear' | 'log';
  /** One more than bars, ascending. The first and the last bar include values beyond them. */
  readonly edges: number[];
  /** Parcels of the place in each bar. */
  readonly all: number[];
  /** Those that meet all the other filters. */
  readonly matching: number[];
  readonly unknown: number;
}

/** Share of the values outside the edges at either end: a few giants must not squeeze all bars into one. */
const tail = 0.01;
/** From this ratio on, equal steps would put most parcels into the first bar. */
const logRatio = 20;

/**
 * @param read the column index where it can answer, else SQL; tests pass either
 * @throws EngineError validation_error when the query takes too long
 */
export function liveHistogram(
  land: LandStore,
  request: LiveRequest,
  { name, column }: { readonly name: string; readonly column: string },
  bars: number,
  read: ReadSorted = readSorted,
): Histogram {
  const all = read(land, scopeOf(request), column, (values) => {
    const { scale, edges } = edgesOf(values, bars);
    return { scale, edges, all: values.count(edges), unknown: values.unknown };
  });
  return { ...all, matching: read(land, withoutFilter(request, name), column, (values) => values.count(all.edges)) };
}

/** Calls `use` with a column's values, which hold only meanwhile. */
type ReadSorted = <Result>(
  land: LandStore,
  request: LiveRequest,
  column: string,
  use: (values: SortedValues) => Result,
) => Result;

const readSorted: ReadSorted = (land, request, column, use) =>
  byColumns(land, request, (_, steps) => withSortedValues(land, steps, column, use)) ??
  use(sortedBySql(land, request, column));

type Sorted = Pick<SortedValues, 'known' | 'at' | 'leastPositive'>;

const at = (values: Sorted, share: number): number =>
  values.at(Math.min(values.known - 1, Math.max(0, Math.floor(share * values.known))));

/** At most `bars` + 1 edges; none if there is nothing to draw. */
export function edgesOf(values: Sorted, bars: number): Pick<Histogram, 'scale' | 'edges'> {
  if (values.known === 0) return { scale: 'linear', edges: [] };
  const low = at(values, tail);
  const high = at(values, 1 - tail);
  const positive = values.leastPositive() ?? 1;
  const lowest = Math.max(low, positive);
  if (lowest > 0 && high / lowest >= logRatio && at(values, 0.5) < high / 4) {
    return { scale: 'log', edges: logEdges(lowest, high, bars) };
  }
  return { scale: 'linear', edges: linearEdges(low, high, bars) };
}

/** The smallest 1, 2 or 5 times a power of ten that is not below `step`. */
function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  const factor = [1, 2, 5, 10].find((one) => one * power >= step * (1 - 1e-9)) ?? 10;
  return factor * power;
}

function linearEdges(low: number, high: number, bars: number): number[] {
  const step = high > low ? roundStep((high - low) / bars) : Math.max(1, Math.abs(low));
  const first = Math.floor(low / step);
  const last = Math.max(first + 1, Math.ceil(high / step));
  return Array.from({ length: last - first + 1 }, (_, i) => rounded((first + i) * step));
}

function logEdges(low: number, high: number, bars: number): number[] {
  const ratio = (high / low) ** (1 / bars);
  const edges = Array.from({ length: bars + 1 }, (_, i) => rounded(low * ratio ** i, 2));
  return [...new Set(edges)];
}

/** Rounds away binary fractions (0.30000000000000004). */
const rounded = (value: number, digits = 12): number => Number(value.toPrecision(digits));
