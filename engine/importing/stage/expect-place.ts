/** Checks that parcels lie in their county. */
import { planarRingArea } from '../../geo/geometry.ts';
import { EngineError } from '../../spec/errors.ts';
import { countyAt, isInCounty, type Outline, outlineOfCounty, type Place } from '../../store/county-outlines.ts';
import { EvenSample } from './even-sample.ts';
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
export const sampleFips = '99001';

/** Roughly: whether a place can be in a county. */
export const isInUs = (longitude: number, latitude: number): boolean =>
  usBoxes.some(
    ([west, east, south, north]) => longitude >= west && longitude <= east && latitude >= south && latitude <= north,
  );

export type Misplaced = 'zero' | 'swapped' | 'outside' | 'far';

/** Degrees around 0, 0: no parcel lies in the sea off Africa. */
const nearZero = 0.01;

/** Why a place cannot be that of a parcel or of a sale; null: it can. */
export function misplaced(longitude: number, latitude: number): Misplaced | null {
  if (isInUs(longitude, latitude)) return null;
  if (Math.abs(longitude) < nearZero && Math.abs(latitude) < nearZero) return 'zero';
  return isInUs(latitude, longitude) ? 'swapped' : 'outside';
}

/** Degrees around the county's box: farther off no shape of its file can belong to it. */
const farFromCounty = 0.5;
/** Largest share of a file's shapes that may be misplaced; so few are listed alone, however small the file. */
const strayShare = 0.05;
const fewestStrays = 3;

/** Evenly sampled in file order. */
const mostSampled = 256;
/** Degrees around the county's box: a place in no county lies off its coast, or is wrong. */
const roomAround = 1.5;
/** Largest share of the checked parcels that may lie in another county without a word. */
const shareAtBorder = 0.05;

/** What is known of the checked places, beside a county. */
interface PlaceJudgement {
  readonly county: Outline;
  /** Inside the outline. */
  readonly exactly: number;
  /** Inside, or as near as the outline may be wrong. */
  readonly inside: number;
  readonly of: number;
  /** What holds most of those outside the outline. */
  readonly most: Elsewhere | null;
}

interface Elsewhere {
  /** Undefined: no county. */
  readonly other: Outline | undefined;
  /** How many lie there, and of them, how many too far from the county for its outline to be wrong. */
  there: number;
  far: number;
  readonly first: Place;
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
  readonly #sample = new EvenSample<Place>(mostSampled);
  readonly #county: Outline | undefined;
  #shapes = 0;
  #strays = 0;

  /** @param county from which shapes may not lie far off; undefined: anywhere in the United States */
  constructor(county?: Outline) {
    this.#county = county;
  }

  /** Why a shape cannot be of the county, by one place of each of its polygons, and which; null: it can. */
  stray(places: readonly Place[]): { readonly why: Misplaced; readonly place: Place } | null {
    this.#shapes++;
    for (const place of places) {
      const why = misplaced(...place) ?? (this.#county && isFarFrom(this.#county, place) ? 'far' : null);
      if (why === null) continue;
      this.#strays++;
      return { why, place };
    }
    return null;
  }

  /**
   * Few shapes may be misplaced: more of them are a wrong county or coordinate system, not mistakes of drawing.
   * @throws EngineError import_refused
   */
  expectFewStrays(source: string): void {
    if (this.#strays < fewestStrays || this.#strays <= strayShare * this.#shapes) return;
    const where = this.#county ? `far from ${this.#county.name}, or where no parcel lies` : 'where no parcel lies';
    throw new EngineError(
      'import_refused',
      `${this.#strays} of the ${this.#shapes} shapes of ${source} lie ${where}: more than 1 of ${Math.round(1 / strayShare)}. Each is listed among the problems of a trial run. Correct the file, give the code of its own county (--county) or its coordinate system (--crs); with --anywhere it is imported as it is.`,
    );
  }

  add(longitude: number, latitude: number): void {
    this.#sample.add([longitude, latitude]);
    this.#placed++;
    if (isInUs(longitude, latitude)) this.#inside++;
    else if (isInUs(latitude, longitude)) this.#swapped++;
    this.#west = Math.min(this.#west, longitude);
    this.#east = Math.max(this.#east, longitude);
    this.#south = Math.min(this.#south, latitude);
    this.#north = Math.max(this.#north, latitude);
  }

  /** Of some parcels, evenly over the files. */
  get sample(): readonly Place[] {
    return this.#sample.kept;
  }

  /**
   * More than half of the parcels must lie in the United States; a few elsewhere are counted one by one (`misplaced`).
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
   * At least half of the checked parcels must lie in the county: a wrong code would give a whole county a wrong name,
   * state and neighbors, and another county's file would retire it.
   * @param fewest with fewer checked parcels nothing is refused
   * @throws EngineError import_refused
   */
  expectCounty(fips: string, source: string, fewest = 1): void {
    const judged = this.#judge(fips);
    if (!judged || judged.of < fewest || judged.inside * 2 >= judged.of || judged.most === null) return;
    const { county, inside, of, most } = judged;
    const [longitude, latitude] = most.first;
    const there = most.other
      ? `${most.far} lie in ${most.other.name} (${most.other.fips})`
      : `${most.far} lie in no county, around longitude ${longitude.toFixed(3)}, latitude ${latitude.toFixed(3)}`;
    throw new EngineError(
      'import_refused',
      `${inside} of the ${of} checked parcels of ${source} lie in ${county.name} (${fips}); ${there}. Give the code of their own county${most.other ? ` (--county ${most.other.fips})` : ''}, or the coordinate system of the file (--crs) if it names a wrong one. If they are of ${county.name} all the same, import them with --anywhere.`,
    );
  }

  /**
   * Another county that holds more of the checked parcels than the county, or than a border explains; null: none, or no
   * outline.
   */
  otherCounty(fips: string): OtherCounty | null {
    const judged = this.#judge(fips);
    if (!judged?.most?.other) return null;
    const { county, exactly, of } = judged;
    const { other, there, far } = judged.most;
    return (there > exactly && hasArea(county)) || far > shareAtBorder * of
      ? { fips: other.fips, name: other.name, there, inside: exactly, of }
      : null;
  }

  /** Null without an outline, or without places. */
  #judge(fips: string): PlaceJudgement | null {
    const county = outlineOfCounty(fips);
    if (!county || this.#placed === 0) return null;
    const { minX, minY, maxX, maxY } = county.box;
    const around = [minX - roomAround, minY - roomAround, maxX + roomAround, maxY + roomAround] as const;
    const elsewhere = new Map<Outline | undefined, Elsewhere>();
    let [exactly, inside, of] = [0, 0, 0];
    for (const place of this.#sample.kept) {
      const other = countyAt(...place);
      const isInside = other === county || isInCounty(county, place);
      // Off the coast of the coarse outlines nothing is known.
      if (!other && !isInside && liesWithin(around, place)) continue;
      of++;
      if (isInside) inside++;
      if (other === county) exactly++;
      else addElsewhere(elsewhere, other, place, !isInside);
    }
    const [most = null] = [...elsewhere.values()].sort((a, b) => b.far - a.far || b.there - a.there);
    return { county, exactly, inside, of, most };
  }
}

function addElsewhere(
  elsewhere: Map<Outline | undefined, Elsewhere>,
  other: Outline | undefined,
  place: Place,
  isFar: boolean,
): void {
  const known = elsewhere.get(other) ?? { other, there: 0, far: 0, first: place };
  known.there++;
  if (isFar) known.far++;
  elsewhere.set(other, known);
}

/** Of counties on both sides of longitude 180 the outline has one. */
function isFarFrom({ box: { minX, minY, maxX, maxY } }: Outline, [longitude, latitude]: Place): boolean {
  const around = [minX - farFromCounty, minY - farFromCounty, maxX + farFromCounty, maxY + farFromCounty] as const;
  return ![0, -360, 360].some((turn) => liesWithin(around, [longitude + turn, latitude]));
}

const liesWithin = (
  [west, south, east, north]: readonly [number, number, number, number],
  [longitude, latitude]: Place,
): boolean => longitude >= west && longitude <= east && latitude >= south && latitude <= north;
