/**
 * The comp value: what nearby land sales say a parcel is worth, each adjusted to its size, time and place, with everything
 * needed to recompute it (docs/valuation.md). A research indication, not an appraisal.
 */
import { blendOpinions, type MarketSight } from './blend-opinions.ts';
import { CompIndex } from './comp-index.ts';
import { compareIds } from './comp-table.ts';
import { findSimilar, localOpinion } from './local-opinion.ts';
import { daysPerYear, noStaleness, staleVariance } from './staleness.ts';
import { type ValuationParameters, valuationParameters } from './valuation-parameters.ts';
import {
  type Candidates,
  findCandidates,
  findNearest,
  findRefused,
  type PlacedSubject,
  type Refused,
} from './value-candidates.ts';
import { describeLeftOut } from './value-left-out.ts';
import { giniOf, weightedMeanOf } from './value-level.ts';
import type { AdjustedComp } from './value-opinion.ts';
import type {
  CompValueExplanation,
  NoCompValue,
  UsedComp,
  ValueAdjustments,
  ValueComp,
  ValueSubject,
} from './value-types.ts';
import { uncertaintyOf, widenedBy } from './value-uncertainty.ts';
import { countyValueOf, warningsOf } from './value-warnings.ts';

export type { MarketSight } from './blend-opinions.ts';
export type { CompValueExplanation, NoCompValue, ValueComp, ValueSubject } from './value-types.ts';

const isPositive = (value: number | null): value is number => value !== null && Number.isFinite(value) && value > 0;
const isKnown = (value: number | null): value is number => value !== null && Number.isFinite(value);

const exponentials = (adjustments: ValueAdjustments): ValueAdjustments => ({
  size: Math.exp(adjustments.size),
  time: Math.exp(adjustments.time),
  place: Math.exp(adjustments.place),
  use: Math.exp(adjustments.use),
  neighbours: Math.exp(adjustments.neighbours),
  ask: Math.exp(adjustments.ask),
  attributes: Math.exp(adjustments.attributes),
  pooling: Math.exp(adjustments.pooling),
  level: Math.exp(adjustments.level),
});

function describeUsed(
  { fitComp, weight, adjustments, isLimited, logAdjusted }: AdjustedComp,
  acresWanted: number,
): UsedComp {
  const { comp, distance, dissimilarity } = fitComp;
  const price = comp.price as number;
  const acres = comp.acres as number;
  const adjustedPricePerAcre = Math.exp(logAdjusted);
  return {
    comp,
    price,
    acres,
    pricePerAcre: price / acres,
    distanceKilometers: distance,
    dissimilarity,
    weight,
    adjustments,
    factors: exponentials(adjustments),
    isLimited,
    adjustedPricePerAcre,
    adjustedPrice: adjustedPricePerAcre * acresWanted,
  };
}

/** Heaviest first. */
const describeComps = (comps: readonly AdjustedComp[], subjectAcres: number): UsedComp[] =>
  comps
    .map((comp) => describeUsed(comp, subjectAcres))
    .sort((a, b) => b.weight - a.weight || compareIds(a.comp.id, b.comp.id));

function summarize(used: readonly UsedComp[], subjectAcres: number, sigma: number, maxConfidence: number) {
  const meanOf = (read: (comp: UsedComp) => number) => used.reduce((sum, comp) => sum + read(comp), 0) / used.length;
  const logLevel = weightedMeanOf(
    used.map(({ adjustedPricePerAcre }) => Math.log(adjustedPricePerAcre)),
    used.map(({ weight }) => weight),
  );
  const pricePerAcre = Math.exp(logLevel);
  const price = pricePerAcre * subjectAcres;
  return {
    value: {
      mean_price: meanOf((comp) => comp.price),
      mean_ppa: meanOf((comp) => comp.pricePerAcre),
      mean_adjusted_price: price,
      mean_adjusted_ppa: pricePerAcre,
      confidence_score: Math.min(maxConfidence, 100 * Math.exp(-sigma)),
      gini_index: giniOf(used.map(({ adjustedPrice }) => adjustedPrice)),
    },
    valueRange: { low: price * Math.exp(-sigma), high: price * Math.exp(sigma) },
  };
}

function ownListingsOf(index: CompIndex, refused: Refused): ValueComp[] {
  const own = refused.byReason.get('own_parcel')?.nearest ?? [];
  return index
    .compsAt(own.map(({ position }) => position))
    .sort((a, b) => (b.date ?? -Infinity) - (a.date ?? -Infinity) || compareIds(a.id, b.id));
}

/** Null: no candidate has a date. */
function newestYearsOf({ date }: PlacedSubject, index: CompIndex, { positions }: Candidates): number | null {
  let newest = -Infinity;
  for (const position of positions) {
    const day = index.dates[position] as number;
    if (day > newest) newest = day;
  }
  return newest === -Infinity ? null : (date - newest) / daysPerYear;
}

/** Null where the model saw what the value must not. */
const sightOf = ({ isPast, date }: PlacedSubject, market: MarketSight | null): MarketSight | null =>
  isPast && market?.model?.hasSeenAfter(date) ? null : market;

function valuePlaced(
  subject: PlacedSubject,
  index: CompIndex,
  candidates: Candidates,
  market: MarketSight | null,
  parameters: ValuationParameters,
): CompValueExplanation {
  const found = findSimilar(subject, index, candidates, parameters);
  const { similar, nearKilometers, hasTimeIndex } = found;
  const local = localOpinion(subject, found, parameters);
  const ofLocal = {
    used: describeComps(local.opinion.comps, subject.acres),
    outliers: local.opinion.outliers,
    limits: local.opinion.limits,
    similar,
  };
  const alone = uncertaintyOf(subject, ofLocal, parameters);
  const blended = market && blendOpinions(subject, similar, local.opinion, market, parameters);
  const used = blended ? describeComps(blended.comps, subject.acres) : ofLocal.used;
  const newestYears = newestYearsOf(subject, index, candidates);
  const staleness = market?.staleness ?? noStaleness;
  const uncertainty = widenedBy(
    staleVariance(newestYears, staleness, parameters.staleness),
    blended ? blended.widen(alone) : alone,
    parameters.uncertainty.least,
  );
  const refused = findRefused(subject, index, candidates.ringKilometers, parameters);
  const candidateCount = candidates.positions.length;
  const outliers = blended?.outliers ?? ofLocal.outliers;
  const levelCount = blended?.levelCount ?? parameters.levelCount;
  const leftOut = describeLeftOut(
    index,
    { candidateCount, twins: candidates.twins, refused, similar, outliers },
    { ...parameters, levelCount },
  );
  const { offerYears } = staleness;
  const summary = summarize(used, subject.acres, uncertainty.sigma, parameters.maxConfidence);
  const county = countyValueOf(subject, similar);
  return {
    ...summary,
    isLowConfidence: used.length === 1,
    used,
    leftOut,
    candidateCount,
    ringKilometers: candidates.ringKilometers,
    nearKilometers,
    newestYears,
    canOffer: (newestYears ?? 0) <= offerYears,
    county,
    warnings: warningsOf({
      ...{ subject, newestYears, offerYears, leftOut, uncertainty, used, similar, county, candidateCount },
      price: summary.value.mean_adjusted_price,
      modelShare: blended?.described.share ?? 0,
    }),
    pooling: { local: local.opinion.pooled, fitted: similar.length, market: blended?.pooled ?? null },
    coefficients: local.coefficients,
    hasTimeIndex,
    uncertainty,
    ownListings: ownListingsOf(index, refused),
    market: blended?.described ?? null,
  };
}

/** @param subject Null: it has no acres or no point, so no comp is near it. */
function refuse(
  reason: NoCompValue['reason'],
  subject: PlacedSubject | null,
  index: CompIndex,
  ringKilometers: number,
  parameters: ValuationParameters,
): NoCompValue {
  const refused: Refused = subject
    ? findRefused(subject, index, ringKilometers, parameters)
    : { byReason: new Map(), struck: {} };
  const found = subject && findNearest(subject, index, ringKilometers, refused);
  const [nearest] = found ? index.compsAt([found.position]) : [];
  return {
    value: null,
    reason,
    ringKilometers,
    nearest: found && nearest ? { comp: nearest, reason: found.reason, distanceKilometers: found.distance } : null,
    leftOut: describeLeftOut(index, { candidateCount: 0, twins: [], refused, similar: [], outliers: [] }, parameters),
    ownListings: ownListingsOf(index, refused),
  };
}

/**
 * The value of a parcel from the comps around it, or the reason why there is none. It depends neither on the order of
 * the comps nor on anything later than the subject's date. For many subjects build one `CompIndex` of all comps first.
 * With the model of the market the comps are adjusted by it too (docs/valuation.md, "Two opinions").
 */
export function valueFromComps(
  subject: ValueSubject,
  comps: CompIndex | Iterable<ValueComp>,
  parameters: ValuationParameters = valuationParameters,
  market: MarketSight | null = null,
): CompValueExplanation | NoCompValue {
  const index = comps instanceof CompIndex ? comps : CompIndex.of(comps);
  const { acres, longitude, latitude } = subject;
  if (!isPositive(acres)) return refuse('no_acres', null, index, 0, parameters);
  if (!isKnown(longitude) || !isKnown(latitude)) return refuse('no_point', null, index, 0, parameters);
  const placed: PlacedSubject = { ...subject, acres, longitude, latitude };
  const candidates = findCandidates(placed, index, parameters);
  if (candidates.positions.length > 0)
    return valuePlaced(placed, index, candidates, sightOf(placed, market), parameters);
  return refuse('no_comps', placed, index, candidates.ringKilometers, parameters);
}
