/**
 * Comps in columns, ordered so that those around a place are found without looking at the others: bands of latitude from
 * south to north, and from west to east within a band. A circle is a few stretches of it, found by bisection.
 */
import type { ValueComp } from './value-types.ts';

/** Height of a band in degrees: 2.2 km, the smallest ring's radius, so that a ring meets few bands and few strangers. */
const bandDegrees = 0.02;
const bandCount = Math.round(180 / bandDegrees);

const kilometersPerDegreeEast = 111.32;
const kilometersPerDegreeNorth = 110.57;
const radiansPerDegree = Math.PI / 180;

/** Position of one place from another in kilometres, on the plane of their mean latitude (valuation.md 1). */
export interface Offset {
  readonly east: number;
  readonly north: number;
}

/** The shorter way round the world, in degrees. */
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

const isPositive = (value: number | null): value is number => value !== null && Number.isFinite(value) && value > 0;

export class CompIndex {
  /** In the order of the columns. Comps without a finite point are not in it. */
  readonly comps: readonly ValueComp[];
  readonly longitudes: Float64Array;
  readonly latitudes: Float64Array;
  /** ln(acres), ln(price / acre): NaN where a number is missing or not positive. */
  readonly logAcres: Float64Array;
  readonly logPricesPerAcre: Float64Array;
  readonly hasPrice: Uint8Array;
  /** NaN where null. */
  readonly dates: Float64Array;
  readonly propertyIds: Float64Array;
  /** A number per distinct use; -1 where null. */
  readonly uses: Int32Array;
  readonly #useNumbers = new Map<string, number>();
  readonly #firstOfBand = new Int32Array(bandCount + 1);

  constructor(comps: Iterable<ValueComp>) {
    const placed = [...comps].filter(
      ({ longitude, latitude }) => Number.isFinite(longitude) && Number.isFinite(latitude),
    );
    const order = Array.from(placed, (comp) => ({ comp, band: bandOf(comp.latitude) })).sort(
      (a, b) => a.band - b.band || a.comp.longitude - b.comp.longitude,
    );
    const column = (read: (comp: ValueComp) => number) => Float64Array.from(order, ({ comp }) => read(comp));
    this.comps = order.map(({ comp }) => comp);
    this.longitudes = column((comp) => comp.longitude);
    this.latitudes = column((comp) => comp.latitude);
    this.logAcres = column(({ acres }) => (isPositive(acres) ? Math.log(acres) : Number.NaN));
    this.logPricesPerAcre = column(({ acres, price }) =>
      isPositive(price) && isPositive(acres) ? Math.log(price / acres) : Number.NaN,
    );
    this.hasPrice = Uint8Array.from(order, ({ comp }) => (isPositive(comp.price) ? 1 : 0));
    this.dates = column(({ date }) => date ?? Number.NaN);
    this.propertyIds = column(({ propertyId }) => propertyId ?? Number.NaN);
    this.uses = Int32Array.from(order, ({ comp }) => this.#useNumber(comp.use));
    for (const { band } of order) this.#firstOfBand[band + 1] = (this.#firstOfBand[band + 1] ?? 0) + 1;
    for (let band = 0; band < bandCount; band++) {
      this.#firstOfBand[band + 1] = (this.#firstOfBand[band + 1] ?? 0) + (this.#firstOfBand[band] ?? 0);
    }
  }

  #useNumber(use: string | null): number {
    if (use === null) return -1;
    const known = this.#useNumbers.get(use);
    if (known !== undefined) return known;
    this.#useNumbers.set(use, this.#useNumbers.size);
    return this.#useNumbers.size - 1;
  }

  /** The number of a use in `uses`; one that no comp has where no comp has this use; -1 for null. */
  numberOfUse(use: string | null): number {
    return use === null ? -1 : (this.#useNumbers.get(use) ?? this.#useNumbers.size);
  }

  /**
   * Calls `visit` with the position and distance of every comp within `kilometers`, in no promised order. `mayPass` spares
   * the distance of those that are not wanted wherever they are.
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
