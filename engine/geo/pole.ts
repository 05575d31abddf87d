/** The pole of inaccessibility: the point inside a polygon that is farthest from its edges (V. Agafonkin, 2016). */
import { boundsOfCoordinates, type PolygonRings } from './geometry.ts';

interface Cell {
  readonly x: number;
  readonly y: number;
  readonly half: number;
  /** To the nearest edge; negative outside. */
  readonly distance: number;
  /** No point of the cell is farther. */
  readonly most: number;
}

/** Planar: in the units of the coordinates. `radius` ≤ 0 for a polygon without an inside. */
export interface Pole {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

/** Enough for the thinnest of strips; more would only refine. */
const mostCells = 2000;

/** @param precision the radius is within this of the best */
export function poleOf(rings: PolygonRings, precision: number): Pole {
  const { minX, minY, maxX, maxY } = boundsOfCoordinates(rings.slice(0, 1));
  const [width, height] = [maxX - minX, maxY - minY];
  const side = Math.min(width, height);
  let best = cellAt(rings, minX + width / 2, minY + height / 2, 0);
  if (!(side > 0)) return { x: best.x, y: best.y, radius: 0 };
  const step = Math.max(side, Math.max(width, height) / 24);
  const waiting: Cell[] = [];
  const consider = (cell: Cell): void => {
    if (cell.distance > best.distance) best = cell;
    if (cell.most > best.distance + precision) push(waiting, cell);
  };
  for (let x = minX; x < maxX; x += step) {
    for (let y = minY; y < maxY; y += step) consider(cellAt(rings, x + step / 2, y + step / 2, step / 2));
  }
  for (let count = 0; count < mostCells; count++) {
    const cell = pop(waiting);
    if (!cell || cell.most <= best.distance + precision) break;
    const half = cell.half / 2;
    for (const dx of [-half, half])
      for (const dy of [-half, half]) consider(cellAt(rings, cell.x + dx, cell.y + dy, half));
  }
  return { x: best.x, y: best.y, radius: best.distance };
}

function cellAt(rings: PolygonRings, x: number, y: number, half: number): Cell {
  const distance = signedDistance(rings, x, y);
  return { x, y, half, distance, most: distance + half * Math.SQRT2 };
}

function signedDistance(rings: PolygonRings, x: number, y: number): number {
  let isInside = false;
  let least = Number.POSITIVE_INFINITY;
  for (const ring of rings) {
    for (let at = 0; at + 3 < ring.length; at += 2) {
      const ax = ring[at] as number;
      const ay = ring[at + 1] as number;
      const dx = (ring[at + 2] as number) - ax;
      const dy = (ring[at + 3] as number) - ay;
      if (ay > y !== ay + dy > y && x < ax + ((y - ay) / dy) * dx) isInside = !isInside;
      const squared = dx * dx + dy * dy;
      const share = squared > 0 ? Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / squared)) : 0;
      const [px, py] = [x - ax - share * dx, y - ay - share * dy];
      least = Math.min(least, px * px + py * py);
    }
  }
  return (isInside ? 1 : -1) * Math.sqrt(least);
}

/** A heap with the greatest `most` first. */
function push(heap: Cell[], cell: Cell): void {
  let at = heap.push(cell) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if ((heap[parent] as Cell).most >= cell.most) break;
    heap[at] = heap[parent] as Cell;
    at = parent;
  }
  heap[at] = cell;
}

function pop(heap: Cell[]): Cell | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (!last || heap.length === 0) return first;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && (heap[child + 1] as Cell).most > (heap[child] as Cell).most) child += 1;
    if ((heap[child] as Cell).most <= last.most) break;
    heap[at] = heap[child] as Cell;
    at = child;
  }
  heap[at] = last;
  return first;
}
