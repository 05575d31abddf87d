/** The distribution of a number over a place: bars with readable edges, in equal steps or equal ratios. */
import { sql } from 'kysely';
import type { LandStore } from '../store/land-store.ts';
import { columnSql } from './filter-sql.ts';
import { landQueries } from './land-schema.ts';
import { byColumns, type SortedValues, withSortedValues } from './live-by-columns.ts';
import { every, liveCondition, scan, termsOf } from './live-condition.ts';
import { type LiveRequest, scopeOf, withoutFilter } from './live-request.ts';

export interface Histogram {
  /** `log`: each edge is a ratio above the one before. */
  readonly scale: 'linear' | 'log';
  /** One more than bars, ascending. The first and the last bar include values beyond them. */
  readonly edges: number[];
  /** Parcels of the place in each bar. */
  readonly all: number[];
  /** Of those, the ones that meet all the other filters. */
  readonly matching: number[];
  readonly unknown: number;
}

/** Share of the values outside the edges at either end: a few giants must not squeeze all bars into one. */
const tail = 0.01;
/** From this ratio on, equal steps would put most parcels into the first bar. */
const logRatio = 20;

/** @throws EngineError validation_error when the query takes too long */
export function liveHistogram(
  land: LandStore,
  request: LiveRequest,
  { name, column }: { readonly name: string; readonly column: string },
  bars: number,
): Histogram {
  const others = withoutFilter(request, name);
  return (
    histogramByColumns(land, scopeOf(request), others, column, bars) ??
    histogramBySql(land, scopeOf(request), others, column, bars)
  );
}

function histogramByColumns(
  land: LandStore,
  place: LiveRequest,
  others: LiveRequest,
  column: string,
  bars: number,
): Histogram | null {
  const all = byColumns(land, place, (_, steps) =>
    withSortedValues(land, steps, column, (values) => {
      const { scale, edges } = edgesOf(values, bars);
      return { scale, edges, all: values.count(edges), unknown: values.unknown };
    }),
  );
  if (!all) return null;
  const matching = byColumns(land, others, (_, steps) =>
    withSortedValues(land, steps, column, (values) => values.count(all.edges)),
  );
  return matching && { ...all, matching };
}

/** The test oracle and the fallback of the column index. */
export function histogramBySql(
  land: LandStore,
  place: LiveRequest,
  others: LiveRequest,
  column: string,
  bars: number,
): Histogram {
  const all = valuesOf(land, place, column);
  const known = all.filter((value) => value !== null).toSorted((a, b) => a - b);
  const { scale, edges } = edgesOf(sortedList(known), bars);
  const isPlaceAlone = others.criteria.every(({ row }) => row.scope) && others.work.length === 0;
  const matching = isPlaceAlone ? known : valuesOf(land, others, column).filter((value) => value !== null);
  return {
    scale,
    edges,
    all: countInto(edges, known),
    matching: countInto(edges, matching),
    unknown: all.length - known.length,
  };
}

function valuesOf(land: LandStore, request: LiveRequest, column: string): (number | null)[] {
  const condition = liveCondition(land, request);
  const query = sql`SELECT ${columnSql(column)} FROM parcels WHERE ${every(termsOf(condition))}`.compile(landQueries);
  return scan(land, condition, () => land.file.column<number | null>(query.sql, ...query.parameters));
}

/** Sorted values. */
type Sorted = Pick<SortedValues, 'known' | 'at' | 'leastPositive'>;

export const sortedList = (sorted: readonly number[]): Sorted => ({
  known: sorted.length,
  at: (rank) => sorted[rank] ?? 0,
  leastPositive: () => sorted.find((value) => value > 0) ?? null,
});

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

/** Every value falls into one bar: from its lower edge up to, but excluding, the next. */
function countInto(edges: readonly number[], values: readonly number[]): number[] {
  const counts = new Array<number>(Math.max(0, edges.length - 1)).fill(0);
  if (counts.length === 0) return counts;
  for (const value of values) {
    const bar = Math.min(counts.length - 1, Math.max(0, barOf(edges, value)));
    counts[bar] = (counts[bar] ?? 0) + 1;
  }
  return counts;
}

/** Index of the last edge that is not above the value. */
function barOf(edges: readonly number[], value: number): number {
  let low = 0;
  let high = edges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((edges[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
