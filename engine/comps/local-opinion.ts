/** The opinion of the comps alone: the most similar ones, adjusted by a model that is fitted to those around the subject. */
import { type CompIndex, offsetKilometers } from './comp-index.ts';
import type { ValuationParameters } from './valuation-parameters.ts';
import { type AdjustmentFit, type FitComp, fitAdjustments } from './value-adjustments.ts';
import type { Candidates, PlacedSubject } from './value-candidates.ts';
import { type AdjustedComp, noAdjustments, type Opinion, settleOpinion } from './value-opinion.ts';
import { smallest } from './value-order.ts';
import { buildTimeIndex, type SeenComp } from './value-time-index.ts';
import type { ValueCoefficients, ValueComp } from './value-types.ts';

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

/** The candidates as one subject sees them. */
interface SimilarComps {
  /** Most similar first, brought to the subject's day. */
  readonly similar: readonly FitComp[];
  /** `h`. */
  readonly nearKilometers: number;
  readonly hasTimeIndex: boolean;
}

export function findSimilar(
  subject: PlacedSubject,
  index: CompIndex,
  candidates: Candidates,
  parameters: ValuationParameters,
): SimilarComps {
  const { positions, distances } = candidates;
  const compareTies = (a: number, b: number) => index.compareIds(positions[a] as number, positions[b] as number);
  const see = (place: number) => seeComp(subject, index, positions[place] as number, distances[place] as number);

  const nearest = smallest(distances, parameters.timeIndex.nearestCount, compareTies);
  const nearPlace = nearest[Math.min(parameters.nearRank, nearest.length) - 1] as number;
  const nearKilometers = Math.max(parameters.minNearKilometers, distances[nearPlace] as number);
  const timeIndex = buildTimeIndex(nearest.map(see), nearKilometers, parameters);

  const dissimilarities = dissimilaritiesOf(subject, index, candidates, nearKilometers, parameters);
  const pinned = [...positions.keys()].filter((place) => index.isPinnedAt(positions[place] as number));
  const alike = smallest(dissimilarities, parameters.fitCount, compareTies);
  const places = pinned.length === 0 ? alike : [...new Set([...pinned, ...alike])];
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
    ...noAdjustments,
    size: byModel.size * scale,
    time: byModel.time * scale + fitComp.timeShift,
    place: byModel.place * scale,
    ask: byModel.ask * scale,
    attributes: byModel.attributes * scale,
  };
  return {
    fitComp,
    weight: weightOf(fitComp, parameters),
    adjustments,
    isLimited: scale < 1,
    logAdjusted: fitComp.logPricePerAcre + fitComp.timeShift + total * scale,
  };
}

/** `w` of docs/valuation.md, "Similarity". */
export const weightOf = ({ comp, dissimilarity }: FitComp, { statusWeights }: ValuationParameters): number =>
  statusWeights[comp.status] / (1 + dissimilarity);

export function localOpinion(
  subject: PlacedSubject,
  { similar, nearKilometers }: SimilarComps,
  parameters: ValuationParameters,
): { readonly opinion: Opinion; readonly coefficients: ValueCoefficients } {
  const fit = fitAdjustments(subject, similar, nearKilometers, parameters);
  const adjusted = similar.slice(0, parameters.levelCount).map((comp) => adjustComp(comp, fit, parameters));
  const { coefficients } = fit;
  return { opinion: settleOpinion(adjusted, { logLevel: coefficients.level, count: 1 }, parameters), coefficients };
}
