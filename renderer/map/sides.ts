/** The sides of a lot, from corner to corner, with their lengths. Pure functions. */
import { distance } from '@turf/turf';
import type { MultiPolygon, Polygon, Position } from 'geojson';

interface Side {
  readonly middle: Position;
  readonly meters: number;
}

/** A smaller turn is a vertex on a side (a curve, a surveyor's point), not a corner. */
const cornerDegrees = 12;

const meters = (a: Position, b: Position): number => distance(a, b, { units: 'meters' });

/** Direction from a to b in degrees on the local plane. */
function heading([x1 = 0, y1 = 0]: Position, [x2 = 0, y2 = 0]: Position): number {
  const narrow = Math.cos((y1 * Math.PI) / 180);
  return (Math.atan2(y2 - y1, (x2 - x1) * narrow) * 180) / Math.PI;
}

const turn = (from: number, to: number): number => Math.abs(((to - from + 540) % 360) - 180);

/** Sides of the outer rings. */
export function sidesOf(shape: Polygon | MultiPolygon): Side[] {
  const rings = shape.type === 'Polygon' ? [shape.coordinates[0]] : shape.coordinates.map(([outer]) => outer);
  return rings.flatMap((ring) => (ring ? sidesOfRing(ring) : []));
}

function sidesOfRing(ring: readonly Position[]): Side[] {
  const points = ring.slice(0, -1);
  const corners = points.flatMap((point, i) => {
    const before = points.at(i - 1) as Position;
    const after = points[(i + 1) % points.length] as Position;
    return turn(heading(before, point), heading(point, after)) >= cornerDegrees ? [i] : [];
  });
  if (corners.length < 2) return [];
  return corners.map((from, i) => {
    const to = corners[(i + 1) % corners.length] as number;
    const count = (to - from + points.length) % points.length;
    return sideOf(Array.from({ length: count + 1 }, (_, step) => points[(from + step) % points.length] as Position));
  });
}

function sideOf(path: readonly Position[]): Side {
  const lengths = path.slice(1).map((point, i) => meters(path[i] as Position, point));
  const total = lengths.reduce((sum, length) => sum + length, 0);
  let rest = total / 2;
  let at = 0;
  while (at < lengths.length - 1 && rest > (lengths[at] as number)) {
    rest -= lengths[at] as number;
    at += 1;
  }
  const [x1 = 0, y1 = 0] = path[at] as Position;
  const [x2 = 0, y2 = 0] = path[at + 1] as Position;
  const share = rest / (lengths[at] || 1);
  return { middle: [x1 + (x2 - x1) * share, y1 + (y2 - y1) * share], meters: total };
}
