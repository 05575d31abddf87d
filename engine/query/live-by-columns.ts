/** The app's free reads, answered by the column index; each returns null where SQL has to answer. */

import { countEffects, type FilterStep, type UnknownMode } from '../columns/count-effects.ts';
import type { CountyColumns } from '../columns/county-columns.ts';
import { withAllMatches } from '../columns/evaluate.ts';
import { slopeColumn, slopeElement } from '../columns/indexed-columns.ts';
import { type CountyMatches, pageByColumn, pageById } from '../columns/pages.ts';
import { countCodes, countRanges, valueAtRank } from '../columns/spread.ts';
import type { Step } from '../columns/steps.ts';
import { absentValues } from '../columns/steps.ts';
import { compareUtf8 } from '../columns/text-table.ts';
import { prepareGeometry } from '../geo/intersects.ts';
import { parcelColumnsByName } from '../spec/parcel-columns.ts';
import type { LandStore } from '../store/land-store.ts';
import { columnSteps, countiesOf } from './column-steps.ts';
import { shrinkColumns } from './county-index.ts';
import { countiesFor, namedParcels, parcelTests, textOrders } from './find-parcels.ts';
import { idsByRatio, type Ratio, ratioColumns } from './ids-by-ratio.ts';
import { type LiveRequest, unknownMode } from './live-request.ts';
import { type LookedUp, lookUp, nothingLookedUp } from './looked-up.ts';
import type { Ordering, ParcelPage } from './parcel-query.ts';
import type { WorkTerm } from './work-terms.ts';

interface FilterEffect {
  readonly name: string;
  /** Parcels that only this filter removes: without it, this many more match. */
  readonly removes: number;
  /** Parcels that pass all other filters and whose value for this one is unknown, however it is treated. */
  readonly unknown: number;
}

export interface CountedFilters {
  readonly count: number;
  /** Those among them without a geometry: in the table but not on the map. */
  readonly without_shape: number;
  readonly filters: FilterEffect[];
  readonly absent: ParcelPage['absent'];
}

/** Runs one of these reads in one snapshot and within the time limit. */
export const byColumns = <Result>(
  land: LandStore,
  request: LiveRequest,
  read: (land: LandStore, steps: LiveSteps) => Result | null,
): Result | null => {
  const lookedUp = lookUp(land, request);
  return land.withDeadline(() => land.file.snapshot(() => read(land, liveSteps(land, request, lookedUp))));
};

/** The count and the effect of each filter. */
export function countByColumns(land: LandStore, steps: LiveSteps): CountedFilters | null {
  return withLiveCounties(land, steps, [], (counties) => {
    const total = {
      count: 0,
      without_shape: 0,
      filters: steps.filters.map(({ name }) => ({ name, removes: 0, unknown: 0 })),
    };
    for (const county of counties) {
      const { count, withoutShape, filters } = countEffects(county, steps.scope, steps.filters, parcelTests(land));
      total.count += count;
      total.without_shape += withoutShape;
      for (const [i, effect] of filters.entries()) {
        const sum = total.filters[i];
        if (!sum) continue;
        sum.removes += effect.removes;
        sum.unknown += effect.unknown;
      }
    }
    return {
      ...total,
      absent: absentValues(counties, [
        ...steps.scope,
        ...steps.filters.flatMap(({ step, mode }) => (mode === 'only' ? [] : [step])),
      ]),
    };
  });
}

export interface CountedValues {
  readonly counts: ReadonlyMap<string, number>;
  /** The counties' own labels of the values, from a second column. */
  readonly labels: ReadonlyMap<string, string>;
  readonly unknown: number;
}

/** How often each value of a text column occurs. */
export function valuesByColumns(
  land: LandStore,
  steps: LiveSteps,
  column: string,
  labelColumn?: string,
): CountedValues | null {
  return withLiveCounties(land, steps, [column], (counties) => {
    if (!counties.every((county) => county.isCoded(column))) return null;
    const labels = labelColumn ? counties.flatMap((county) => labelsOf(land, county, column, labelColumn)) : [];
    return withLiveMatches(land, counties, steps, (matches) => {
      const counts = new Map<string, number>();
      let unknown = 0;
      for (const { county, bits } of matches) {
        const loaded = county.column(column);
        const [none = 0, ...known] = countCodes(county, loaded, bits);
        unknown += none;
        for (const [i, count] of known.entries()) {
          if (count === 0) continue;
          const value = String(loaded.scale.value(i + 1));
          counts.set(value, (counts.get(value) ?? 0) + count);
        }
      }
      return { counts, labels: usualLabels(labels), unknown };
    });
  });
}

/** How often a value occurs with a label. */
export type LabelledValue = readonly [value: string, label: string | null, count: number];

/**
 * The most frequent label of each value: a roll's description belongs to a single parcel, and some parcels with a code
 * for houses are described as woods.
 */
export function usualLabels(pairs: readonly LabelledValue[]): Map<string, string> {
  const counts = new Map<string, Map<string, number>>();
  for (const [value, label, count] of pairs) {
    if (label === null) continue;
    const ofValue = counts.get(value) ?? new Map<string, number>();
    counts.set(value, ofValue.set(label, (ofValue.get(label) ?? 0) + count));
  }
  const usual = (labels: Map<string, number>) =>
    [...labels].sort((a, b) => b[1] - a[1] || compareUtf8(a[0], b[0]))[0]?.[0] ?? '';
  return new Map([...counts].map(([value, labels]) => [value, usual(labels)]));
}

/** By column. Read once per county: labels name codes, and do not depend on the filter. */
const knownLabels = new WeakMap<CountyColumns, Map<string, readonly LabelledValue[]>>();

function labelsOf(land: LandStore, county: CountyColumns, column: string, labelColumn: string) {
  const ofCounty = knownLabels.get(county) ?? new Map<string, readonly LabelledValue[]>();
  const known = ofCounty.get(column);
  if (known) return known;
  const labels = land.file.rawRows(
    `SELECT "${column}", "${labelColumn}", count(*) FROM parcels WHERE fips IS :fips AND status = 'current'
       AND "${column}" IS NOT NULL AND "${labelColumn}" IS NOT NULL GROUP BY 1, 2`,
    { fips: county.fips },
  ) as unknown as LabelledValue[];
  knownLabels.set(county, ofCounty.set(column, labels));
  return labels;
}

export interface KnownValues {
  readonly parcels: number;
  /** Parcels with a value, for each requested column. */
  readonly known: ReadonlyMap<string, number>;
}

/** For whole counties; null where the place is smaller. */
export function coverageByColumns(land: LandStore, steps: LiveSteps, columns: readonly string[]): KnownValues | null {
  if (steps.scope.length > 0) return null;
  // A list of shares is known as a whole if its first is.
  const read = (column: string) => (column === slopeColumn ? slopeElement(0) : column);
  return withLiveCounties(land, steps, columns.map(read), (counties) => ({
    parcels: counties.reduce((sum, { rows }) => sum + rows, 0),
    known: new Map(
      columns.map((column) => [column, counties.reduce((sum, county) => sum + county.knownRows(read(column)), 0)]),
    ),
  }));
}

/** What a histogram needs of a number column's values over some matches, as if they were sorted. */
export interface SortedValues {
  readonly known: number;
  readonly unknown: number;
  /** The value at a rank, from 0. */
  at(rank: number): number;
  /** The smallest above zero. */
  leastPositive(): number | null;
  /** Counts values from each edge up to, but excluding, the next; the first and the last bar include values beyond. */
  count(edges: readonly number[]): number[];
}

/** Also null for several counties: their values are not in one order. */
export function withSortedValues<Result>(
  land: LandStore,
  steps: LiveSteps,
  column: string,
  use: (values: SortedValues) => Result,
): Result | null {
  return withLiveCounties(land, steps, [column], (counties) => {
    if (counties.length !== 1 || !counties[0]?.isCoded(column)) return null;
    return withLiveMatches(land, counties, steps, ([match]) => (match ? use(sortedValues(match, column)) : null));
  });
}

function sortedValues({ county, bits, count }: CountyMatches, column: string): SortedValues {
  const loaded = county.column(column);
  const { scale } = loaded;
  const [known = 0] = countRanges(county, loaded, bits, [{ low: 1, high: scale.count }]);
  return {
    known,
    unknown: count - known,
    at: (rank) => valueAtRank(county, column, bits, rank) as number,
    leastPositive: () => {
      const low = scale.firstAbove(0);
      const [below = 0] = countRanges(county, loaded, bits, [{ low: 1, high: low - 1 }]);
      return valueAtRank(county, column, bits, below) as number | null;
    },
    count: (edges) => {
      if (edges.length < 2) return [];
      const starts = edges.slice(1, -1).map((edge) => scale.firstAtLeast(edge));
      const ranges = Array.from({ length: edges.length - 1 }, (_, i) => ({
        low: i === 0 ? 1 : (starts[i - 1] as number),
        high: i === edges.length - 2 ? scale.count : (starts[i] as number) - 1,
      }));
      return countRanges(county, loaded, bits, ranges);
    },
  };
}

/** Ids of the whole result in order; null for an order only SQL knows. */
export function orderedIds(land: LandStore, steps: LiveSteps, ordering: Ordering | null): Float64Array | null {
  const { column, descending } = ordering ?? { column: 'property_id', descending: false };
  const ratio = ratioColumns[column];
  if (ratio) return orderedByRatio(land, steps, ratio, descending);
  const isText = parcelColumnsByName.get(column)?.type === 'text';
  return withLiveCounties(land, steps, [], (counties) => {
    if (column !== 'property_id' && !isText && !counties.every((county) => county.isCoded(column))) return null;
    return withLiveMatches(land, counties, steps, (matches) => {
      const slice = { offset: 0, size: matches.reduce((sum, { count }) => sum + count, 0) };
      return Float64Array.from(
        column === 'property_id'
          ? pageById(matches, slice, descending)
          : pageByColumn(matches, slice, { column, descending }, textOrders(land)),
      );
    });
  });
}

const orderedByRatio = (land: LandStore, steps: LiveSteps, ratio: Ratio, isDescending: boolean): Float64Array | null =>
  withLiveCounties(land, steps, [ratio.value, ratio.by], (counties) => {
    if (!counties.every((county) => county.isCoded(ratio.value) && county.isCoded(ratio.by))) return null;
    return withLiveMatches(land, counties, steps, (matches) => idsByRatio(matches, ratio, isDescending));
  });

/** In whole dollars; a division by zero is unknown. */
export const quotient = (value: number, by: number): number => (by > 0 ? Math.round(value / by) : Number.NaN);

interface NamedFilterStep extends FilterStep {
  readonly name: string;
}

interface LiveSteps {
  readonly counties: readonly string[] | null;
  /** The fixed conditions: ZIPs, area, portfolio. */
  readonly scope: readonly Step[];
  readonly filters: readonly NamedFilterStep[];
}

const nothingUnknown: ReadonlySet<string> = new Set();

function liveSteps(land: LandStore, request: LiveRequest, lookedUp: LookedUp): LiveSteps {
  const { criteria, area, includeUnknown, work } = request;
  const parcels = namedParcels(land);
  const scope = { criteria: criteria.filter(({ row }) => row.scope), area: null, includeUnknown };
  const filters = criteria
    .filter(({ row }) => !row.scope && row.kind !== 'frontage_type')
    .flatMap(({ row }): NamedFilterStep[] => {
      const own = criteria.filter((one) => one.row.name === row.name || one.row.kind === 'frontage_type');
      const alone = { criteria: own, area: null, includeUnknown: nothingUnknown };
      const [step] = columnSteps(alone, nothingLookedUp, null, parcels);
      return step ? [{ name: row.name, step, mode: unknownMode(request, row) }] : [];
    });
  return {
    counties: countiesOf(request),
    scope: columnSteps(scope, lookedUp, area ? prepareGeometry(area) : null, parcels),
    filters: [...filters, ...work.map(workStep)],
  };
}

/** These have no unknown: a parcel is starred or it is not. */
const workStep = ({ name, ids, isExcluded }: WorkTerm): NamedFilterStep => ({
  name,
  step: { type: 'ids', filter: name, ids, isExcluded },
  mode: 'drop',
});

/** Runs `work` over the counties of a request, in one snapshot; `null` where the index cannot answer. */
export function withLiveCounties<Result>(
  land: LandStore,
  { counties, scope, filters }: LiveSteps,
  columns: readonly string[],
  work: (counties: readonly CountyColumns[]) => Result,
): Result | null {
  const steps = [...scope, ...filters.map(({ step }) => step)];
  const opened = countiesFor(land, { counties, steps });
  if (!opened?.every((county) => columns.every((column) => county.has(column)))) return null;
  try {
    return work(opened);
  } finally {
    shrinkColumns(land);
  }
}

/** Lends the matches of the whole request, with unknown values treated as requested. */
export function withLiveMatches<Result>(
  land: LandStore,
  counties: readonly CountyColumns[],
  { scope, filters }: LiveSteps,
  use: (matches: readonly CountyMatches[]) => Result,
): Result {
  const steps = filters.flatMap(({ step, mode }) => modal(step, mode));
  return withAllMatches(counties, [...scope, ...steps], parcelTests(land), use);
}

/** A filter's step with its treatment of unknown values. */
function modal(step: Step, mode: UnknownMode): Step {
  if (mode === 'drop' || !('column' in step)) return step;
  return mode === 'keep' ? { ...step, passUnknown: true } : { type: 'unknown', filter: step.filter, step };
}
