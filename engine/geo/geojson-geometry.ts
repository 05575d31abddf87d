/** Converts GeoJSON geometry (RFC 7946) of unknown origin to the engine's shapes: checks it and repairs simple faults. */
import { evenOddPolygons } from './even-odd.ts';
import {
  type MultiPolygon,
  maxLatitude,
  maxLongitude,
  type PolygonRings,
  planarRingArea,
  type Ring,
} from './geometry.ts';

/**
 * At most one of `polygons` and `point` is not null; neither if the feature has no geometry or nothing of it is left.
 * `repairs` lists repairs as sentences, `notes` what else became of the shape; `problem` says what was found and expected.
 */
export type GeoJsonGeometryResult =
  | {
      readonly ok: true;
      readonly polygons: MultiPolygon | null;
      /** longitude, latitude */
      readonly point: readonly [number, number] | null;
      readonly repairs: readonly string[];
      readonly notes?: readonly string[];
    }
  | { readonly ok: false; readonly problem: string };

const maxFoundCharacters = 40;
/** A triangle with its first point repeated, in numbers. */
const minRingNumbers = 8;

/** Numbers of repairs by kind. */
export interface Repairs {
  closed: number;
  tooShort: number;
  withoutArea: number;
  polygons: number;
}

/** Thrown and caught in this file only: problems lie four array levels deep. */
class GeometryProblem extends Error {}

/**
 * Polygon and MultiPolygon become polygons, Point a point, null nothing; heights are dropped. Open rings are closed, rings
 * with fewer than four points or without area dropped (a polygon goes with its exterior). Duplicate vertices stay. A
 * collection is its polygons, or its only member. Any other type, and coordinates that are not finite degrees, are a problem.
 */
export function multiPolygonFromGeoJson(geometry: unknown): GeoJsonGeometryResult {
  if (geometry === null || geometry === undefined) return { ok: true, polygons: null, point: null, repairs: [] };
  try {
    return readGeometry(geometry);
  } catch (error) {
    if (error instanceof GeometryProblem) return { ok: false, problem: error.message };
    throw error;
  }
}

function readGeometry(geometry: unknown): GeoJsonGeometryResult {
  const { type, coordinates } = asRecord(geometry);
  const members = type === 'GeometryCollection' ? membersOf(geometry) : [];
  if (members.length > 0) return readCollection(members);
  if (type === 'Point') {
    return { ok: true, polygons: null, point: readPosition(coordinates), repairs: [] };
  }
  if (type !== 'Polygon' && type !== 'MultiPolygon') {
    throw new GeometryProblem(`Expected a Polygon, MultiPolygon or Point, found ${show(type)}.`);
  }
  const repairs: Repairs = { closed: 0, tooShort: 0, withoutArea: 0, polygons: 0 };
  const parts = type === 'Polygon' ? [coordinates] : asArray(coordinates, 'polygons');
  const polygons = parts.map((part) => readPolygon(part, repairs)).filter((polygon) => polygon !== null);
  return { ok: true, polygons: polygons.length > 0 ? polygons : null, point: null, repairs: describeRepairs(repairs) };
}

const isArea = (member: unknown): boolean => /^(?:Multi)?Polygon$/.test(String(asRecord(member).type));

function readCollection(members: readonly unknown[]): GeoJsonGeometryResult {
  const [only] = members;
  if (members.length === 1 && asRecord(only).type !== 'GeometryCollection') return readGeometry(only);
  const areas = members.filter(isArea);
  if (areas.length === 0) {
    throw new GeometryProblem(`Expected a polygon in the GeometryCollection, found ${members.length} other shapes.`);
  }
  const coordinates = areas
    .map(asRecord)
    .flatMap((area) => (area.type === 'Polygon' ? [area.coordinates] : asArray(area.coordinates, 'polygons')));
  const result = readGeometry({ type: 'MultiPolygon', coordinates });
  return areas.length === members.length || !result.ok ? result : { ...result, notes: [besidePolygons] };
}

/** The report's words for a collection that also has points or lines. */
export const besidePolygons = 'points or lines beside the polygons left out';

/** Collections within collections are no mistake, but none is that deep. */
const deepest = 8;

/** The shapes of a collection, of collections in it too; of any other geometry the geometry. */
export function membersOf(geometry: unknown, depth = 0): readonly unknown[] {
  const { type, geometries } = Object(geometry) as { type?: unknown; geometries?: unknown };
  if (type !== 'GeometryCollection' || !Array.isArray(geometries) || depth > deepest) return [geometry];
  return (geometries as unknown[]).flatMap((member) => membersOf(member, depth + 1));
}

function readPolygon(value: unknown, repairs: Repairs): PolygonRings | null {
  const [exterior, ...holes] = asArray(value, 'rings').map((ring) => readRing(ring, repairs));
  if (exterior === undefined || exterior === null) {
    repairs.polygons++;
    return null;
  }
  return [exterior, ...holes.filter((hole) => hole !== null)];
}

function readRing(value: unknown, repairs: Repairs): Ring | null {
  const positions = asArray(value, 'positions');
  const given = new Float64Array(positions.length * 2);
  for (let index = 0; index < positions.length; index++) writePosition(positions[index], given, index * 2);
  return mendRing(given, repairs);
}

/** Closes an open ring; null, and counted, if it is not a ring. @param given vertices in range */
export function mendRing(given: Float64Array, repairs: Repairs): Ring | null {
  const isOpen = given[0] !== given.at(-2) || given[1] !== given.at(-1);
  const ring = isOpen ? closed(given) : given;
  if (ring.length < minRingNumbers) {
    repairs.tooShort++;
    return null;
  }
  // The halves of a symmetric bow tie cancel; it still encloses an area and is repaired later.
  if (planarRingArea(ring) === 0 && evenOddPolygons([ring]) === null) {
    repairs.withoutArea++;
    return null;
  }
  if (isOpen) repairs.closed++;
  return ring;
}

function closed(given: Float64Array): Float64Array {
  const ring = new Float64Array(given.length + 2);
  ring.set(given);
  ring.set(given.subarray(0, 2), given.length);
  return ring;
}

/** Writes in place: a county has ten million positions, too many for an array each. */
function writePosition(value: unknown, ring: Float64Array, at: number): void {
  const numbers = asArray(value, 'numbers');
  ring[at] = readOrdinate(numbers[0], 'longitude', maxLongitude);
  ring[at + 1] = readOrdinate(numbers[1], 'latitude', maxLatitude);
}

function readPosition(value: unknown): [number, number] {
  const [longitude, latitude] = asArray(value, 'numbers');
  return [readOrdinate(longitude, 'longitude', maxLongitude), readOrdinate(latitude, 'latitude', maxLatitude)];
}

function readOrdinate(value: unknown, name: string, limit: number): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    throw new GeometryProblem(`Expected a finite ${name} in degrees, found ${show(value)}.`);
  }
  if (Math.abs(value) > limit) {
    throw new GeometryProblem(
      `Expected a ${name} from -${limit} to ${limit} degrees, found ${value}. ` +
        'Projected coordinates (feet, meters) must be reprojected to EPSG:4326 first; positions are longitude, latitude.',
    );
  }
  return value;
}

function asRecord(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new GeometryProblem(`Expected a GeoJSON geometry object, found ${show(value)}.`);
  }
  return { ...value };
}

function asArray(value: unknown, things: string): unknown[] {
  if (!Array.isArray(value)) throw new GeometryProblem(`Expected an array of ${things}, found ${show(value)}.`);
  return value;
}

function show(value: unknown): string {
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > maxFoundCharacters ? `${text.slice(0, maxFoundCharacters - 1)}…` : text;
}

/** One sentence for each kind of repair. */
export function describeRepairs({ closed, tooShort, withoutArea, polygons }: Repairs): string[] {
  const repairs: string[] = [];
  const add = (count: number, thing: string, what: string): void => {
    if (count > 0) repairs.push(`${count} ${thing}${count === 1 ? '' : 's'} ${what}.`);
  };
  add(closed, 'ring', 'closed');
  add(tooShort, 'ring', 'with fewer than 4 points dropped');
  add(withoutArea, 'ring', 'without area dropped');
  add(polygons, 'polygon', 'without an exterior dropped');
  return repairs;
}
