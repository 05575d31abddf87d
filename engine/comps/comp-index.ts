/**
 * A spatial index of comps: columns ordered by bands of latitude from south to north, and from west to east within a band.
 * A circle covers a few stretches of this order, found by bisection.
 */
import { type StruckBy, struckBys } from '../spec/suspect-rules.ts';
import { buildCompTable, type CompKeys, type CompTable } from './comp-table.ts';
import type { DegreeBox } from './distance.ts';
import type { ToldSale } from './same-sale.ts';
import type { ValueComp } from './value-types.ts';

/** Height of a band in degrees: 2.2 km, the radius of the smallest ring, so that a ring needs few bands and few other comps. */
const bandDegrees = 0.02;
const bandCount = Math.round(180 / bandDegrees);

const kilometersPerDegreeEast = 111.32;
const kilometersPerDegreeNorth = 110.57;
const radiansPerDegree = Math.PI / 180;

/**
 * Offset of one place from another in kilometers, on the plane of their mean latitude (docs/valuation.md, "Symbols").
 */
interface Offset {
  readonly east: number;
  readonly north: number;
}

/** A difference of longitudes the shorter way around the world, in degrees. */
const wrapped = (degrees: number): number => (degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees);

export function offsetKilometers(
  fromLongitude: number,
  fromLatitude: number,
  toLongitude: number,
  toLatitude: number,
): Offset {
  const meanLatitude = ((fromLatitude + toLatitude) / 2) * radiansPerDegree;
  return {
    east: wrapped(toLongitude - fromLongitude) * Math.cos(meanLatitude) * kilometersPerDegreeEast,
    north: (toLatitude - fromLatitude) * kilometersPerDegreeNorth,
  };
}

export function distanceKilometers(
  fromLongitude: number,
  fromLatitude: number,
  toLongitude: number,
  toLatitude: number,
): number {
  const { east, north } = offsetKilometers(fromLongitude, fromLatitude, toLongitude, toLatitude);
  return Math.sqrt(east * east + north * north);
}

const bandOf = (latitude: number): number =>
  Math.min(Math.max(Math.floor((latitude + 90) / bandDegrees), 0), bandCount - 1);

const isAmount = (value: number): boolean => value > 0 && value < Infinity;

/** Rows by band and, within a band, by longitude; and the start of each band. */
function gridOrder({ longitudes, latitudes }: CompKeys): { rows: Int32Array; firstOfBand: Int32Array } {
  const count = latitudes.length;
  const firstOfBand = new Int32Array(bandCount + 1);
  const bands = new Int32Array(count);
  for (let row = 0; row < count; row++) {
    const band = bandOf(latitudes[row] as number);
    bands[row] = band;
    firstOfBand[band + 1] = (firstOfBand[band + 1] as number) + 1;
  }
  for (let band = 0; band < bandCount; band++) {
    firstOfBand[band + 1] = (firstOfBand[band + 1] as number) + (firstOfBand[band] as number);
  }
  const rows = new Int32Array(count);
  const nextOfBand = firstOfBand.slice();
  for (let row = 0; row < count; row++) {
    const next = nextOfBand[bands[row] as number] as number;
    rows[next] = row;
    nextOfBand[bands[row] as number] = next + 1;
  }
  for (let band = 0; band < bandCount; band++) {
    const first = firstOfBand[band] as number;
    const end = firstOfBand[band + 1] as number;
    if (end - first < 2) continue;
    rows.subarray(first, end).sort((a, b) => (longitudes[a] as number) - (longitudes[b] as number));
  }
  return { rows, firstOfBand };
}

/** `values` in the order of `rows`. A loop: the iterators of `from` and `map` take five times as long. */
function ordered<Column extends Float64Array | Int32Array>(values: Column, rows: Int32Array): Column {
  const column = values.slice() as Column;
  for (let position = 0; position < rows.length; position++) {
    column[position] = values[rows[position] as number] as number;
  }
  return column;
}

const known = (value: number | undefined): number | null => (value === undefined || Number.isNaN(value) ? null : value);

export type PlacedSale = ToldSale & { readonly position: number };

export class CompIndex {
  /** Positions in the index map to these rows of the table. */
  readonly rows: Int32Array;
  /** By position, like the following. */
  readonly longitudes: Float64Array;
  readonly latitudes: Float64Array;
  /** ln(acres): NaN where unknown or not positive. */
  readonly logAcres: Float64Array;
  readonly hasPrice: Uint8Array;
  /** 1: it counts for no value. */
  readonly isStruck: Uint8Array;
  /** NaN where unknown. */
  readonly dates: Float64Array;
  readonly propertyIds: Float64Array;
  /** A number per distinct use; -1 if unknown. */
  readonly uses: Int32Array;
  readonly #table: CompTable;
  readonly #firstOfBand: Int32Array;

  /** Copies what it needs of `keys`; keeps `table`. */
  constructor(keys: CompKeys, table: CompTable) {
    const { rows, firstOfBand } = gridOrder(keys);
    this.#table = table;
    this.#firstOfBand = firstOfBand;
    this.rows = rows;
    this.longitudes = ordered(keys.longitudes, rows);
    this.latitudes = ordered(keys.latitudes, rows);
    this.dates = ordered(keys.dates, rows);
    this.propertyIds = ordered(keys.propertyIds, rows);
    this.uses = ordered(keys.uses, rows);
    this.logAcres = ordered(table.acres, rows);
    this.hasPrice = new Uint8Array(rows.length);
    this.isStruck = new Uint8Array(rows.length);
    for (let position = 0; position < rows.length; position++) {
      const acres = this.logAcres[position] as number;
      this.logAcres[position] = isAmount(acres) ? Math.log(acres) : Number.NaN;
      this.isStruck[position] = table.struck[rows[position] as number] === 0 ? 0 : 1;
      this.hasPrice[position] = isAmount(table.prices[rows[position] as number] as number) ? 1 : 0;
    }
  }

  static of(comps: Iterable<ValueComp>): CompIndex {
    const { keys, table } = buildCompTable(comps);
    return new CompIndex(keys, table);
  }

  get count(): number {
    return this.rows.length;
  }

  /** The number of a use in `uses`; an unused number if no comp has this use; -1 for null. */
  numberOfUse(use: string | null): number {
    const { useNumbers } = this.#table;
    return use === null ? -1 : (useNumbers.get(use) ?? useNumbers.size);
  }

  /** Null: it counts. */
  struckAt(position: number): StruckBy | null {
    return struckBys[(this.#table.struck[this.rows[position] as number] as number) - 1] ?? null;
  }

  isPinnedAt(position: number): boolean {
    return this.#table.pinned?.has(this.rows[position] as number) ?? false;
  }

  /** NaN where unknown. */
  acresAt(position: number): number {
    return this.#table.acres[this.rows[position] as number] as number;
  }

  /** ln(price / acre) of a comp that has both. */
  logPricePerAcreAt(position: number): number {
    const row = this.rows[position] as number;
    return Math.log((this.#table.prices[row] as number) / (this.#table.acres[row] as number));
  }

  /** The comps at these positions, as far as they tell whether one is the same sale as another. */
  toldAt(positions: readonly number[]): PlacedSale[] {
    const rows = positions.map((position) => this.rows[position] as number);
    const { acres, prices, areSold, areZip } = this.#table;
    // read from the file, and asked only about places of ZIP codes
    const records = rows.some((row) => areZip[row] === 1) ? this.#table.recordsAt(rows) : [];
    return positions.map((position, place) => ({
      position,
      propertyId: known(this.propertyIds[position]),
      longitude: this.longitudes[position] as number,
      latitude: this.latitudes[position] as number,
      acres: known(acres[rows[place] as number]),
      price: known(prices[rows[place] as number]),
      date: known(this.dates[position]),
      isSold: areSold[rows[place] as number] === 1,
      isZip: areZip[rows[place] as number] === 1,
      record: records[place] ?? null,
    }));
  }

  /** Orders the ids of two positions. */
  compareIds(a: number, b: number): number {
    return this.#table.compareIds(this.rows[a] as number, this.rows[b] as number);
  }

  /** The comps at these positions, in the same order. */
  compsAt(positions: readonly number[]): ValueComp[] {
    return positions.length === 0
      ? []
      : this.#table.compsAt(positions.map((position) => this.rows[position] as number));
  }

  /**
   * Calls `visit` with the position and distance of every comp within `kilometers`, in no particular order. `mayPass`
   * saves computing the distance of comps that are unwanted anyway.
   */
  forEachWithin(
    longitude: number,
    latitude: number,
    kilometers: number,
    visit: (position: number, distance: number) => void,
    mayPass: (position: number) => boolean = () => true,
  ): void {
    const height = kilometers / kilometersPerDegreeNorth;
    const lastBand = bandOf(latitude + height);
    for (let band = bandOf(latitude - height); band <= lastBand; band++) {
      this.#visitBand(band, longitude, latitude, kilometers, visit, mayPass);
    }
  }

  #visitBand(
    band: number,
    longitude: number,
    latitude: number,
    kilometers: number,
    visit: (position: number, distance: number) => void,
    mayPass: (position: number) => boolean,
  ): void {
    const first = this.#firstOfBand[band] ?? 0;
    const end = this.#firstOfBand[band + 1] ?? 0;
    if (first === end) return;
    // no mean latitude between the place and this band's comps is farther from the equator
    const south = band * bandDegrees - 90;
    const farthest = Math.min((Math.abs(latitude) + Math.max(Math.abs(south), Math.abs(south + bandDegrees))) / 2, 90);
    const width = kilometers / (kilometersPerDegreeEast * Math.max(Math.cos(farthest * radiansPerDegree), 1e-9));
    const visitStretch = (west: number, east: number) => {
      for (let i = this.#firstAtLeast(first, end, west); i < end && (this.longitudes[i] as number) <= east; i++) {
        if (!mayPass(i)) continue;
        const distance = distanceKilometers(
          longitude,
          latitude,
          this.longitudes[i] as number,
          this.latitudes[i] as number,
        );
        if (distance <= kilometers) visit(i, distance);
      }
    };
    if (width >= 180) {
      visitStretch(-Infinity, Infinity);
      return;
    }
    visitStretch(longitude - width, longitude + width);
    // the same circle seen across the 180th meridian
    if (longitude - width < -180) visitStretch(longitude - width + 360, Infinity);
    if (longitude + width > 180) visitStretch(-Infinity, longitude + width - 360);
  }

  /** Calls `visit` with every position in a box of degrees, its bounds included. */
  forEachInBox({ west, east, south, north }: DegreeBox, visit: (position: number) => void): void {
    const lastBand = bandOf(north);
    for (let band = bandOf(south); band <= lastBand; band++) {
      const end = this.#firstOfBand[band + 1] as number;
      let i = this.#firstAtLeast(this.#firstOfBand[band] as number, end, west);
      for (; i < end && (this.longitudes[i] as number) <= east; i++) {
        const latitude = this.latitudes[i] as number;
        if (latitude >= south && latitude <= north) visit(i);
      }
    }
  }

  #firstAtLeast(first: number, end: number, longitude: number): number {
    let low = first;
    let high = end;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.longitudes[middle] as number) < longitude) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
