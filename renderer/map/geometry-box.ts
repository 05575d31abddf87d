/** The box around a GeoJSON geometry. */
import type { Geometry, Position } from 'geojson';
import type { Box } from './map-sources.ts';

function positionsOf(geometry: Geometry): Position[] {
  if (geometry.type === 'GeometryCollection') return geometry.geometries.flatMap(positionsOf);
  const flatten = (value: unknown): Position[] =>
    Array.isArray(value) && typeof value[0] === 'number' ? [value as Position] : (value as unknown[]).flatMap(flatten);
  return flatten(geometry.coordinates);
}

export function boxOf(geometry: Geometry): Box | null {
  const positions = positionsOf(geometry);
  if (positions.length === 0) return null;
  let [west, south, east, north] = [180, 90, -180, -90];
  for (const [longitude = 0, latitude = 0] of positions) {
    west = Math.min(west, longitude);
    east = Math.max(east, longitude);
    south = Math.min(south, latitude);
    north = Math.max(north, latitude);
  }
  return [west, south, east, north];
}
