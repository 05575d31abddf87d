/** Whether parcels lie where their county does. */
import { boundsOverlap } from '../geo/geometry.ts';
import { EngineError } from '../spec/errors.ts';
import { countyAt, outlineOfCounty } from '../store/county-outlines.ts';

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
  readonly cells: ReadonlyMap<number, CellCount>;
}

/** Parcels of a cell, and where its first lies. */
interface CellCount {
  count: number;
  readonly longitude: number;
  readonly latitude: number;
}

/** Degrees. */
const cellSize = 0.25;
/** Degrees around the county's box. A neighbour's parcels may pass; those of another state, or of a wrong coordinate system, do not. */
const roomAround = 1.5;
const cellsAround = 360 / cellSize;
const cellOf = (longitude: number, latitude: number): number =>
  Math.floor((latitude + 90) / cellSize) * cellsAround + Math.floor((longitude + 180) / cellSize);

function boundsOfCell(cell: number) {
  const minX = (cell % cellsAround) * cellSize - 180;
  const minY = Math.floor(cell / cellsAround) * cellSize - 90;
  return { minX, minY, maxX: minX + cellSize, maxY: minY + cellSize };
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
  readonly #cells = new Map<number, CellCount>();

  add(longitude: number, latitude: number): void {
    this.#placed++;
    const cell = cellOf(longitude, latitude);
    const known = this.#cells.get(cell);
    if (known) known.count++;
    else this.#cells.set(cell, { count: 1, longitude, latitude });
    if (isInUs(longitude, latitude)) this.#inside++;
    else if (isInUs(latitude, longitude)) this.#swapped++;
    this.#west = Math.min(this.#west, longitude);
    this.#east = Math.max(this.#east, longitude);
    this.#south = Math.min(this.#south, latitude);
    this.#north = Math.max(this.#north, latitude);
  }

  #addCell(cell: number, counted: CellCount): void {
    const known = this.#cells.get(cell);
    if (known) known.count += counted.count;
    else this.#cells.set(cell, { ...counted });
  }

  summary(): PlaceSummary {
    const box = [this.#west, this.#east, this.#south, this.#north] as const;
    return { placed: this.#placed, inside: this.#inside, swapped: this.#swapped, box, cells: this.#cells };
  }

  addAll({ placed, inside, swapped, box: [west, east, south, north], cells }: PlaceSummary): void {
    for (const [cell, counted] of cells) this.#addCell(cell, counted);
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

  /**
   * At least half of the parcels must lie where the county does: a wrong code would give a whole county a wrong name, state
   * and neighbours, and a file of another would retire it.
   * @throws EngineError import_refused
   */
  expectCounty(fips: string, source: string): void {
    const county = outlineOfCounty(fips);
    if (!county || this.#placed === 0) return;
    const { minX, minY, maxX, maxY } = county.box;
    const around = {
      minX: minX - roomAround,
      minY: minY - roomAround,
      maxX: maxX + roomAround,
      maxY: maxY + roomAround,
    };
    let near = 0;
    for (const [cell, { count }] of this.#cells) if (boundsOverlap(boundsOfCell(cell), around)) near += count;
    if (near * 2 >= this.#placed) return;
    const { longitude, latitude } = [...this.#cells.values()].reduce((most, one) =>
      one.count > most.count ? one : most,
    );
    const other = countyAt(longitude, latitude);
    const there = other ? `, in ${other.name} (${other.fips})` : '';
    throw new EngineError(
      'import_refused',
      `${this.#placed - near} of the ${this.#placed} parcels of ${source} lie far from ${county.name} (${fips}), most of them around longitude ${longitude.toFixed(3)}, latitude ${latitude.toFixed(3)}${there}. Give the code of their own county ("platbook sources NAME" finds it), or the coordinate system of the file (--crs), where it names a wrong one.`,
    );
  }
}
