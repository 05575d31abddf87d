/**
 * Market statistics by acreage bucket over the last twelve months: SOLD comps by their sold date, and listings (ACTIVE,
 * PENDING) last seen in that time or without a date.
 */
import { monthsBefore } from '../spec/date-words.ts';
import type { CompStatus } from './comp-columns.ts';
import { isInBucket, type MarketBucket, marketBuckets } from './market-buckets.ts';

/** A comp as input of the statistics; sold or seen within the window (`statsWindow`). */
export interface MarketComp {
  readonly status: CompStatus;
  readonly price: number;
  /** Acres. */
  readonly lot_size: number | null;
  readonly days_on_market: number | null;
}

/** The numbers of one bucket; null without values for a median, or with a divisor of 0. */
export interface MarketNumbers {
  sold_count: number;
  active_count: number;
  pending_count: number;
  /** US dollars. */
  median_sold_price: number | null;
  /** Asks: ACTIVE and PENDING. */
  median_list_price: number | null;
  /** US dollars per acre. */
  median_sold_ppa: number | null;
  median_list_ppa: number | null;
  /** Sold comps only: a listing has no final number yet. */
  median_days_on_market: number | null;
  /** Sold in twelve months ÷ active. */
  sell_through_rate: number | null;
  /** Sold a month ÷ active. */
  absorption_rate: number | null;
  /** Active ÷ sold a month. */
  months_of_supply: number | null;
}

interface MarketStat {
  readonly type: string;
  readonly data: MarketNumbers;
}

const monthsOfWindow = 12;

/** ISO days: sold after `after`, up to `until`. */
export function statsWindow(now: Date): { after: string; until: string } {
  const until = now.toISOString().slice(0, 10);
  return { after: monthsBefore(until, monthsOfWindow), until };
}

/**
 * Moves values below `pivot` before those above it, between two positions; returns where the two parts end and begin.
 */
function partition(values: Float64Array, pivot: number, left: number, right: number): { end: number; begin: number } {
  let low = left;
  let high = right;
  while (low <= high) {
    while ((values[low] as number) < pivot) low++;
    while ((values[high] as number) > pivot) high--;
    if (low > high) break;
    const moved = values[low] as number;
    values[low++] = values[high] as number;
    values[high--] = moved;
  }
  return { end: high, begin: low };
}

/** Puts the smallest `rank` values first and the next one at `rank` (Hoare's FIND): a tenth of the time of sorting. */
function select(values: Float64Array, rank: number): number {
  let left = 0;
  let right = values.length - 1;
  while (left < right) {
    const { end, begin } = partition(values, values[rank] as number, left, right);
    if (end < rank) left = begin;
    if (rank < begin) right = end;
  }
  return values[rank] as number;
}

/** Middle of the values, mean of the two middle ones; null without any. Reorders them; none may be NaN. */
export function median(values: Float64Array): number | null {
  if (values.length === 0) return null;
  const middle = values.length >> 1;
  const upper = select(values, middle);
  if (values.length % 2 === 1) return upper;
  const lower = values.subarray(0, middle).reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  return (lower + upper) / 2;
}

const rounded = (value: number | null, decimals: number): number | null =>
  value === null ? null : Math.round(value * 10 ** decimals) / 10 ** decimals;

const cents = (value: number | null): number | null => rounded(value, 2);

/** Four decimals; null for a divisor of 0. */
const ratio = (value: number, by: number): number | null => (by === 0 ? null : rounded(value / by, 4));

/** Comps of one kind in columns: 22 buckets read each of them. */
interface Columns {
  readonly acres: Float64Array;
  readonly prices: Float64Array;
  readonly pricesPerAcre: Float64Array;
  /** NaN if unknown. */
  readonly days: Float64Array;
}

function columnsOf(comps: readonly MarketComp[]): Columns {
  return {
    acres: Float64Array.from(comps, (comp) => comp.lot_size ?? 0),
    prices: Float64Array.from(comps, (comp) => comp.price),
    pricesPerAcre: Float64Array.from(comps, (comp) => comp.price / (comp.lot_size ?? 0)),
    days: Float64Array.from(comps, (comp) => comp.days_on_market ?? Number.NaN),
  };
}

/** The comps of a bucket, as copies that may be reordered. */
function takeBucket({ acres, prices, pricesPerAcre, days }: Columns, bucket: MarketBucket): Columns {
  const positions = new Uint32Array(acres.length);
  let count = 0;
  for (let i = 0; i < acres.length; i++) if (isInBucket(bucket, acres[i] as number)) positions[count++] = i;
  const take = (column: Float64Array) => {
    const taken = new Float64Array(count);
    for (let i = 0; i < count; i++) taken[i] = column[positions[i] as number] as number;
    return taken;
  };
  return { acres: take(acres), prices: take(prices), pricesPerAcre: take(pricesPerAcre), days: take(days) };
}

function both(one: Float64Array, other: Float64Array): Float64Array {
  const joined = new Float64Array(one.length + other.length);
  joined.set(one);
  joined.set(other, one.length);
  return joined;
}

function numbersOf(sold: Columns, active: Columns, pending: Columns): MarketNumbers {
  const [sales, forSale] = [sold.acres.length, active.acres.length];
  return {
    sold_count: sales,
    active_count: forSale,
    pending_count: pending.acres.length,
    median_sold_price: cents(median(sold.prices)),
    median_list_price: cents(median(both(active.prices, pending.prices))),
    median_sold_ppa: cents(median(sold.pricesPerAcre)),
    median_list_ppa: cents(median(both(active.pricesPerAcre, pending.pricesPerAcre))),
    median_days_on_market: median(sold.days.filter((days) => !Number.isNaN(days))),
    sell_through_rate: ratio(sales, forSale),
    absorption_rate: ratio(sales / monthsOfWindow, forSale),
    months_of_supply: ratio(forSale, sales / monthsOfWindow),
  };
}

/** Every bucket in order, including empty ones. Comps without a lot size are in none. */
export function marketStats(comps: readonly MarketComp[]): MarketStat[] {
  const of = (wanted: CompStatus) => columnsOf(comps.filter(({ status }) => status === wanted));
  const [sold, active, pending] = [of('SOLD'), of('ACTIVE'), of('PENDING')];
  return marketBuckets.map((bucket) => ({
    type: bucket.type,
    data: numbersOf(takeBucket(sold, bucket), takeBucket(active, bucket), takeBucket(pending, bucket)),
  }));
}

/** Names and meanings of the numbers, for schemas and docs. */
export const marketNumberDocs: Readonly<Record<keyof MarketNumbers, string>> = {
  sold_count: 'Sales in the last twelve months.',
  active_count: 'Listings for sale, last seen within twelve months.',
  pending_count: 'Listings under contract, last seen within twelve months.',
  median_sold_price: 'Median price of those sales, US dollars.',
  median_list_price: 'Median ask of active and pending listings, US dollars.',
  median_sold_ppa: 'Median price per acre of those sales.',
  median_list_ppa: 'Median ask per acre of active and pending listings.',
  median_days_on_market: 'Median days on market of those sales, where known.',
  sell_through_rate: 'Sales of twelve months ÷ active listings.',
  absorption_rate: 'Sales a month ÷ active listings.',
  months_of_supply: 'Active listings ÷ sales a month.',
};
