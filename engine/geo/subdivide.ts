/**
 * Cuts large polygons into pieces of few vertices, so that a lot beside a flood zone of 50,000 vertices costs only the
 * piece beside it. The pieces tile the polygon: the winding number around any point is that of the one piece whose box
 * holds it (see clip-ring.ts).
 */
import { cutRing } from './clip-ring.ts';
import { boundsOfCoordinates, type PolygonRings, type Ring } from './geometry.ts';

/** Below this, cutting further costs more than it saves (measured on NWI and NFHL polygons). */
const maxPieceNumbers = 2 * 64;
/** A ring that runs to and fro over one place cannot be cut smaller. */
const maxDepth = 24;

/** Pieces of at most 64 vertices, holes with their exterior; a small polygon is returned as it is. */
export function subdividePolygon(polygon: PolygonRings): PolygonRings[] {
  const pieces: PolygonRings[] = [];
  cut(polygon, maxDepth, pieces);
  return pieces;
}

const numbersOf = (polygon: PolygonRings): number => polygon.reduce((sum, ring) => sum + ring.length, 0);

function cut(polygon: PolygonRings, depth: number, pieces: PolygonRings[]): void {
  const [exterior] = polygon;
  if (exterior === undefined) return;
  const total = numbersOf(polygon);
  if (total <= maxPieceNumbers || depth === 0) {
    pieces.push(polygon);
    return;
  }
  const { minX, minY, maxX, maxY } = boundsOfCoordinates([exterior]);
  const axis = maxX - minX >= maxY - minY ? 0 : 1;
  const at = axis === 0 ? (minX + maxX) / 2 : (minY + maxY) / 2;
  const halves = ([-1, 1] as const).map((keep) => halfOf(polygon, axis, at, keep)).filter((half) => half.length > 0);
  if (halves.length === 2 && halves.every((half) => numbersOf(half) >= total)) {
    pieces.push(polygon);
    return;
  }
  for (const half of halves) cut(half, depth - 1, pieces);
}

function halfOf([exterior, ...holes]: PolygonRings, axis: 0 | 1, at: number, keep: 1 | -1): Ring[] {
  const outer = exterior && cutRing(exterior, axis, at, keep);
  if (!outer) return [];
  return [outer, ...holes.map((hole) => cutRing(hole, axis, at, keep)).filter((hole) => hole !== null)];
}
