/** The comps that a value did not use, counted and shown with their reasons. */
import type { CompIndex } from './comp-index.ts';
import { compareIds } from './comp-table.ts';
import type { ValuationParameters } from './valuation-parameters.ts';
import type { FitComp } from './value-adjustments.ts';
import type { FoundComp, Refused } from './value-candidates.ts';

import type { LeftOut, LeftOutComp, LeftOutReason } from './value-types.ts';

/** In the order shown to readers. */
const reasons: readonly LeftOutReason[] = [
  'own_parcel',
  'struck',
  'outlier',
  'same_sale',
  'not_among_most_similar',
  'outside_acreage_band',
  'too_old',
  'later_than_value_date',
  'no_date',
  'no_price',
  'no_lot_size',
  'beyond_ring',
];

interface LeftOutBasis {
  readonly candidateCount: number;
  /** The other tellings of candidates. */
  readonly twins: readonly FoundComp[];
  readonly refused: Refused;
  /** The most similar candidates, most similar first: the used ones, the outliers, then the next best. */
  readonly similar: readonly FitComp[];
  readonly outliers: readonly LeftOutComp[];
}

export function describeLeftOut(
  index: CompIndex,
  { candidateCount, twins, refused, similar, outliers }: LeftOutBasis,
  { levelCount, leftOutExamples }: ValuationParameters,
): LeftOut {
  const counts = Object.fromEntries(reasons.map((reason) => [reason, 0])) as Record<LeftOutReason, number>;
  const examples = [...outliers];
  counts.outlier = outliers.length;
  counts.not_among_most_similar = Math.max(candidateCount - levelCount, 0);
  for (const { comp, distance } of similar.slice(levelCount, levelCount + leftOutExamples)) {
    examples.push({ comp, reason: 'not_among_most_similar', distanceKilometers: distance });
  }
  let withinRing = candidateCount + twins.length;
  counts.same_sale = twins.length;
  const shown: (FoundComp & { reason: LeftOutReason })[] = twins
    .toSorted((a, b) => a.distance - b.distance || index.compareIds(a.position, b.position))
    .slice(0, leftOutExamples)
    .map((twin) => ({ ...twin, reason: 'same_sale' }));
  for (const [reason, { count, nearest }] of refused.byReason) {
    counts[reason] = count;
    withinRing += count;
    shown.push(...nearest.slice(0, leftOutExamples).map((found) => ({ ...found, reason })));
  }
  for (const [i, comp] of index.compsAt(shown.map(({ position }) => position)).entries()) {
    const { reason, distance } = shown[i] as (typeof shown)[number];
    examples.push({ comp, reason, distanceKilometers: distance });
  }
  counts.beyond_ring = index.count - withinRing;
  examples.sort(
    (a, b) =>
      reasons.indexOf(a.reason) - reasons.indexOf(b.reason) ||
      a.distanceKilometers - b.distanceKilometers ||
      compareIds(a.comp.id, b.comp.id),
  );
  return { counts, struck: refused.struck, examples };
}
