/** Converts GeoJSON lines (RFC 7946) of unknown origin to coordinates; anything else is reported as a problem. */
import { membersOf } from './geojson-geometry.ts';
import { maxLatitude, maxLongitude } from './geometry.ts';

export type GeoJsonLinesResult =
  | { readonly ok: true; readonly lines: readonly Float64Array[] }
  | { readonly ok: false; readonly problem: string };

/**
 * LineString, MultiLineString and those of a collection become lines `[x0, y0, x1, y1, …]` of at least two vertices; heights are dropped, lines of
 * one vertex too; null is no lines. Any other type, and coordinates that are not finite degrees, are a problem.
 */
export function linesFromGeoJson(geometry: unknown): GeoJsonLinesResult {
  if (geometry === null || geometry === undefined) return { ok: true, lines: [] };
  if (membersOf(geometry)[0] !== geometry) return linesOfCollection(membersOf(geometry));
  const { type, coordinates } = geometry as { type?: unknown; coordinates?: unknown };
  if (type !== 'LineString' && type !== 'MultiLineString') {
    return { ok: false, problem: `Expected a LineString or MultiLineString, found ${JSON.stringify(type ?? null)}.` };
  }
  const parts: unknown = type === 'LineString' ? [coordinates] : coordinates;
  if (!Array.isArray(parts)) return { ok: false, problem: 'Expected an array of lines, found none.' };
  const lines: Float64Array[] = [];
  for (const part of parts as unknown[]) {
    const line = readLine(part);
    if (line === null) return { ok: false, problem: 'Expected positions of finite degrees, longitude and latitude.' };
    if (line.length >= 4) lines.push(line);
  }
  return { ok: true, lines };
}

/** Its lines, whatever it has besides; without any, why its first member is none. */
function linesOfCollection(members: readonly unknown[]): GeoJsonLinesResult {
  const all = members.map(linesFromGeoJson);
  const read = all.filter((one) => one.ok);
  const [first] = all;
  return read.length > 0 || first === undefined ? { ok: true, lines: read.flatMap(({ lines }) => lines) } : first;
}

function readLine(part: unknown): Float64Array | null {
  if (!Array.isArray(part)) return null;
  const line = new Float64Array(part.length * 2);
  for (const [index, position] of (part as unknown[]).entries()) {
    const [x, y] = Array.isArray(position) ? (position as unknown[]) : [];
    if (!isDegree(x, maxLongitude) || !isDegree(y, maxLatitude)) return null;
    line[index * 2] = x;
    line[index * 2 + 1] = y;
  }
  return line;
}

const isDegree = (value: unknown, limit: number): value is number =>
  typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= limit;
