/** Areas of a plane where a number is above 0, as polygons: marching squares over a grid. */
import { at, bounds, contains, distance, type Point, signedArea } from './plane.ts';

/** Values at the corners of square cells, in rows from the south. */
export interface Field {
  readonly west: number;
  readonly south: number;
  /** Meters between two corners. */
  readonly step: number;
  readonly columns: number;
  readonly rows: number;
  readonly values: Float64Array;
}

export type Frame = Omit<Field, 'values'>;

export const frameOf = (west: number, south: number, east: number, north: number, step: number): Frame => ({
  ...{ west, south, step },
  columns: Math.ceil((east - west) / step) + 1,
  rows: Math.ceil((north - south) / step) + 1,
});

export const cornerOf = ({ west, south, step, columns }: Frame, index: number): Point => ({
  x: west + (index % columns) * step,
  y: south + Math.floor(index / columns) * step,
});

export const fieldOf = (frame: Frame, value: (q: Point, index: number) => number): Field => ({
  ...frame,
  values: Float64Array.from({ length: frame.columns * frame.rows }, (_, index) => value(cornerOf(frame, index), index)),
});

/** Index of the corner nearest to a place within the frame. */
export const nearestCorner = ({ west, south, step, columns }: Frame, q: Point): number =>
  Math.round((q.y - south) / step) * columns + Math.round((q.x - west) / step);

/** The outer ring counter-clockwise, then its holes. */
export type Patch = readonly (readonly Point[])[];

type Side = 'south' | 'east' | 'north' | 'west';

/**
 * Sides of a cell from which to which the edge of the area runs, with the area on its left. Corners count 1, 2, 4, 8 from
 * the southwest counter-clockwise; 5 and 10 are two corners apart, joined here.
 */
const runs: readonly (readonly (readonly [from: Side, to: Side])[])[] = [
  [],
  [['south', 'west']],
  [['east', 'south']],
  [['east', 'west']],
  [['north', 'east']],
  [
    ['south', 'east'],
    ['north', 'west'],
  ],
  [['north', 'south']],
  [['north', 'west']],
  [['west', 'north']],
  [['south', 'north']],
  [
    ['west', 'south'],
    ['east', 'north'],
  ],
  [['east', 'north']],
  [['west', 'east']],
  [['south', 'east']],
  [['west', 'south']],
  [],
];

/** @param tolerance meters that a thinned edge may lie beside the exact one. @param least square meters of a patch or hole */
export function patchesOf(field: Field, tolerance: number, least: number): Patch[] {
  const rings = ringsOf(field)
    .map((ring) => thinned(ring, tolerance))
    .filter((ring) => ring.length > 3 && Math.abs(signedArea(ring)) >= least);
  const outers = rings
    .filter((ring) => signedArea(ring) > 0)
    .map((ring) => ({ ring, box: bounds(ring), area: signedArea(ring), holes: [] as Point[][] }))
    .sort((a, b) => a.area - b.area);
  for (const hole of rings.filter((ring) => signedArea(ring) < 0)) {
    const p = at(hole, 0);
    const around = outers.find(
      ({ ring, box, area }) =>
        area > -signedArea(hole) &&
        p.x >= box.minX &&
        p.x <= box.maxX &&
        p.y >= box.minY &&
        p.y <= box.maxY &&
        contains(ring, p),
    );
    around?.holes.push(hole);
  }
  return outers.map(({ ring, holes }) => [ring, ...holes]);
}

function ringsOf(field: Field): Point[][] {
  const next = nextEdges(field);
  const rings: Point[][] = [];
  for (const start of next.keys()) {
    if (!next.has(start)) continue;
    const ring: Point[] = [];
    for (let edge: number | undefined = start; edge !== undefined; ) {
      ring.push(crossingOf(field, edge));
      const after: number | undefined = next.get(edge);
      next.delete(edge);
      edge = after === start ? undefined : after;
    }
    rings.push(ring);
  }
  return rings;
}

function nextEdges(field: Field): Map<number, number> {
  const { columns, rows } = field;
  const next = new Map<number, number>();
  for (let row = 0; row + 1 < rows; row++) {
    for (let column = 0; column + 1 < columns; column++) {
      const corner = row * columns + column;
      // An edge between two corners: twice the number of its first, plus 1 if it runs north.
      const edges = {
        ...{ south: 2 * corner, west: 2 * corner + 1 },
        ...{ north: 2 * (corner + columns), east: 2 * (corner + 1) + 1 },
      };
      for (const [from, to] of runs[cornersWithin(field, column, row)] ?? []) next.set(edges[from], edges[to]);
    }
  }
  return next;
}

/** The sum of a cell's corners within the area; those at the frame's edge count as outside, so that every ring closes. */
function cornersWithin({ columns, rows, values }: Field, column: number, row: number): number {
  const around = [
    [column, row],
    [column + 1, row],
    [column + 1, row + 1],
    [column, row + 1],
  ];
  return around.reduce((sum, [c = 0, r = 0], i) => {
    const isIn = c > 0 && r > 0 && c < columns - 1 && r < rows - 1 && (values[r * columns + c] as number) > 0;
    return isIn ? sum + 2 ** i : sum;
  }, 0);
}

function crossingOf(field: Field, edge: number): Point {
  const first = edge >> 1;
  const second = edge % 2 === 1 ? first + field.columns : first + 1;
  const [a, b] = [cornerOf(field, first), cornerOf(field, second)];
  const [va, vb] = [field.values[first] as number, field.values[second] as number];
  // Off the ends, so that no ring touches itself at a corner; the frame's own edge may have any values.
  const share = va > 0 === vb > 0 ? 0.5 : Math.min(0.98, Math.max(0.02, va / (va - vb)));
  return { x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share };
}

/** A ring with as few corners as the tolerance allows (Douglas and Peucker), from its two most distant ones. */
function thinned(ring: readonly Point[], tolerance: number): Point[] {
  const start = at(ring, 0);
  let far = 0;
  for (let i = 1; i < ring.length; i++) if (distance(at(ring, i), start) > distance(at(ring, far), start)) far = i;
  const halves = [ring.slice(0, far + 1), [...ring.slice(far), start]];
  return halves.flatMap((half) => thinnedLine(half, tolerance).slice(0, -1));
}

export function thinnedLine(line: readonly Point[], tolerance: number): Point[] {
  const kept = new Set([0, line.length - 1]);
  const todo: [number, number][] = [[0, line.length - 1]];
  for (let span = todo.pop(); span; span = todo.pop()) {
    const [from, to] = span;
    const [a, b] = [at(line, from), at(line, to)];
    const length = distance(a, b);
    let worst = { index: -1, off: tolerance };
    for (let i = from + 1; i < to; i++) {
      const p = at(line, i);
      const off =
        length === 0 ? distance(p, a) : Math.abs((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)) / length;
      if (off > worst.off) worst = { index: i, off };
    }
    if (worst.index < 0) continue;
    kept.add(worst.index);
    todo.push([from, worst.index], [worst.index, to]);
  }
  return line.filter((_, i) => kept.has(i));
}
