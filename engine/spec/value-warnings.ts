/** What a reader of a comp value must know first, each with its number, and the words for it. */
import { counted, grouped } from './counted.ts';
import { formatDate } from './date-words.ts';
import { type StruckCounts, struckSentence } from './suspect-rules.ts';
import { decimal, dollars, percentText } from './value-terms.ts';

/** The county's own value of the land, beside ours. US dollars. */
export interface CountyValue {
  readonly land_value: number;
  /** Prices around, against the county's land values of their parcels; null: fewer than five have both. */
  readonly usual_ratio: number | null;
  readonly sales: number;
}

/** What a layer of land tells, where it is read. */
export type UnreadAttribute = keyof typeof attributeWords;

const attributeWords = {
  wetlandsShare: 'wetlands',
  floodShare: 'flood zones',
  steepShare: 'slope',
  landlocked: 'access',
  roadFrontageFeet: 'road frontage',
  waterFrontageFeet: 'water',
} as const;

type WarningFacts =
  | { readonly code: 'past'; readonly day: string; readonly later: number; readonly undated: number }
  | { readonly code: 'stale'; readonly years: number; readonly offer_years: number }
  | { readonly code: 'undated'; readonly comps: number }
  | { readonly code: 'few_comps'; readonly comps: number }
  | { readonly code: 'far'; readonly nearest_km: number }
  | { readonly code: 'larger' | 'smaller'; readonly times: number }
  | { readonly code: 'other_use'; readonly use: string; readonly comps: number }
  | {
      readonly code: 'not_read';
      readonly attributes: readonly UnreadAttribute[];
      /** Comps of which one of them is known. */
      readonly comps: number;
      /** The county's word for the use says water. */
      readonly is_waterfront: boolean;
    }
  | { readonly code: 'unseen_by_model'; readonly attributes: readonly UnreadAttribute[]; readonly model_share: number }
  | { readonly code: 'public' | 'exempt' }
  | { readonly code: 'struck'; readonly counts: StruckCounts }
  | ({ readonly code: 'county'; readonly price: number } & CountyValue);

export type ValueWarning = WarningFacts & {
  /** Share by which it makes the range wider, measured; null: it does not change the range. */
  readonly widens: number | null;
};

/** @param distance `8.5 km` of 8.5 */
type Distance = (kilometers: number) => string;

const listed = (attributes: readonly UnreadAttribute[]): string =>
  attributes.map((attribute) => attributeWords[attribute]).join(', ');

/** The county's value and ours, without a period. */
function countyWords(price: number, { land_value: value, usual_ratio: usual, sales }: CountyValue): string {
  const around =
    usual === null
      ? 'too few sales around tell how prices lie to such values'
      : `the ${counted(sales, 'sale', 'sales')} around with both went for ${decimal(usual)} times what the county says`;
  return `The county says ${dollars(value)} for the land, this value ${dollars(price)}; ${around}`;
}

/** The county's value where no warning tells it, for both are always shown: one line, or none. */
export const countyLines = (
  price: number,
  county: CountyValue | null | undefined,
  warnings: readonly ValueWarning[] = [],
): string[] => (county && warnings.every(({ code }) => code !== 'county') ? [`${countyWords(price, county)}.`] : []);

/** What was found, with its number, without a period. */
export function warningFacts(warning: ValueWarning, distance: Distance): string {
  switch (warning.code) {
    case 'past':
      return `As of ${formatDate(warning.day)}: ${grouped(warning.later)} later and ${grouped(warning.undated)} undated sales and listings around it do not count, nor does a market model that saw such`;
    case 'stale': {
      const { years, offer_years: most } = warning;
      const offers = years > most ? `; above ${decimal(most)} years no offer is told` : '';
      return `The newest sale here is ${decimal(years)} years old${offers}`;
    }
    case 'undated':
      return `None of the ${counted(warning.comps, 'comp', 'comps')} around has a date, so how prices moved since is not known`;
    case 'few_comps':
      return `Only ${counted(warning.comps, 'comp', 'comps')} can be compared`;
    case 'far':
      return `The nearest comp is ${distance(warning.nearest_km)} away`;
    case 'larger':
    case 'smaller':
      return `The parcel is ${decimal(warning.times)} times ${warning.code} than any comp`;
    case 'other_use':
      return `None of the ${counted(warning.comps, 'comp', 'comps')} with a known use is ${warning.use}`;
    case 'not_read': {
      const { attributes, comps, is_waterfront: isWaterfront } = warning;
      const water = isWaterfront ? ', though the use says water' : '';
      const known = comps > 0 ? `; ${counted(comps, 'comp', 'comps')} around ${comps === 1 ? 'has' : 'have'} it` : '';
      return `Not read for this parcel: ${listed(attributes)}${water}${known}`;
    }
    case 'unseen_by_model':
      return `The model of the market, ${percentText(warning.model_share)} of this value, knows nothing of ${listed(warning.attributes)}`;
    case 'public':
      return 'A government owns the parcel; such land is seldom sold at a market price';
    case 'exempt':
      return 'The county calls the parcel exempt; such land is seldom sold at a market price';
    case 'struck':
      return `Around it ${struckSentence(warning.counts)}`;
    case 'county':
      return countyWords(warning.price, warning);
  }
}

function effectOf({ code, widens }: ValueWarning): string {
  if (code === 'past') return '';
  if (widens === null) return '; the range does not change by it';
  return `; the range is ${percentText(widens)} wider for it`;
}

export const warningSentence = (warning: ValueWarning, distance: Distance): string =>
  `${warningFacts(warning, distance)}${effectOf(warning)}.`;
