/**
 * Shapes of formats that give coordinates as numbers in a row: no array is made per vertex. They get the same checks and
 * repairs as GeoJSON (`geojson-geometry.ts`).
 */
import {
  describeRepairs,
  type GeoJsonGeometryResult,
  mendRing,
  multiPolygonFromGeoJson,
  type Repairs,
} from './geojson-geometry.ts';
import { type MultiPolygon, maxLatitude, maxLongitude, type PolygonRings } from './geometry.ts';

/** What stands in place of a GeoJSON geometry: rings of degrees (open, short or empty ones too), a point, or a problem. */
export interface FlatShape {
  /** Per polygon the exterior, then the holes; each `[x0, y0, x1, y1, …]`. */
  readonly polygons: readonly (readonly Float64Array[])[] | null;
  /** longitude, latitude */
  readonly point: readonly [number, number] | null;
  /** Why the shape can be none of a parcel: a sentence. */
  readonly problem: string | null;
}

/** A class, so that it cannot be mistaken for the GeoJSON of a file. */
export class FlatGeometry implements FlatShape {
  readonly polygons: FlatShape['polygons'];
  readonly point: FlatShape['point'];
  readonly problem: string | null;

  private constructor({ polygons, point, problem }: FlatShape) {
    this.polygons = polygons;
    this.point = point;
    this.problem = problem;
  }

  static ofPolygons(polygons: readonly (readonly Float64Array[])[]): FlatGeometry {
    return new FlatGeometry({ polygons, point: null, problem: null });
  }

  static ofPoint(longitude: number, latitude: number): FlatGeometry {
    return new FlatGeometry({ polygons: null, point: [longitude, latitude], problem: null });
  }

  static ofProblem(problem: string): FlatGeometry {
    return new FlatGeometry({ polygons: null, point: null, problem });
  }
}

/** The geometry of a feature of whatever format: GeoJSON, a `FlatGeometry`, or null. */
export const readFeatureGeometry = (geometry: unknown): GeoJsonGeometryResult =>
  geometry instanceof FlatGeometry ? readFlatGeometry(geometry) : multiPolygonFromGeoJson(geometry);

function readFlatGeometry({ polygons, point, problem }: FlatShape): GeoJsonGeometryResult {
  if (problem !== null) return { ok: false, problem };
  const outside = point ? findOutside(point) : findOutsideOfRings(polygons ?? []);
  if (outside !== null) return { ok: false, problem: outside };
  if (point) return { ok: true, polygons: null, point, repairs: [] };
  const repairs: Repairs = { closed: 0, tooShort: 0, withoutArea: 0, polygons: 0 };
  const usable: PolygonRings[] = [];
  for (const rings of polygons ?? []) {
    const polygon = mendPolygon(rings, repairs);
    if (polygon) usable.push(polygon);
  }
  const kept: MultiPolygon | null = usable.length > 0 ? usable : null;
  return { ok: true, polygons: kept, point: null, repairs: describeRepairs(repairs) };
}

function findOutsideOfRings(polygons: readonly (readonly Float64Array[])[]): string | null {
  for (const rings of polygons) {
    for (const ring of rings) {
      const outside = findOutside(ring);
      if (outside !== null) return outside;
    }
  }
  return null;
}

function findOutside(coordinates: ArrayLike<number>): string | null {
  for (let index = 0; index < coordinates.length; index += 2) {
    const x = coordinates[index] as number;
    const y = coordinates[index + 1] as number;
    // Also true of what is no number.
    if (Math.abs(x) <= maxLongitude && Math.abs(y) <= maxLatitude) continue;
    if (!(Number.isFinite(x) && Number.isFinite(y))) return `Expected finite coordinates, found ${x} ${y}.`;
    return (
      `Expected a longitude from -${maxLongitude} to ${maxLongitude} and a latitude from -${maxLatitude} to ${maxLatitude}, ` +
      `found ${x} ${y}. The coordinates are not in the system that the file names, or it names none.`
    );
  }
  return null;
}

function mendPolygon(rings: readonly Float64Array[], repairs: Repairs): PolygonRings | null {
  const [first, ...others] = rings;
  const exterior = first ? mendRing(first, repairs) : null;
  if (exterior === null) {
    repairs.polygons++;
    return null;
  }
  if (others.length === 0) return [exterior];
  return [exterior, ...others.map((ring) => mendRing(ring, repairs)).filter((ring) => ring !== null)];
}
