/** Whether a drawn ring crosses itself: then neither the map's fill nor its area match what is searched. */
import type { Geometry, Position } from 'geojson';

/** Above 0: c lies left of the line from a to b. */
const side = ([ax = 0, ay = 0]: Position, [bx = 0, by = 0]: Position, [cx = 0, cy = 0]: Position): number =>
  Math.sign((bx - ax) * (cy - ay) - (by - ay) * (cx - ax));

const cross = (a: Position, b: Position, c: Position, d: Position): boolean =>
  side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;

export function crossesItself(shape: Geometry | null): boolean {
  const ring = shape?.type === 'Polygon' ? (shape.coordinates[0] ?? []) : [];
  const sides = ring.slice(1).map((to, i) => [ring[i] ?? to, to] as const);
  return sides.some(([a, b], i) => sides.slice(i + 1).some(([c, d]) => cross(a, b, c, d)));
}
