/** The warnings of a comp value (docs/valuation.md, "Warnings"): most serious first. */
import { struckTotal } from '../spec/suspect-rules.ts';
import type { CountyValue, UnreadAttribute, ValueWarning } from '../spec/value-warnings.ts';
import { isoOfDay } from './comp-facts.ts';
import { valuationParameters } from './valuation-parameters.ts';
import { type FitComp, measureOf } from './value-adjustments.ts';
import type { PlacedSubject } from './value-candidates.ts';
import { medianOf } from './value-ridge.ts';
import type { LeftOut, UsedComp, ValueUncertainty } from './value-types.ts';

interface WarningBasis {
  readonly subject: PlacedSubject;
  /** The value, US dollars. */
  readonly price: number;
  readonly newestYears: number | null;
  readonly candidateCount: number;
  /** Offers have held with the newest comp so old. */
  readonly offerYears: number;
  readonly used: readonly UsedComp[];
  readonly similar: readonly FitComp[];
  readonly leftOut: LeftOut;
  readonly uncertainty: ValueUncertainty;
  readonly county: CountyValue | null;
  /** The weight of the model's opinion. */
  readonly modelShare: number;
}

/** From here on, each is worth a word. */
const limits = { staleYears: 1, fewComps: 3, farKilometers: 25, sizeTimes: 1.5, countyTimes: 2, leastRatios: 5 };

/** Share by which a part of sigma² makes the range wider; null below half a percent. */
function widening(part: number, { sigma, calibration }: ValueUncertainty): number | null {
  const without = sigma ** 2 - part * calibration ** 2;
  const wider = sigma / Math.sqrt(Math.max(without, 1e-9)) - 1;
  return wider < 0.005 ? null : wider;
}

export function countyValueOf(
  { countyLandValue: value }: PlacedSubject,
  similar: readonly FitComp[],
): CountyValue | null {
  if (!value || value <= 0) return null;
  const ratios = similar.flatMap(({ comp }) =>
    comp.status === 'SOLD' && comp.price && (comp.countyLandValue ?? 0) > 0
      ? [comp.price / (comp.countyLandValue as number)]
      : [],
  );
  const isKnown = ratios.length >= limits.leastRatios;
  return { land_value: value, usual_ratio: isKnown ? medianOf(ratios) : null, sales: ratios.length };
}

const waterWords = /\bWTR|WATER|LAKE|SHORE|POND|RIVERFR|OCEAN/i;

type Warn = (basis: WarningBasis) => ValueWarning | null;

const stale: Warn = ({ newestYears, offerYears, uncertainty }) =>
  newestYears !== null && newestYears > limits.staleYears
    ? {
        code: 'stale',
        years: newestYears,
        offer_years: offerYears,
        widens: widening(uncertainty.staleness, uncertainty),
      }
    : null;

const undated: Warn = ({ newestYears, candidateCount }) =>
  newestYears === null ? { code: 'undated', comps: candidateCount, widens: null } : null;

const past: Warn = ({ subject, leftOut: { counts } }) =>
  subject.isPast
    ? {
        code: 'past',
        day: isoOfDay(subject.date),
        later: counts.later_than_value_date,
        undated: counts.no_date,
        widens: null,
      }
    : null;

/** What the spread of so few adds: S̃² (1 + 1/n) against S̃². */
const few: Warn = ({ used, uncertainty }) => {
  if (used.length > limits.fewComps) return null;
  const part = uncertainty.spread / (1 + uncertainty.effectiveCount);
  return { code: 'few_comps', comps: used.length, widens: widening(part, uncertainty) };
};

const far: Warn = ({ used, uncertainty }) => {
  const nearest = Math.min(...used.map(({ distanceKilometers }) => distanceKilometers));
  return nearest < limits.farKilometers
    ? null
    : { code: 'far', nearest_km: nearest, widens: widening(uncertainty.remoteness, uncertainty) };
};

const size: Warn = ({ subject: { acres }, used, uncertainty }) => {
  const sizes = used.map((comp) => comp.acres);
  const larger = acres / Math.max(...sizes);
  const smaller = Math.min(...sizes) / acres;
  if (Math.max(larger, smaller) < limits.sizeTimes) return null;
  const widens = widening(uncertainty.sizeDifference, uncertainty);
  return larger > smaller ? { code: 'larger', times: larger, widens } : { code: 'smaller', times: smaller, widens };
};

const otherUse: Warn = ({ subject: { use }, used, uncertainty }) => {
  const known = used.filter(({ comp }) => comp.use !== null);
  if (use === null || known.length === 0 || known.some(({ comp }) => comp.use === use)) return null;
  const share = known.reduce((sum, { weight }) => sum + weight, 0);
  const part = valuationParameters.uncertainty.dissimilarity * valuationParameters.useDifference * share;
  return { code: 'other_use', use, comps: known.length, widens: widening(part, uncertainty) };
};

const notRead: Warn = ({ subject, similar, uncertainty }) => {
  const isWaterfront = subject.attributes.waterFrontageFeet == null && waterWords.test(subject.use ?? '');
  const knownFor = (name: UnreadAttribute) => similar.filter(({ comp }) => comp.attributes[name] != null).length;
  const unread = valuationParameters.attributes
    .filter((attribute) => measureOf(subject.attributes, attribute) === null)
    .map(({ name }) => ({ name, comps: knownFor(name) }))
    .filter(({ name, comps }) => comps > 0 || (isWaterfront && name === 'waterFrontageFeet'));
  if (unread.length === 0) return null;
  return {
    code: 'not_read',
    attributes: unread.map(({ name }) => name),
    comps: Math.max(...unread.map(({ comps }) => comps)),
    is_waterfront: isWaterfront,
    widens: widening(uncertainty.unknownAttributes, uncertainty),
  };
};

const unseenByModel: Warn = ({ subject, modelShare }) => {
  const told = valuationParameters.attributes
    .filter((attribute) => (measureOf(subject.attributes, attribute) ?? 0) > 0)
    // every lot on a road has some; the rest sets a lot apart
    .filter(({ name }) => name !== 'roadFrontageFeet')
    .map(({ name }) => name);
  return modelShare === 0 || told.length === 0
    ? null
    : { code: 'unseen_by_model', attributes: told, model_share: modelShare, widens: null };
};

const owner: Warn = ({ subject: { isPublic, isExempt } }) =>
  isPublic ? { code: 'public', widens: null } : isExempt ? { code: 'exempt', widens: null } : null;

const county: Warn = ({ price, county: told }) => {
  if (told === null) return null;
  const off = Math.abs(Math.log(price / (told.land_value * (told.usual_ratio ?? 1))));
  return off < Math.log(limits.countyTimes) ? null : { code: 'county', price, ...told, widens: null };
};

/** Nothing is struck silently. */
const struck: Warn = ({ leftOut: { struck: counts } }) =>
  struckTotal(counts) === 0 ? null : { code: 'struck', counts, widens: null };

const all: readonly Warn[] = [
  ...[stale, undated, past, few, far, size, otherUse, notRead, unseenByModel, owner, county],
  struck,
];

export const warningsOf = (basis: WarningBasis): ValueWarning[] => all.flatMap((warn) => warn(basis) ?? []);
