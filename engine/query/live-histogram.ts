/** The distribution of a number over a place: bars with readable edges, in equal steps or equal ratios. */
import type { LandStore } from '../store/land-store.ts';
import { byColumns, type SortedValues, withSortedValues } from './live-by-columns.ts';
import { type LiveRequest, scopeOf, withoutFilter } from './live-request.ts';
import { sortedBySql } from './stand-in/live-by-sql.ts';

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
