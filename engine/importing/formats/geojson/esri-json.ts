/** The JSON of ArcGIS, what a county's map server answers: attributes, and rings that no polygon groups. */
import { groupRings } from '../shapefile/polygon-rings.ts';

type Position = readonly [number, number];

const isPosition = (value: unknown): value is Position =>
  Array.isArray(value) && Number.isFinite(value[0]) && Number.isFinite(value[1]);
const areLines = (value: unknown): value is Position[][] =>
  Array.isArray(value) && value.every((line) => Array.isArray(line) && line.every(isPosition));

const positionsOf = (ring: Float64Array): Position[] =>
  Array.from({ length: ring.length / 2 }, (_, at) => [ring[2 * at] as number, ring[2 * at + 1] as number]);

/** As GeoJSON; null without a place; undefined: none of the forms, as with curves. */
export function esriGeometry(geometry: unknown): object | null | undefined {
  const { rings, paths, points, x, y } = Object(geometry) as Record<string, unknown>;
  if (areLines(rings)) {
    const polygons = groupRings(rings.map((ring) => Float64Array.from(ring.flatMap(([east, north]) => [east, north]))));
    return rings.length === 0
      ? null
      : { type: 'MultiPolygon', coordinates: polygons.map((polygon) => polygon.map(positionsOf)) };
  }
  if (areLines(paths)) return { type: 'MultiLineString', coordinates: paths };
  if (Array.isArray(points) && points.every(isPosition)) return { type: 'MultiPoint', coordinates: points };
  if (isPosition([x, y])) return { type: 'Point', coordinates: [x, y] };
  // A feature without a place has no geometry, or `{"x": "NaN"}`.
  return geometry === null || geometry === undefined || 'x' in Object(geometry) ? null : undefined;
}

/** The system that `spatialReference` names: its newest number, else its text; null if none. */
export function esriSystem(value: unknown): string | null {
  const { latestWkid, wkid, wkt } = Object(value) as Record<string, unknown>;
  const code = latestWkid ?? wkid;
  if (typeof code === 'number') return `EPSG:${code}`;
  return typeof wkt === 'string' && wkt !== '' ? wkt : null;
}
