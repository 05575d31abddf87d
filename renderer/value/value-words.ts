/** A comp value in words. Pure functions: the numbers are those of the engine, shortened for the eye. */
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { perAcreDigits } from '../../engine/spec/shown-digits.ts';
import { type Confidence, confidenceName, figuresWithin, isQuiet, roundedTo } from '../../engine/spec/value-terms.ts';
import { formatDate, formatMoney, formatNumber, formatPercent } from '../parts/format.ts';

export type ShownValue = NonNullable<ReadOutputOf<'stored_value'>['stored']>['value'];
export type UsedComp = ShownValue['used'][number];
export type LeftOutComp = ShownValue['left_out']['comps'][number];
export type AnyComp = ShownValue['own'][number];

const kilometersPerMile = 1.609344;
export const milesOf = (kilometers: number): number => kilometers / kilometersPerMile;

/** Figures as the range deserves: 116,432 → 120,000 of a range of a quarter or more either way. */
export const rounded = roundedTo;

export function rangeWords(range: ShownValue['range']): string {
  const figures = figuresWithin(range);
  return `${formatMoney(rounded(range.low, figures))} to ${formatMoney(rounded(range.high, figures))}`;
}

export const perAcreText = (value: number): string => formatNumber(value, perAcreDigits(value));

export const confidences: readonly Confidence[] = ['low', 'fair', 'good'];

export const confidenceOf = ({ numbers, is_low_confidence: isLow }: ShownValue): Confidence =>
  confidenceName(numbers.confidence_score, isLow);

/** @param gini of the adjusted prices (docs/valuation.md) */
function spreadWords(gini: number): string {
  if (gini < 10) return 'they lie close together';
  return gini < 20 ? 'they differ somewhat' : 'they lie far apart';
}

export function basisWords({ used, numbers }: ShownValue): string {
  const nearest = Math.min(...used.map(({ distance_km: distance }) => distance));
  const away = `${formatNumber(milesOf(nearest), 1)} mi away`;
  if (used.length === 1) return `1 comp used, ${away}. One comp alone is always low confidence.`;
  return `${used.length} comps used, the nearest ${away}. After adjusting ${spreadWords(numbers.gini_index)}.`;
}

const numberWords = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
export const countWord = (count: number): string => numberWords[count] ?? String(count);

/** Whether the asks among the comps were brought down, and by how much; null without asks. */
export function askWords(used: readonly UsedComp[]): string | null {
  const ask = used.find(({ status, factors }) => status !== 'SOLD' && !isQuiet(factors.ask));
  if (!ask) return null;
  const percent = 100 * (ask.factors.ask - 1);
  const by = formatPercent(Math.abs(percent), Math.abs(percent) < 1 ? 1 : 0);
  return percent < 0
    ? `an ask counts ${by} lower, because asks sell for less`
    : `an ask counts ${by} higher: those here stand below what was sold`;
}

/** `18 Aug 2026`; of a listing the day on which it was last seen. */
export function compDate({ status, date }: Pick<AnyComp, 'status' | 'date'>): string {
  if (date === null) return 'date unknown';
  return status === 'SOLD' ? formatDate(date) : `seen ${formatDate(date)}`;
}

/** `14 Nov 2026` of a moment, by the calendar of this computer. */
export function formatDay(at: string): string {
  const time = new Date(at);
  const two = (n: number) => String(n).padStart(2, '0');
  return formatDate(`${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`);
}

/** `118 State Route 118` → `State Route 118`. */
export const roadOf = (address: string): string => address.replace(/^\s*\d+[A-Za-z]?(-\d+)?\s+/, '');

const moreWords = (count: number): string => (count > 1 ? `; ${formatNumber(count - 1)} more` : '');

/** Why a comp was left out, and how many others for the same reason. */
export function leftOutWords(comp: LeftOutComp, { used, left_out: { counts } }: ShownValue): string {
  switch (comp.reason) {
    case 'own_parcel':
      return comp.status === 'SOLD' ? 'the parcel’s own sale' : 'the parcel’s own ask';
    case 'struck':
      return `struck out${moreWords(counts[comp.reason])}`;
    case 'same_sale':
      return `the same sale again${moreWords(counts[comp.reason])}`;
    case 'outlier':
      return `${formatNumber(comp.spreads ?? 0, 1)} spreads ${comp.is_above ? 'above' : 'below'} the rest`;
    case 'not_among_most_similar':
      return `less alike than the ${used.length} used${moreWords(counts[comp.reason])}`;
    case 'outside_acreage_band':
      return `over 10 times larger or smaller${moreWords(counts[comp.reason])}`;
    case 'too_old':
      return `over 8 years old${moreWords(counts[comp.reason])}`;
    case 'later_than_value_date':
      return `later than the day of the value${moreWords(counts[comp.reason])}`;
    case 'no_date':
      return `without a date${moreWords(counts[comp.reason])}`;
    case 'no_price':
      return `gives no price${moreWords(counts[comp.reason])}`;
    case 'no_lot_size':
      return `gives no lot size${moreWords(counts[comp.reason])}`;
    case 'beyond_ring':
      return 'too far away';
  }
}

/** The number that goes with the reason. */
export function leftOutNumber({ reason, price, acres }: LeftOutComp): string {
  if (price === null) return 'no price';
  if (acres === null || acres === 0) return 'no acreage';
  if (reason === 'outlier') return `$${perAcreText(price / acres)}/ac`;
  return reason === 'outside_acreage_band' ? `${formatNumber(acres, 2)} ac` : formatMoney(price);
}

/** The engine says kilometers; here people count miles. */
export function miles(kilometers: number): string {
  const count = milesOf(kilometers);
  return `${formatNumber(count, count < 10 ? 1 : 0)} mi`;
}

interface Axis {
  readonly from: number;
  readonly to: number;
  readonly ticks: readonly number[];
}

/** A scale of round numbers around what is to be shown, in six or seven steps. */
export function axisAround(low: number, high: number): Axis {
  const span = Math.max(high - low, high * 1e-6, 1e-6);
  const rough = span / 6;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].map((n) => n * power).find((each) => each >= rough) ?? 10 * power;
  const first = Math.floor(low / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(high / step - 1e-9));
  // Times a step a tick is 3.0000000000000004; twelve figures are more than any price has.
  const tickAt = (n: number) => Number((n * step).toPrecision(12));
  const ticks = Array.from({ length: last - first + 1 }, (_each, i) => tickAt(first + i));
  return { from: ticks[0] ?? low, to: ticks.at(-1) ?? high, ticks };
}

/** `$80k`, `$1.2M`, `$8,500`. */
export function shortMoney(value: number): string {
  const short = (by: number, unit: string) => `$${formatNumber(value / by)}${unit}`;
  if (value >= 1_000_000) return short(1_000_000, 'M');
  return value >= 10_000 ? short(1000, 'k') : formatMoney(value);
}
