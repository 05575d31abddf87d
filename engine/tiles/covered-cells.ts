/** Finds the grid cells that a shape touches: along its edges, and inside by scan lines through cell centers. */
import type { MultiPolygon, PolygonRings, Ring } from '../geo/geometry.ts';

type OnCell = (column: number, row: number) => void;

/**
 * Calls `onCell` for each cell, some more than once. A cell that no edge enters lies entirely inside or outside, so its
 * center decides.
 * @param shape in units of cells, y downwards
 */
export function coveredCells(shape: MultiPolygon, onCell: OnCell): void {
  for (const polygon of shape) {
    for (const ring of polygon) cellsAlong(ring, onCell);
    cellsWithin(polygon, onCell);
  }
}

function cellsAlong(ring: Ring, onCell: OnCell): void {
  for (let at = 0; at + 3 < ring.length; at += 2) {
    const [ax, ay, bx, by] = [ring[at], ring[at + 1], ring[at + 2], ring[at + 3]] as [number, number, number, number];
    const [top, bottom] = [Math.min(ay, by), Math.max(ay, by)];
    for (let row = Math.floor(top); row <= Math.floor(bottom); row++) {
      const from = xAt(ax, ay, bx, by, Math.max(top, row));
      const to = xAt(ax, ay, bx, by, Math.min(bottom, row + 1));
      const [west, east] = ay === by ? [Math.min(ax, bx), Math.max(ax, bx)] : [Math.min(from, to), Math.max(from, to)];
      for (let column = Math.floor(west); column <= Math.floor(east); column++) onCell(column, row);
    }
  }
}

const xAt = (ax: number, ay: number, bx: number, by: number, y: number): number =>
  ay === by ? ax : ax + ((y - ay) / (by - ay)) * (bx - ax);

/** Even-odd rule over all rings of a polygon, which leaves holes out. */
function cellsWithin(polygon: PolygonRings, onCell: OnCell): void {
  const [exterior = new Float64Array()] = polygon;
  let [top, bottom] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let at = 1; at < exterior.length; at += 2) {
    top = Math.min(top, exterior[at] as number);
    bottom = Math.max(bottom, exterior[at] as number);
  }
  for (let row = Math.ceil(top - 0.5); row + 0.5 < bottom; row++) {
    const crossings = polygon.flatMap((ring) => crossingsOf(ring, row + 0.5)).sort((a, b) => a - b);
    for (let i = 0; i + 1 < crossings.length; i += 2) {
      const east = crossings[i + 1] as number;
      for (let column = Math.ceil((crossings[i] as number) - 0.5); column + 0.5 < east; column++) onCell(column, row);
    }
  }
}

function crossingsOf(ring: Ring, y: number): number[] {
  const found: number[] = [];
  for (let at = 0; at + 3 < ring.length; at += 2) {
    const [ax, ay, bx, by] = [ring[at], ring[at + 1], ring[at + 2], ring[at + 3]] as [number, number, number, number];
    if (ay > y !== by > y) found.push(xAt(ax, ay, bx, by, y));
  }
  return found;
}
