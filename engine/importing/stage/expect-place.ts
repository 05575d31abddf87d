/** Checks that parcels lie in their county. */
import { boundsOverlap, planarRingArea } from '../../geo/geometry.ts';
import { holdsPoint } from '../../geo/holds-point.ts';
import { EngineError } from '../../spec/errors.ts';
import { countyAt, type Outline, outlineOfCounty } from '../../store/county-outlines.ts';
import type { OtherCounty } from './import-report.ts';

/** West, east, south, north in degrees, with a margin. */
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
/** The synthetic sample belongs to no state. */
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
  /** Longitude and latitude of some. */
  readonly sample: readonly (readonly [number, number])[];
}

/** Parcels of a cell, and the location of its first. */
interface CellCount {
  count: number;
  readonly longitude: number;
  readonly latitude: number;
}

/** Degrees. */
const cellSize = 0.25;
/**
 * Degrees around the county's box. A neighbor's parcels pass; those of another state, or of a wrong coordinate system,
 * do not.
 */
const roomAround = 1.5;
/** Evenly sampled in file order. */
const mostSampled = 256;
/** Largest share of the sampled parcels inside their county in a neighbor's file: outlines are coarse at the border. */
const shareAtBorder = 0.05;
const cellsAround = 360 / cellSize;
const cellOf = (longitude: number, latitude: number): number =>
  Math.floor((latitude + 90) / cellSize) * cellsAround + Math.floor((longitude + 180) / cellSize);

function boundsOfCell(cell: number) {
  const minX = (cell % cellsAround) * cellSize - 180;
  const minY = Math.floor(cell / cellsAround) * cellSize - 90;
  return { minX, minY, maxX: minX + cellSize, maxY: minY + cellSize };
}

/** The coarse outline of some small cities is only a line. */
const hasArea = ({ polygons }: Outline): boolean =>
  polygons.some(([outer]) => outer !== undefined && planarRingArea(outer) !== 0);

/** The points of parcels, in sequence. */
export class PlaceCount {
  #placed = 0;
  #inside = 0;
  #swapped = 0;
  #west = Number.POSITIVE_INFINITY;
  #east = Number.NEGATIVE_INFINITY;
  #south = Number.POSITIVE_INFINITY;
  #north = Number.NEGATIVE_INFINITY;
  readonly #cells = new Map<number, CellCount>();
  #sample: (readonly [number, number])[] = [];
  #sampleEach = 1;

  add(longitude: number, latitude: number): void {
    if (this.#placed % this.#sampleEach === 0) this.#addSample(longitude, latitude);
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

  /** Once there are too many, drops every other one and halves the sampling rate. */
  #addSample(longitude: number, latitude: number): void {
    this.#sample.push([longitude, latitude]);
    if (this.#sample.length <= mostSampled) return;
    this.#sample = this.#sample.filter((_, i) => i % 2 === 0);
    this.#sampleEach *= 2;
  }

  #addCell(cell: number, counted: CellCount): void {
    const known = this.#cells.get(cell);
    if (known) known.count += counted.count;
    else this.#cells.set(cell, { ...counted });
  }

  summary(): PlaceSummary {
    const box = [this.#west, this.#east, this.#south, this.#north] as const;
    return {
      placed: this.#placed,
      inside: this.#inside,
      swapped: this.#swapped,
      box,
      cells: this.#cells,
      sample: this.#sample,
    };
  }

  /** Threads read about the same amount: their samples have equal weight. */
  addAll({ placed, inside, swapped, box: [west, east, south, north], cells, sample }: PlaceSummary): void {
    this.#sample.push(...sample);
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
   * More than half of the parcels must lie in the United States: a few at 0, 0 are separate mistakes.
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
   * At least half of the parcels must lie near the county: a wrong code would give a whole county a wrong name, state
   * and neighbors, and another county's file would retire it. Outlines are too coarse to refuse a neighbor's
   * (`otherCounty`).
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
      `${this.#placed - near} of the ${this.#placed} parcels of ${source} lie far from ${county.name} (${fips}), most of them around longitude ${longitude.toFixed(3)}, latitude ${latitude.toFixed(3)}${there}. Give the code of their own county ("platbook sources NAME" finds it), or the coordinate system of the file (--crs) if it names a wrong one.`,
    );
  }
  /** Another county that holds most of the parcels while next to none lies in its own; null: none, or no outline. */
  otherCounty(fips: string): OtherCounty | null {
    const county = outlineOfCounty(fips);
    if (!county || this.#sample.length === 0 || !hasArea(county)) return null;
    const found = new Map<Outline | undefined, number>();
    for (const [longitude, latitude] of this.#sample) {
      const there = holdsPoint(county.polygons, longitude, latitude) ? county : countyAt(longitude, latitude);
      found.set(there, (found.get(there) ?? 0) + 1);
    }
    const [of, inside] = [this.#sample.length, found.get(county) ?? 0];
    if (inside > shareAtBorder * of) return null;
    const [other, there] = [...found].reduce((most, one) => (one[1] > most[1] ? one : most));
    return other && there * 2 >= of ? { fips: other.fips, name: other.name, there, inside, of } : null;
  }
}
