/** Whether parcels lie where a county can. (Against the county's own outline is a later step.) */
import { EngineError } from '../spec/errors.ts';

/** West, east, south, north in degrees, with room around. */
const usBoxes: readonly (readonly [number, number, number, number])[] = [
  // The states, Puerto Rico and the Virgin Islands.
  [-180, -64, 17, 72],
  // The Aleutians beyond the antimeridian.
  [172, 180, 50, 54],
  // Guam and the Northern Mariana Islands.
  [144, 147, 13, 21],
  // American Samoa.
  [-172, -168, -15, -10],
];
/** The synthetic sample is of no state. */
const sampleFips = '99001';

/** Roughly: whether a place can be in a county. */
export const isInUs = (longitude: number, latitude: number): boolean =>
  usBoxes.some(
    ([west, east, south, north]) => longitude >= west && longitude <= east && latitude >= south && latitude <= north,
  );

/** The same as numbers, for another thread. */
export interface PlaceSummary {
  readonly placed: number;
  readonly inside: number;
  readonly swapped: number;
  /** West, east, south, north. */
  readonly box: readonly [number, number, number, number];
}

/** Where the points of parcels lie, one after the other. */
export class PlaceCount {
  #placed = 0;
  #inside = 0;
  #swapped = 0;
  #west = Number.POSITIVE_INFINITY;
  #east = Number.NEGATIVE_INFINITY;
  #south = Number.POSITIVE_INFINITY;
  #north = Number.NEGATIVE_INFINITY;

  add(longitude: number, latitude: number): void {
    this.#placed++;
    if (isInUs(longitude, latitude)) this.#inside++;
    else if (isInUs(latitude, longitude)) this.#swapped++;
    this.#west = Math.min(this.#west, longitude);
    this.#east = Math.max(this.#east, longitude);
    this.#south = Math.min(this.#south, latitude);
    this.#north = Math.max(this.#north, latitude);
  }

  summary(): PlaceSummary {
    const box = [this.#west, this.#east, this.#south, this.#north] as const;
    return { placed: this.#placed, inside: this.#inside, swapped: this.#swapped, box };
  }

  addAll({ placed, inside, swapped, box: [west, east, south, north] }: PlaceSummary): void {
    this.#placed += placed;
    this.#inside += inside;
    this.#swapped += swapped;
    this.#west = Math.min(this.#west, west);
    this.#east = Math.max(this.#east, east);
    this.#south = Math.min(this.#south, south);
    this.#north = Math.max(this.#north, north);
  }

  /**
   * More than half of the parcels must lie in the United States: a few at 0, 0 are mistakes of their own.
   * @param source what was read, as refusals name it
   * @throws EngineError import_refused
   */
  expectUnitedStates(fips: string, source: string): void {
    if (fips === sampleFips || this.#placed === 0 || this.#inside * 2 > this.#placed) return;
    const longitude = ((this.#west + this.#east) / 2).toFixed(4);
    const latitude = ((this.#south + this.#north) / 2).toFixed(4);
    const why =
      this.#swapped * 2 > this.#placed
        ? 'Longitude and latitude seem to be swapped: GeoJSON positions are longitude, latitude.'
        : 'Longitude and latitude may be swapped, or the coordinates projected: GeoJSON positions are longitude, latitude in EPSG:4326.';
    throw new EngineError(
      'import_refused',
      `The parcels of ${source} lie around longitude ${longitude}, latitude ${latitude}, outside the United States. ${why}`,
    );
  }
}
