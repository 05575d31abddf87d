/**
 * Shapes of formats with flat coordinate numbers, read without an array per vertex. They get the same checks and
 * repairs as GeoJSON (`geojson-geometry.ts`).
 */
import { cutAt180 } from './across-180.ts';
import {
  besidePolygons,
  describeRepairs,
  type GeoJsonGeometryResult,
  mendRing,
  multiPolygonFromGeoJson,
  type Repairs,
} from './geojson-geometry.ts';
import { type GeoJsonLinesResult, linesFromGeoJson } from './geojson-lines.ts';
import { type MultiPolygon, maxLatitude, maxLongitude, type PolygonRings } from './geometry.ts';

/** Replaces a GeoJSON geometry: rings or lines of degrees (open, short or empty ones too), a point, or a problem. */
interface FlatShape {
  /** Per polygon the exterior, then the holes; each `[x0, y0, x1, y1, …]`. */
  readonly polygons: readonly (readonly Float64Array[])[] | null;
  /** For a road: each `[x0, y0, x1, y1, …]`. A parcel has none, unless its outline was drawn as a closed line. */
  readonly lines: readonly Float64Array[] | null;
  /** longitude, latitude */
  readonly point: readonly [number, number] | null;
  /** Why the shape cannot be read: a sentence. */
  readonly problem: string | null;
  /** What became of it while it was read. */
  readonly notes: readonly string[];
}

/** Rings of polygons, lines, and points, each `[x0, y0, …]` in degrees. */
export interface ShapeParts {
  polygons: Float64Array[][];
  readonly lines: Float64Array[];
  readonly points: Float64Array[];
}

const none: readonly string[] = [];

/** A class, so that a file's GeoJSON cannot pass for it. */
export class FlatGeometry implements FlatShape {
  readonly polygons: FlatShape['polygons'];
  readonly lines: FlatShape['lines'];
  readonly point: FlatShape['point'];
  readonly problem: string | null;
  readonly notes: readonly string[];

  private constructor(shape: Partial<FlatShape>) {
    const { polygons = null, lines = null, point = null, problem = null, notes = none } = shape;
    this.notes = notes;
    this.polygons = polygons;
    this.lines = lines;
    this.point = point;
    this.problem = problem;
  }

  static ofPolygons(polygons: readonly (readonly Float64Array[])[], notes = none): FlatGeometry {
    return new FlatGeometry({ polygons, notes });
  }

  /** What a collection has: its polygons, else its lines, else its only point. Null if it is empty. */
  static ofParts({ polygons, lines, points }: ShapeParts, told: readonly string[] = none): FlatGeometry | null {
    if (polygons.length > 0)
      return FlatGeometry.ofPolygons(polygons, lines.length + points.length > 0 ? [...told, besidePolygons] : told);
    if (lines.length > 0) return FlatGeometry.ofLines(lines);
    const [point] = points;
    if (point === undefined) return null;
    if (points.length === 1) return FlatGeometry.ofPoint(point[0] as number, point[1] as number);
    return FlatGeometry.ofProblem(`Expected a polygon, a line or a point, found ${points.length} points.`);
  }

  static ofLines(lines: readonly Float64Array[]): FlatGeometry {
    return new FlatGeometry({ lines });
  }

  /** Lines that end where they begin: lines for a layer of lines, areas for everything else. */
  static ofClosedLines(lines: readonly Float64Array[]): FlatGeometry {
    return new FlatGeometry({ lines, polygons: lines.map((line) => [line]) });
  }

  static ofPoint(longitude: number, latitude: number): FlatGeometry {
    return new FlatGeometry({ point: [longitude, latitude] });
  }

  /** Two zeros, as exports write an unknown place: no geometry. */
  static readonly zeros = new FlatGeometry({});

  static ofProblem(problem: string): FlatGeometry {
    return new FlatGeometry({ problem });
  }
}

/** The geometry of a parcel, or of a layer of areas, in any format: GeoJSON, a `FlatGeometry`, or null. */
export function readFeatureGeometry(geometry: unknown): GeoJsonGeometryResult {
  const read = geometry instanceof FlatGeometry ? readFlatGeometry(geometry) : multiPolygonFromGeoJson(geometry);
  if (!read.ok || read.polygons === null) return read;
  const polygons = cutAt180(read.polygons);
  return polygons === read.polygons ? read : { ...read, polygons, notes: [...(read.notes ?? none), cutNote] };
}
const cutNote = 'cut at longitude 180';

/** The lines of a line layer's feature, in any format; lines of one vertex are dropped. */
export const readFeatureLines = (geometry: unknown): GeoJsonLinesResult =>
  geometry instanceof FlatGeometry ? readFlatLines(geometry) : linesFromGeoJson(geometry);

function readFlatLines({ polygons, lines, problem }: FlatShape): GeoJsonLinesResult {
  if (problem !== null) return { ok: false, problem };
  if (lines === null) {
    return {
      ok: false,
      problem: `Expected a LineString or MultiLineString, found ${polygons ? 'a polygon' : 'a point'}.`,
    };
  }
  const outside = findOutsideOfAny(lines);
  return outside === null
    ? { ok: true, lines: lines.filter(({ length }) => length >= 4) }
    : { ok: false, problem: outside };
}

function readFlatGeometry({ polygons, lines, point, problem, notes }: FlatShape): GeoJsonGeometryResult {
  if (problem !== null) return { ok: false, problem };
  if (lines !== null && polygons === null)
    return { ok: false, problem: 'Expected a Polygon, MultiPolygon or Point, found a line.' };
  const outside = point ? findOutside(point) : findOutsideOfAny((polygons ?? []).flat());
  if (outside !== null) return { ok: false, problem: outside };
  if (point) return { ok: true, polygons: null, point, repairs: [] };
  const repairs: Repairs = { closed: 0, tooShort: 0, withoutArea: 0, polygons: 0 };
  const usable: PolygonRings[] = [];
  for (const rings of polygons ?? []) {
    const polygon = mendPolygon(rings, repairs);
    if (polygon) usable.push(polygon);
  }
  const kept: MultiPolygon | null = usable.length > 0 ? usable : null;
  return { ok: true, polygons: kept, point: null, repairs: describeRepairs(repairs), notes };
}

function findOutsideOfAny(paths: readonly Float64Array[]): string | null {
  for (const path of paths) {
    const outside = findOutside(path);
    if (outside !== null) return outside;
  }
  return null;
}

function findOutside(coordinates: ArrayLike<number>): string | null {
  for (let index = 0; index < coordinates.length; index += 2) {
    const x = coordinates[index] as number;
    const y = coordinates[index + 1] as number;
    // Also true for NaN.
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
