/**
 * What a comp's price would be at the subject's size, time, place and attributes (docs/valuation.md, "Adjustment fit" and
 * "Attributes").
 */
import type { AttributeParameters, ValuationParameters } from './valuation-parameters.ts';
import { fitRobustRidge } from './value-ridge.ts';
import type { SeenComp } from './value-time-index.ts';
import type { AdjustmentCause, ValueAttributes, ValueCoefficients, ValueComp } from './value-types.ts';

/** A comp of the fit set. */
export interface FitComp extends SeenComp {
  readonly comp: ValueComp;
  /** `q` of docs/valuation.md, "Similarity". */
  readonly dissimilarity: number;
  /** I(t_s) - I(t_i). */
  readonly timeShift: number;
}

interface FitSubject {
  readonly acres: number;
  readonly date: number;
  readonly attributes: ValueAttributes;
}

type Cause = Extract<AdjustmentCause, 'size' | 'time' | 'place' | 'ask' | 'attributes'>;

/** One column of the fit: zero for a comp like the subject. */
interface Feature {
  readonly cause: Cause;
  readonly name: string;
  readonly prior: number;
  readonly penalty: number;
  readonly of: (comp: FitComp) => number;
}

export interface AdjustmentFit {
  readonly coefficients: ValueCoefficients;
  /** -b·f by cause, on ln(price per acre), time index not included. */
  readonly adjustmentsOf: (comp: FitComp) => Record<Cause, number>;
}

/** beta0: how ln(price per acre) changes with ln(acres) before any local sale is seen. */
export function sizePriorAt(acres: number, knots: ValuationParameters['fit']['sizePriors']): number {
  let before = knots[0] ?? [1, 0];
  for (const knot of knots) {
    if (knot[0] > acres) {
      if (knot === before) return knot[1];
      const share = Math.log(acres / before[0]) / Math.log(knot[0] / before[0]);
      return before[1] + share * (knot[1] - before[1]);
    }
    before = knot;
  }
  return before[1];
}

/** The measure of an attribute; null where unknown. */
export function measureOf(attributes: ValueAttributes, { name, measure }: AttributeParameters): number | null {
  const value = attributes[name];
  return value === null || value === undefined ? null : measure(Number(value));
}

function attributeFeatures(subject: FitSubject, comps: readonly FitComp[], parameters: ValuationParameters): Feature[] {
  return parameters.attributes.flatMap((attribute) => {
    const own = measureOf(subject.attributes, attribute);
    if (own === null) return [];
    const of = ({ comp }: FitComp) => {
      const theirs = measureOf(comp.attributes, attribute);
      return theirs === null ? 0 : theirs - own;
    };
    if (comps.every(({ comp }) => measureOf(comp.attributes, attribute) === null)) return [];
    const { name, prior, penalty } = attribute;
    return [{ cause: 'attributes' as const, name, prior, penalty, of }];
  });
}

function featuresFor(
  subject: FitSubject,
  comps: readonly FitComp[],
  nearKilometers: number,
  parameters: ValuationParameters,
): Feature[] {
  const { sizePriors, askPrior, penalties, maxOffset } = parameters.fit;
  const offset = (kilometers: number) => Math.min(Math.max(kilometers / nearKilometers, -maxOffset), maxOffset);
  const row = (cause: Cause, name: keyof typeof penalties, prior: number, of: Feature['of']): Feature => ({
    cause,
    name,
    prior,
    penalty: penalties[name],
    of,
  });
  const features = [
    row('size', 'size', sizePriorAt(subject.acres, sizePriors), (comp) => comp.relativeLogAcres),
    row('size', 'sizeSquared', 0, (comp) => comp.relativeLogAcres ** 2),
    row('time', 'year', 0, ({ date }) => (Number.isNaN(date) ? 0 : (date - subject.date) / 365.25)),
    row('place', 'east', 0, ({ east }) => offset(east)),
    row('place', 'north', 0, ({ north }) => offset(north)),
  ];
  const sold = comps.filter(({ comp }) => comp.status === 'SOLD').length;
  if (sold > 0 && sold < comps.length) {
    features.push(row('ask', 'ask', askPrior, ({ comp }) => (comp.status === 'SOLD' ? 0 : 1)));
  }
  return [...features, ...attributeFeatures(subject, comps, parameters)];
}

function namedCoefficients(level: number, features: readonly Feature[], b: Float64Array): ValueCoefficients {
  const byName = new Map(features.map(({ name }, j) => [name, b[j] as number]));
  const get = (name: string) => byName.get(name) ?? 0;
  return {
    level,
    size: get('size'),
    sizeSquared: get('sizeSquared'),
    year: get('year'),
    east: get('east'),
    north: get('north'),
    ask: byName.get('ask') ?? null,
    attributes: Object.fromEntries(
      features.flatMap(({ cause, name }, j) => (cause === 'attributes' ? [[name, b[j] as number]] : [])),
    ),
  };
}

/** Fits the local market model to the most similar comps. `comps` holds at least one. */
export function fitAdjustments(
  subject: FitSubject,
  comps: readonly FitComp[],
  nearKilometers: number,
  parameters: ValuationParameters,
): AdjustmentFit {
  const features = featuresFor(subject, comps, nearKilometers, parameters);
  const table = new Float64Array(comps.length * features.length);
  for (const [row, comp] of comps.entries()) {
    for (const [j, feature] of features.entries()) table[row * features.length + j] = feature.of(comp);
  }
  const { intercept, coefficients } = fitRobustRidge(
    {
      features: table,
      columnCount: features.length,
      targets: Float64Array.from(comps, ({ logPricePerAcre, timeShift }) => logPricePerAcre + timeShift),
      weights: Float64Array.from(
        comps,
        ({ comp, dissimilarity }) =>
          parameters.statusWeights[comp.status] / (1 + dissimilarity / parameters.fitDissimilarityScale),
      ),
      priors: features.map(({ prior }) => prior),
      penalties: features.map(({ penalty }) => penalty),
    },
    parameters.fit.huber,
    parameters.fit.huberPasses,
  );
  return {
    coefficients: namedCoefficients(intercept, features, coefficients),
    adjustmentsOf: (comp) => {
      const byCause = { size: 0, time: 0, place: 0, ask: 0, attributes: 0 };
      for (const [j, { cause, of }] of features.entries()) byCause[cause] -= (coefficients[j] as number) * of(comp);
      return byCause;
    },
  };
}
