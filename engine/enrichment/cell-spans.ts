/** Finds the raster cells of a parcel: those whose center lies in it. */
import type { MultiPolygon, PolygonRings, Ring } from '../geo/geometry.ts';

/** Columns `[from, to)` of one row whose centres lie within. */
type OnSpan = (row: number, from: number, to: number) => void;

/** Spans of all rows from `top` to `bottom` (exclusive). @param polygons in cells; parts that overlap give no cell twice */
export function cellSpans(polygons: MultiPolygon, top: number, bottom: number, onSpan: OnSpan): void {
  for (let row = top; row < bottom; row++) {
    const spans = polygons.flatMap((polygon) => spansOfRow(polygon, row + 0.5));
    if (spans.length > 1) spans.sort((a, b) => a[0] - b[0]);
    let done = Number.NEGATIVE_INFINITY;
    for (const [west, east] of spans) {
      // the first center at or east of the edge
      const from = Math.max(Math.ceil(west - 0.5), done);
      const to = Math.ceil(east - 0.5);
      if (to <= from) continue;
      onSpan(row, from, to);
      done = to;
    }
  }
}

/** Intervals of the line y inside a polygon: within its exterior and no hole. */
function spansOfRow(polygon: PolygonRings, y: number): [number, number][] {
  const crossings: { x: number; ring: number; step: number }[] = [];
  for (const [index, ring] of polygon.entries()) addCrossings(ring, index, y, crossings);
  crossings.sort((a, b) => a.x - b.x);
  const windings = new Int32Array(polygon.length);
  const spans: [number, number][] = [];
  let west: number | null = null;
  for (const { x, ring, step } of crossings) {
    windings[ring] = (windings[ring] as number) + step;
    const isInside = windings[0] !== 0 && windings.every((winding, index) => index === 0 || winding === 0);
    if (isInside && west === null) west = x;
    if (!isInside && west !== null) {
      spans.push([west, x]);
      west = null;
    }
  }
  return spans;
}

function addCrossings(
  ring: Ring,
  index: number,
  y: number,
  crossings: { x: number; ring: number; step: number }[],
): void {
  for (let at = 0; at + 3 < ring.length; at += 2) {
    const ay = ring[at + 1] as number;
    const by = ring[at + 3] as number;
    if (ay > y === by > y) continue;
    const ax = ring[at] as number;
    const bx = ring[at + 2] as number;
    crossings.push({ x: ax + ((y - ay) / (by - ay)) * (bx - ax), ring: index, step: by > ay ? 1 : -1 });
  }
}
