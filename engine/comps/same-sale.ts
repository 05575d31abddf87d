/**
 * The same sale, told twice: by a listing service and by the county, or several times in one file. It counts once
 * (docs/valuation.md, "The same sale twice").
 */
import { foldSpaces } from '../spec/text-fold.ts';
import { distanceKilometers } from './comp-index.ts';
import type { ValueComp } from './value-types.ts';

const sameSale = {
  /** Days between two sales of one parcel: a deed is recorded some time after the closing that a listing service reports. */
  parcelDays: 90,
  parcelPriceShare: 0.05,
  /** Without two known parcels. */
  meters: 60,
  /** Where one lies at the point of its ZIP code, as many lots do: the record decides, the place only bounds it. */
  zipMeters: 50_000,
  acresShare: 0.01,
  priceShare: 0.02,
  days: 400,
} as const;

/** A sale or listing, as far as it tells whether another is the same. */
export interface ToldSale {
  readonly propertyId: number | null;
  readonly longitude: number;
  readonly latitude: number;
  readonly acres: number | null;
  readonly price: number | null;
  /** Days since 1970-01-01. */
  readonly date: number | null;
  /** What is asked and what was paid are two things. */
  readonly isSold: boolean;
  /** Whether the place is only that of its ZIP code. */
  readonly isZip: boolean;
  /** `recordOf`. */
  readonly record: string | null;
}

/** What names a sale where its place does not: its address, else its id at the source. Null if it has neither. */
export const recordOf = (address: string | null, sourceId: string | null): string | null =>
  foldSpaces(address ?? '') || sourceId;

/** A comp as a told sale. */
export const toldSaleOf = (comp: ValueComp): ToldSale => ({
  propertyId: comp.propertyId,
  longitude: comp.longitude,
  latitude: comp.latitude,
  acres: comp.acres,
  price: comp.price,
  date: comp.date,
  isSold: comp.status === 'SOLD',
  isZip: comp.coordinateGrain === 'zip',
  record: comp.record ?? null,
});

const isWithin = (a: number | null, b: number | null, share: number): boolean =>
  a !== null && b !== null && Math.abs(a - b) <= share * Math.max(a, b);

/** Unknown days agree with any. */
const areNear = (a: number | null, b: number | null, days: number): boolean =>
  a === null || b === null || Math.abs(a - b) <= days;

/** The order of the two does not matter. */
export function areSameSale(a: ToldSale, b: ToldSale): boolean {
  if (a.isSold !== b.isSold) return false;
  if (a.propertyId !== null && b.propertyId !== null) {
    if (a.propertyId !== b.propertyId) return false;
    if (a.date !== null && a.date === b.date) return true;
    if (areNear(a.date, b.date, sameSale.parcelDays) && isWithin(a.price, b.price, sameSale.parcelPriceShare))
      return true;
  }
  return (
    isWithin(a.price, b.price, sameSale.priceShare) &&
    isWithin(a.acres, b.acres, sameSale.acresShare) &&
    areNear(a.date, b.date, sameSale.days) &&
    areOfOnePlace(a, b)
  );
}

function areOfOnePlace(a: ToldSale, b: ToldSale): boolean {
  const isZip = a.isZip || b.isZip;
  if (isZip && (a.record === null || a.record !== b.record)) return false;
  const meters = distanceKilometers(a.longitude, a.latitude, b.longitude, b.latitude) * 1000;
  return meters <= (isZip ? sameSale.zipMeters : sameSale.meters);
}

/**
 * Cells of at least 120 m up to 72° north or south: what is near lies in the same cell or beyond its nearer edges, in one
 * of four cells.
 */
const cellsPerDegree = { longitude: 275, latitude: 900 };

/** Steps of about a tenth of the price: many sales at one point or of one address are not all compared. */
const stepsPerLog = 10;
const stepOf = (price: number, factor = 1): number => Math.floor(Math.log(Math.max(price * factor, 1)) * stepsPerLog);

/** The steps of prices that may agree: one or two. */
function stepsNear(price: number): number[] {
  const [least, most] = [stepOf(price, 1 - sameSale.priceShare * 1.1), stepOf(price, 1 + sameSale.priceShare * 1.1)];
  return least === most ? [least] : [least, most];
}

/** Told sales, to be found by parcel, by place and by record. */
export class SaleFinder<Sale extends ToldSale> {
  readonly #byParcel = new Map<number, Sale[]>();
  readonly #byCell = new Map<number, Sale[]>();
  readonly #byRecord = new Map<string, Sale[]>();

  constructor(sales: Iterable<Sale> = []) {
    for (const sale of sales) this.add(sale);
  }

  add(sale: Sale): void {
    if (sale.propertyId !== null) push(this.#byParcel, sale.propertyId, sale);
    // without a price and acres, only the parcel tells
    if (sale.price === null || sale.acres === null) return;
    const step = stepOf(sale.price);
    if (!sale.isZip) push(this.#byCell, cellKey(Math.floor(columnOf(sale)), Math.floor(rowOf(sale)), step), sale);
    if (sale.record !== null) push(this.#byRecord, recordKey(sale.record, step), sale);
  }

  /** One that is the same sale; undefined if there is none. */
  find(sale: ToldSale): Sale | undefined {
    const isSame = (other: Sale) => areSameSale(other, sale);
    const ofParcel = sale.propertyId === null ? undefined : this.#byParcel.get(sale.propertyId)?.find(isSame);
    if (ofParcel || sale.price === null || sale.acres === null) return ofParcel;
    for (const step of stepsNear(sale.price)) {
      const ofRecord =
        sale.record === null ? undefined : this.#byRecord.get(recordKey(sale.record, step))?.find(isSame);
      const found = ofRecord ?? (sale.isZip ? undefined : this.#findNear(sale, step, isSame));
      if (found) return found;
    }
    return undefined;
  }

  #findNear(sale: ToldSale, step: number, isSame: (other: Sale) => boolean): Sale | undefined {
    // the corner of the four cells that is nearest to the sale
    const [column, row] = [Math.round(columnOf(sale)), Math.round(rowOf(sale))];
    for (let cell = 0; cell < 4; cell++) {
      const found = this.#byCell.get(cellKey(column - (cell & 1), row - (cell >> 1), step))?.find(isSame);
      if (found) return found;
    }
    return undefined;
  }
}

const recordKey = (record: string, step: number): string => `${step} ${record}`;

const columnOf = ({ longitude }: ToldSale): number => longitude * cellsPerDegree.longitude;
const rowOf = ({ latitude }: ToldSale): number => latitude * cellsPerDegree.latitude;

/** A key has 30 bits, since larger numbers are slow keys; cells that share one cost a comparison. */
const cellKey = (column: number, row: number, step: number): number =>
  (Math.imul(column, 0x9e3779b1) ^ Math.imul(row, 0x85ebca6b) ^ Math.imul(step, 0xc2b2ae35)) >>> 2;

function push<Key, Sale>(lists: Map<Key, Sale[]>, key: Key, sale: Sale): void {
  const list = lists.get(key);
  if (list) list.push(sale);
  else lists.set(key, [sale]);
}

/**
 * Each sale once, and the other tellings: one that is linked to a parcel counts before others, then the newer one, then
 * the first of `compareIds`. Does not depend on the order of the input.
 */
export function splitTwins<Sale extends ToldSale>(
  sales: readonly Sale[],
  compareIds: (a: Sale, b: Sale) => number,
): { kept: Sale[]; twins: Sale[] } {
  const finder = new SaleFinder<Sale>();
  const kept: Sale[] = [];
  const twins: Sale[] = [];
  const first = (a: Sale, b: Sale): number =>
    Number(a.propertyId === null) - Number(b.propertyId === null) ||
    (b.date ?? -Infinity) - (a.date ?? -Infinity) ||
    compareIds(a, b);
  for (const sale of sales.toSorted(first)) {
    if (finder.find(sale)) twins.push(sale);
    else {
      finder.add(sale);
      kept.push(sale);
    }
  }
  return { kept, twins };
}
