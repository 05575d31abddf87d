/**
 * The comp value: what nearby land sales say a parcel is worth, each adjusted to its size, time and place, with everything
 * needed to recompute it (docs/valuation.md). A research indication, not an appraisal.
 */
import { CompIndex, offsetKilometers } from './comp-index.ts';
import { compareIds } from './comp-table.ts';
import { type ValuationParameters, valuationParameters } from './valuation-parameters.ts';
import { type AdjustmentFit, type FitComp, fitAdjustments } from './value-adjustments.ts';
import { type Candidates, findCandidates, findNearest, findRefused, type PlacedSubject } from './value-candidates.ts';
import { describeLeftOut } from './value-left-out.ts';
import { effectiveCountOf, giniOf, type OutlierRule, outlierRuleOf, weightedMeanOf } from './value-level.ts';
import { smallest } from './value-order.ts';
import { buildTimeIndex, type SeenComp } from './value-time-index.ts';
import type {
  CompValueExplanation,
  LeftOutComp,
  NoCompValue,
  UsedComp,
  ValueAdjustments,
  ValueComp,
  ValueSubject,
} from './value-types.ts';
import { uncertaintyOf } from './value-uncertainty.ts';

export type { CompValueExplanation, NoCompValue, ValueComp, ValueSubject } from './value-types.ts';

/** A comp on its way to the value, with the adjustments that lead to `logAdjusted`. */
interface AdjustedComp {
  readonly fitComp: FitComp;
  /** `w` of docs/valuation.md, "Similarity". */
  readonly weight: number;
  readonly adjustments: ValueAdjustments;
  readonly isLimited: boolean;
  /** z before pooling. */
  readonly logAdjusted: number;
}

const isPositive = (value: number | null): value is number => value !== null && Number.isFinite(value) && value > 0;
const isKnown = (value: number | null): value is number => value !== null && Number.isFinite(value);

function seeComp(subject: PlacedSubject, index: CompIndex, position: number, distance: number): SeenComp {
  const { east, north } = offsetKilometers(
    subject.longitude,
    subject.latitude,
    index.longitudes[position] as number,
    index.latitudes[position] as number,
  );
  return {
    position,
    distance,
    east,
    north,
    relativeLogAcres: (index.logAcres[position] as number) - Math.log(subject.acres),
    logPricePerAcre: index.logPricePerAcreAt(position),
    date: index.dates[position] as number,
  };
}

/** `q` of docs/valuation.md, "Similarity", for every candidate. */
function dissimilaritiesOf(
  subject: PlacedSubject,
  index: CompIndex,
  { positions, distances }: Candidates,
  nearKilometers: number,
  { sizeScale, timeScaleDays, useDifference }: ValuationParameters,
): Float64Array {
  const logAcres = Math.log(subject.acres);
  const use = index.numberOfUse(subject.use);
  return distances.map((distance, place) => {
    const position = positions[place] as number;
    const size = ((index.logAcres[position] as number) - logAcres) / sizeScale;
    const age = (subject.date - (index.dates[position] as number)) / timeScaleDays;
    const otherUse = index.uses[position] as number;
    return (
      (distance / nearKilometers) ** 2 +
      size * size +
      (Number.isNaN(age) ? 0 : age * age) +
      (use !== otherUse && use >= 0 && otherUse >= 0 ? useDifference : 0)
    );
  });
}

/** The most similar candidates, most similar first, seen from the subject and brought to its day. */
function findSimilar(
  subject: PlacedSubject,
  index: CompIndex,
  candidates: Candidates,
  parameters: ValuationParameters,
) {
  const { positions, distances } = candidates;
  const compareTies = (a: number, b: number) => index.compareIds(positions[a] as number, positions[b] as number);
  const see = (place: number) => seeComp(subject, index, positions[place] as number, distances[place] as number);

  const nearest = smallest(distances, parameters.timeIndex.nearestCount, compareTies);
  const nearPlace = nearest[Math.min(parameters.nearRank, nearest.length) - 1] as number;
  const nearKilometers = Math.max(parameters.minNearKilometers, distances[nearPlace] as number);
  const timeIndex = buildTimeIndex(nearest.map(see), nearKilometers, parameters);

  const dissimilarities = dissimilaritiesOf(subject, index, candidates, nearKilometers, parameters);
  const places = smallest(dissimilarities, parameters.fitCount, compareTies);
  const comps = index.compsAt(places.map((place) => positions[place] as number));
  const similar = places.map((place, i): FitComp => {
    const seen = see(place);
    const isIndexed = timeIndex !== null && !Number.isNaN(seen.date);
    return {
      ...seen,
      comp: comps[i] as ValueComp,
      dissimilarity: dissimilarities[place] as number,
      timeShift: isIndexed ? timeIndex(subject.date) - timeIndex(seen.date) : 0,
    };
  });
  return { similar, nearKilometers, hasTimeIndex: timeIndex !== null };
}

function adjustComp(fitComp: FitComp, fit: AdjustmentFit, parameters: ValuationParameters): AdjustedComp {
  const byModel = fit.adjustmentsOf(fitComp);
  const total = byModel.size + byModel.time + byModel.place + byModel.ask + byModel.attributes;
  // every adjustment shrinks in proportion, so that the factors still multiply to the whole
  const scale = Math.min(1, parameters.maxAdjustment / Math.abs(total));
  const adjustments = {
    size: byModel.size * scale,
    time: byModel.time * scale + fitComp.timeShift,
    place: byModel.place * scale,
    ask: byModel.ask * scale,
    attributes: byModel.attributes * scale,
    pooling: 0,
  };
  return {
    fitComp,
    weight: parameters.statusWeights[fitComp.comp.status] / (1 + fitComp.dissimilarity),
    adjustments,
    isLimited: scale < 1,
    logAdjusted: fitComp.logPricePerAcre + fitComp.timeShift + total * scale,
  };
}

/** Splits off comps too far from the others (docs/valuation.md, "Outliers and pooling"). */
function splitOutliers(adjusted: readonly AdjustedComp[], parameters: ValuationParameters) {
  const rule = outlierRuleOf(
    adjusted.map(({ logAdjusted }) => logAdjusted),
    adjusted.map(({ weight }) => weight),
    parameters,
  );
  const isKept = ({ logAdjusted }: AdjustedComp) =>
    rule === null || (logAdjusted >= rule.low && logAdjusted <= rule.high);
  return { rule, kept: adjusted.filter(isKept), dropped: adjusted.filter((comp) => !isKept(comp)) };
}

function describeOutlier(
  { fitComp, weight, logAdjusted }: AdjustedComp,
  { middle, spread }: OutlierRule,
  weightSum: number,
  pooling: number,
): LeftOutComp {
  return {
    comp: fitComp.comp,
    reason: 'outlier',
    distanceKilometers: fitComp.distance,
    outlier: {
      spreads: Math.abs(logAdjusted - middle) / spread,
      adjustedPricePerAcre: Math.exp(logAdjusted + pooling),
      weight: weight / weightSum,
    },
  };
}

function exponentials(adjustments: ValueAdjustments): ValueAdjustments {
  const { size, time, place, ask, attributes, pooling } = adjustments;
  return {
    size: Math.exp(size),
    time: Math.exp(time),
    place: Math.exp(place),
    ask: Math.exp(ask),
    attributes: Math.exp(attributes),
    pooling: Math.exp(pooling),
  };
}

function describeUsed(adjusted: AdjustedComp, weightSum: number, pooling: number, subjectAcres: number): UsedComp {
  const { fitComp, weight, isLimited, logAdjusted } = adjusted;
  const { comp, distance, dissimilarity } = fitComp;
  const adjustments = { ...adjusted.adjustments, pooling };
  const price = comp.price as number;
  const acres = comp.acres as number;
  const adjustedPricePerAcre = Math.exp(logAdjusted + pooling);
  return {
    comp,
    price,
    acres,
    pricePerAcre: price / acres,
    distanceKilometers: distance,
    dissimilarity,
    weight: weight / weightSum,
    adjustments,
    factors: exponentials(adjustments),
    isLimited,
    adjustedPricePerAcre,
    adjustedPrice: adjustedPricePerAcre * subjectAcres,
  };
}

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

type Refused = ReturnType<typeof findRefused>;

function ownListingsOf(index: CompIndex, refused: Refused): ValueComp[] {
  const own = refused.get('own_parcel')?.nearest ?? [];
  return index
    .compsAt(own.map(({ position }) => position))
    .sort((a, b) => (b.date ?? -Infinity) - (a.date ?? -Infinity) || compareIds(a.id, b.id));
}

function valuePlaced(
  subject: PlacedSubject,
  index: CompIndex,
  candidates: Candidates,
  parameters: ValuationParameters,
): CompValueExplanation {
  const { similar, nearKilometers, hasTimeIndex } = findSimilar(subject, index, candidates, parameters);
  const fit = fitAdjustments(subject, similar, nearKilometers, parameters);
  const adjusted = similar.slice(0, parameters.levelCount).map((comp) => adjustComp(comp, fit, parameters));
  const { rule, kept, dropped } = splitOutliers(adjusted, parameters);

  const weights = kept.map(({ weight }) => weight);
  const effectiveCount = effectiveCountOf(weights);
  const mean = weightedMeanOf(
    kept.map(({ logAdjusted }) => logAdjusted),
    weights,
  );
  const pooling = (fit.coefficients.level - mean) / (1 + effectiveCount);
  const weightSum = weights.reduce((sum, weight) => sum + weight, 0);
  const used = kept
    .map((comp) => describeUsed(comp, weightSum, pooling, subject.acres))
    .sort((a, b) => b.weight - a.weight || compareIds(a.comp.id, b.comp.id));
  const outliers = rule === null ? [] : dropped.map((comp) => describeOutlier(comp, rule, weightSum, pooling));
  const limits = rule && { low: Math.exp(rule.low + pooling), high: Math.exp(rule.high + pooling) };
  const refused = findRefused(subject, index, candidates.ringKilometers, parameters);
  const candidateCount = candidates.positions.length;
  const uncertainty = uncertaintyOf(subject, { used, outliers, limits, similar }, parameters);
  return {
    ...summarize(used, subject.acres, uncertainty.sigma, parameters.maxConfidence),
    isLowConfidence: used.length === 1,
    used,
    leftOut: describeLeftOut(index, { candidateCount, refused, similar, outliers }, parameters),
    candidateCount,
    ringKilometers: candidates.ringKilometers,
    nearKilometers,
    coefficients: fit.coefficients,
    hasTimeIndex,
    uncertainty,
    ownListings: ownListingsOf(index, refused),
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
  const refused: Refused = subject ? findRefused(subject, index, ringKilometers, parameters) : new Map();
  const found = subject && findNearest(subject, index, ringKilometers, refused);
  const [nearest] = found ? index.compsAt([found.position]) : [];
  return {
    value: null,
    reason,
    ringKilometers,
    nearest: found && nearest ? { comp: nearest, reason: found.reason, distanceKilometers: found.distance } : null,
    leftOut: describeLeftOut(index, { candidateCount: 0, refused, similar: [], outliers: [] }, parameters),
    ownListings: ownListingsOf(index, refused),
  };
}

/**
 * The value of a parcel from the comps around it, or the reason why there is none. It depends neither on the order of
 * the comps nor on anything later than the subject's date. For many subjects build one `CompIndex` of all comps first.
 */
export function valueFromComps(
  subject: ValueSubject,
  comps: CompIndex | Iterable<ValueComp>,
  parameters: ValuationParameters = valuationParameters,
): CompValueExplanation | NoCompValue {
  const index = comps instanceof CompIndex ? comps : CompIndex.of(comps);
  const { acres, longitude, latitude } = subject;
  if (!isPositive(acres)) return refuse('no_acres', null, index, 0, parameters);
  if (!isKnown(longitude) || !isKnown(latitude)) return refuse('no_point', null, index, 0, parameters);
  const placed: PlacedSubject = { ...subject, acres, longitude, latitude };
  const candidates = findCandidates(placed, index, parameters);
  if (candidates.positions.length > 0) return valuePlaced(placed, index, candidates, parameters);
  return refuse('no_comps', placed, index, candidates.ringKilometers, parameters);
}
