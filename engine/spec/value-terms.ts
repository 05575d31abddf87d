/** The terms of a comp value, the same in the window, on the command line and on paper. */
import { grouped } from './counted.ts';
import { formatDate } from './date-words.ts';

/** In the order in which they are multiplied; the first four always stand in a table, the others where they act. */
export const valueCauses = {
  size: { word: 'size', docs: 'smaller land sells for more an acre' },
  time: { word: 'time', docs: 'how prices here have moved since' },
  place: { word: 'place', docs: 'how prices change from there to here' },
  ask: { word: 'ask', docs: 'an ask is no sale' },
  use: { word: 'use', docs: 'another zoning or land use, as the market pays for it' },
  neighbours: { word: 'near', docs: 'what sales next to it fetched beyond their size, place and use' },
  attributes: { word: 'land', docs: 'wetland, flood zone, slope, road frontage, access' },
  pooling: { word: 'market', docs: 'the few comps drawn toward the local market' },
  level: { word: 'level', docs: 'values here ran low or high, so all are raised or lowered' },
} as const satisfies Record<string, { readonly word: string; readonly docs: string }>;

export type ValueCause = keyof typeof valueCauses;

/** The heading of a factor's column: `× size`. */
export const causeHead = (cause: ValueCause): string => `× ${valueCauses[cause].word}`;

/** Values stored by an older method lack some factors: they did nothing. */
export type ValueFactors = Readonly<Partial<Record<ValueCause, number>>>;

const causes = Object.keys(valueCauses) as ValueCause[];
const alwaysShown = 4;

interface UsedFactors {
  readonly factors: ValueFactors;
}

/** A factor as it is shown. */
export const factorText = (factor: number | undefined): string => (factor ?? 1).toFixed(3);
/** Whether a factor did nothing, as it is shown. */
export const isQuiet = (factor: number | undefined): boolean => factorText(factor) === '1.000';

export const shownCauses = (used: readonly { readonly factors: ValueFactors }[]): ValueCause[] =>
  causes.filter((cause, i) => i < alwaysShown || used.some(({ factors }) => !isQuiet(factors[cause])));

/** What all adjustments together do to a comp: 0.1 is 10 % up. */
export const netAdjustment = (factors: ValueFactors): number =>
  causes.reduce((product, cause) => product * (factors[cause] ?? 1), 1) - 1;

/** The sum of all adjustments of a comp, up or down. */
export const grossAdjustment = (factors: ValueFactors): number =>
  causes.reduce((sum, cause) => sum + Math.abs((factors[cause] ?? 1) - 1), 0);

/** Appraisers explain comps that had to be adjusted by more; lenders' guides long asked for no more. */
const mostGrossAdjustment = 0.25;

/** Where a county's comps usually take more, only those beyond nine in ten of them stand out. */
export const grossLimit = (test: { readonly detail: TestDetail } | null | undefined): number =>
  Math.max(mostGrossAdjustment, test?.detail.usual_gross ?? 0);

/** What the mark of a comp says. */
export const grossMarkWords = (limit: number): string =>
  limit === mostGrossAdjustment
    ? `adjusted by more than ${percentText(limit)} in all`
    : `adjusted by more than ${percentText(limit)} in all, which nine in ten comps here are not`;

/** What makes a value uncertain: the parts of sigma². */
export const errorParts = {
  spread: 'the adjusted comps differ',
  adjustmentSize: 'they had to be adjusted much',
  sizeDifference: 'their sizes differ from this one',
  dissimilarity: 'they are far, old or of another use',
  unknownAttributes: 'something about this land is not known',
  coordinateGrain: 'some are placed by ZIP code only',
  disagreement: 'the two opinions differ',
  remoteness: 'comps are farther away than usual here',
  staleness: 'the newest sale here is old',
} as const;

export type ErrorPart = keyof typeof errorParts;

/** Shares of sigma², greatest first, without those below half a percent. */
export function errorShares(parts: Readonly<Record<ErrorPart, number>>): { part: ErrorPart; share: number }[] {
  const names = Object.keys(errorParts) as ErrorPart[];
  const sum = names.reduce((total, name) => total + parts[name], 0);
  return names
    .map((part) => ({ part, share: parts[part] / sum }))
    .filter(({ share }) => share >= 0.005)
    .sort((a, b) => b.share - a.share);
}

/** What the model of the market did to a value. US dollars. */
export interface ValueOpinions {
  readonly local: number;
  readonly model: number;
  /** The weight of the model's opinion, 0 to 1. */
  readonly share: number;
  /** Comps that the model sees. */
  readonly comps: number;
  /** ISO time. */
  readonly trained_at: string | null;
  /** False: trained, but its errors are not known yet. */
  readonly is_tested: boolean;
  /** Factor for the known error of values here, and how many sales tell it. */
  readonly level: number;
  readonly level_sales: number;
}
export const dollars = (value: number): string => `$${grouped(Math.round(value))}`;
export const decimal = (value: number): string => String(Math.round(10 * value) / 10);
export const percentText = (share: number): string => `${Math.round(100 * share)} %`;
export const signedPercent = (share: number): string => `${share < 0 ? '-' : '+'}${percentText(Math.abs(share))}`;

/** The opinions behind a value; null: the comps alone. */
export function opinionsSentence(opinions: ValueOpinions | null): string {
  if (opinions === null)
    return 'By the comps alone: this market has fewer than 60 comps, or its model is not trained yet.';
  const { local, model, share, comps, trained_at: at } = opinions;
  const trained = at === null ? '' : `, trained ${formatDate(at)}`;
  if (share === 0)
    return `By the comps alone, ${dollars(local)}: the model of the market (${grouped(comps)} comps${trained}) knows nothing of land this far from sales, or saw this parcel’s own sales.`;
  return `The comps alone say ${dollars(local)}; adjusted by the model of the market (${grouped(comps)} comps${trained}) they say ${dollars(model)}; the value lies ${share === 0.5 ? 'halfway between both' : `${Math.round(100 * share)} % of the way to it`}.`;
}

/** How an opinion's comps were drawn toward a model, all by one factor. US dollars per acre. */
export interface Pooled {
  readonly comps: number;
  /** What so many equal comps would weigh. */
  readonly weigh: number;
  /** The comps' own mean, and what the model says. */
  readonly own: number;
  readonly model: number;
  /** The model's share, 0 to 1. */
  readonly share: number;
}

/** `local`: a regression over the comps around; `market`: the forests of the market's model, null without its opinion. */
export interface Pooling {
  readonly local: Pooled;
  readonly fitted: number;
  readonly market: Pooled | null;
}

const pooledWords = ({ comps, weigh, own, model, share }: Pooled, by: string): string =>
  `${comps} comps, which weigh like ${decimal(weigh)} equal ones, say ${dollars(own)}/ac and are drawn ${percentText(share)} of the way to the ${dollars(model)}/ac of ${by}`;

/** What the factor of the column market is, and why; null where it does nothing. */
export function poolingSentence(pooling: Pooling | null | undefined, used: readonly UsedFactors[]): string | null {
  const factor = used[0]?.factors.pooling;
  if (!pooling || used.every(({ factors }) => isQuiet(factors.pooling))) return null;
  const { local, fitted, market } = pooling;
  const all = used.every(({ factors }) => factorText(factors.pooling) === factorText(factor));
  const head = all ? `${causeHead('pooling')} ${factorText(factor)}` : causeHead('pooling');
  return `${head}: ${pooledWords(local, `a regression over the ${fitted} most alike`)}${market ? `; by the model, ${pooledWords(market, 'the mean of its forests')}` : ''}.`;
}

/** The known error of values here; null for the comps alone, which have none. */
export function levelSentence(
  opinions: ValueOpinions | null,
  test?: { readonly detail: TestDetail } | null,
): string | null {
  if (opinions === null) return null;
  const { level, level_sales: sales, is_tested: isTested } = opinions;
  if (!isTested) return 'Too few held-back sales here to correct this value or its range.';
  const percent = Math.round(100 * Math.abs(level - 1));
  const ran = Math.round(100 * ((test?.detail.figures.find(({ name }) => name === 'median')?.value ?? 1) - 1));
  if (percent === 0 && ran !== 0)
    return `Neither raised nor lowered: values here ran ${Math.abs(ran)} % ${ran < 0 ? 'low' : 'high'} in all; the newest sales do not show it clearly enough to correct.`;
  if (percent === 0) return `Neither raised nor lowered: ${grouped(sales)} sales here show no clear lean.`;
  return level > 1
    ? `Raised ${percent} %: ${grouped(sales)} sales here ran low.`
    : `Lowered ${percent} %: ${grouped(sales)} sales here ran high.`;
}

/** How a county's values did on its own sales. */
export interface TestDetail {
  readonly figures: readonly TestFigure[];
  /** Whether surer values err less; null: too few sales. Missing in tests stored before method 6. */
  readonly separates?: boolean | null;
  /** Nine in ten comps of these values had a smaller gross adjustment; null: none was valued. Missing before method 7. */
  readonly usual_gross?: number | null;
  /** Rows by thirds of confidence and of acres, by use, and by year. */
  readonly strata: readonly TestStratum[];
  readonly offers: readonly TestedOffer[];
}

export interface TestFigure {
  readonly name: keyof typeof testFigures;
  readonly value: number;
  /** The ends of the 90 % interval. */
  readonly low: number;
  readonly high: number;
}

/** What the assessors' standard (IAAO, Standard on Ratio Studies, 2013) wants of vacant land. */
export const testFigures = {
  median: {
    label: 'Median ratio',
    docs: 'half of the values were higher, against the price',
    wants: '0.90 to 1.10',
    digits: 2,
  },
  cod: { label: 'COD', docs: 'mean distance from the median ratio, percent', wants: '5 to 25', digits: 1 },
  trimmed_cod: { label: 'COD, trimmed', docs: 'the same without outliers', wants: '5 to 25', digits: 1 },
  prd: { label: 'PRD', docs: 'above 1.03: dear land is valued low', wants: '0.98 to 1.03', digits: 2 },
  prb: { label: 'PRB', docs: 'change of the ratio when value doubles', wants: '−0.05 to 0.05', digits: 3 },
} as const;

export interface TestStratum {
  readonly by: 'confidence' | 'acres' | 'use' | 'year';
  readonly label: string;
  readonly sales: number;
  readonly median: number;
  /** Percent: half of the values are that near to the price. */
  readonly half_within: number;
  readonly cod: number;
}

/** Prices at which at most so many of a hundred such sales sold lower, by the value's own range. */
export const offerRisks = [10, 20, 30] as const;
export type OfferRisk = (typeof offerRisks)[number];

export interface Offer {
  readonly risk: OfferRisk;
  /** US dollars. */
  readonly price: number;
}

export interface TestedOffer {
  readonly risk: OfferRisk;
  /** Percent of the sales here that sold below. */
  readonly below: number;
}

export const offerWords = (risk: OfferRisk): string => `${risk / 10} of 10 such lots sold for less`;

/** @param offers none: the value withholds them */
export const offersSentence = (
  offers: readonly Offer[],
  range: { readonly low: number; readonly high: number },
): string =>
  offers.length === 0
    ? 'No offers: the newest sale here is too old to tell the risk of one.'
    : `Offers: ${offers.map(({ risk, price }) => `${dollarsWithin(price, range)} (${offerWords(risk)})`).join(', ')}.`;

export const errorSentence = (shares: ReturnType<typeof errorShares>): string =>
  `Its range comes from: ${shares.map(({ part, share }) => `${errorParts[part]} ${percentText(share)}`).join(', ')}.`;

/** The gross adjustment of a comp, marked where it stands out. */
export function grossText(factors: ValueFactors, limit: number): string {
  const gross = grossAdjustment(factors);
  return `${percentText(gross)}${gross > limit ? '*' : ''}`;
}

/** Figures that a range leaves: two where it is a quarter or more either way, three to a fortieth, else four. */
export function figuresWithin({ low, high }: { readonly low: number; readonly high: number }): number {
  const half = Math.log(high / low) / 2;
  if (half >= 0.25) return 2;
  return half >= 0.025 ? 3 : 4;
}

export function roundedTo(value: number, figures: number): number {
  if (value <= 0) return 0;
  const step = 10 ** (Math.floor(Math.log10(value)) - figures + 1);
  return step >= 1 ? Math.round(value / step) * step : value;
}

/** Dollars with no more figures than the range leaves. */
export const dollarsWithin = (value: number, range: { readonly low: number; readonly high: number }): string =>
  dollars(roundedTo(value, figuresWithin(range)));

export type Confidence = 'low' | 'fair' | 'good';

/** From here on a value is called fair, and good. Errors of half the values: 74 down to 22 %, and 22 down to 15 %. */
const [fairFrom, goodFrom] = [50, 70];

export function confidenceName(score: number, isLow: boolean): Confidence {
  if (isLow || score < fairFrom) return 'low';
  return score < goodFrom ? 'fair' : 'good';
}
