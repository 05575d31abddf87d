/** The meaning of the kernels on plain arrays, a row at a time: the oracle they must equal. */
import type { Flag } from '../../engine/columns/kernels.ts';

/** Whether a range keeps a code: the definition, word by word. */
export function keeps(code: number, low: number, high: number, passUnknown: Flag, negate: Flag): boolean {
  const within = code >= low && code <= high;
  return (negate === 1 ? !within : within) || (passUnknown === 1 && code === 0);
}

export function naiveHistogram(codes: ArrayLike<number>, set: readonly boolean[], into: readonly number[]): number[] {
  const counts = [...into];
  set.forEach((isSet, row) => {
    const code = codes[row] ?? 0;
    if (isSet) counts[code] = (counts[code] ?? 0) + 1;
  });
  return counts;
}

/** Entries in descending value, equal values in ascending entry. */
export function naiveDown(from: number, to: number, starts: readonly boolean[]): number[] {
  const groups: number[][] = [];
  for (let entry = from; entry < to; entry++) {
    if (entry === from || starts[entry]) groups.push([]);
    groups.at(-1)?.push(entry);
  }
  return groups.reverse().flat();
}

/** Bounding boxes as four lists, one entry per row. */
export interface Boxes {
  readonly minX: readonly number[];
  readonly maxX: readonly number[];
  readonly minY: readonly number[];
  readonly maxY: readonly number[];
}

const at = (list: readonly number[], index: number): number => list[index] ?? Number.NaN;

export function naiveMeets(boxes: Boxes, row: number, minX: number, maxX: number, minY: number, maxY: number): boolean {
  return (
    at(boxes.minX, row) <= maxX &&
    at(boxes.maxX, row) >= minX &&
    at(boxes.minY, row) <= maxY &&
    at(boxes.maxY, row) >= minY
  );
}

export interface NaiveGrid {
  readonly originX: number;
  readonly originY: number;
  readonly scaleX: number;
  readonly scaleY: number;
  readonly columns: number;
  readonly rows: number;
  /** Row by row: whether the boundary enters the cell, and on which side the others are. */
  readonly boundary: readonly boolean[];
  readonly inside: readonly boolean[];
}

function cell(value: number, origin: number, scale: number, cells: number): number {
  return Math.min(cells - 1, Math.max(0, Math.floor((value - origin) * scale)));
}

/** A rectangle, its sides west, south, east, north. */
export type Rectangle = readonly [west: number, south: number, east: number, north: number];

const overlap = (a: Rectangle, b: Rectangle): boolean => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
/** Whether the first lies within the second, off its edges. */
const within = (a: Rectangle, b: Rectangle): boolean => a[0] > b[0] && a[1] > b[1] && a[2] < b[2] && a[3] < b[3];
const crosses = (a: Rectangle, b: Rectangle): boolean => overlap(a, b) && !within(a, b) && !within(b, a);

/** Cells of one unit in `side` rows: a rectangle with one as its hole, all their sides through middles of cells. */
export function gridOfRectangles(side: number, outer: Rectangle, hole: Rectangle): NaiveGrid {
  const cells = Array.from({ length: side * side }, (_, index): Rectangle => {
    const [x, y] = [index % side, Math.floor(index / side)];
    return [x, y, x + 1, y + 1];
  });
  return {
    ...{ originX: 0, originY: 0, scaleX: 1, scaleY: 1, columns: side, rows: side },
    boundary: cells.map((one) => crosses(one, outer) || crosses(one, hole)),
    inside: cells.map((one) => within(one, outer) && !overlap(one, hole)),
  };
}

/** Whether a parcel that fills its box meets the area; null where the kernel must leave it to the exact test. */
export function naiveMeeting(box: Rectangle, outer: Rectangle, hole: Rectangle, hasOutline: boolean): boolean | null {
  const isTouched = crosses(box, outer) || crosses(box, hole) || within(outer, box) || within(hole, box);
  if (within(outer, box) || (isTouched && !hasOutline)) return null;
  return overlap(box, outer) && !within(box, hole);
}

/** Looks at every cell of the row's box. */
export function naiveSide(grid: NaiveGrid, boxes: Boxes, row: number): 'inside' | 'outside' | 'unsure' {
  const left = cell(at(boxes.minX, row), grid.originX, grid.scaleX, grid.columns);
  const right = cell(at(boxes.maxX, row), grid.originX, grid.scaleX, grid.columns);
  const bottom = cell(at(boxes.minY, row), grid.originY, grid.scaleY, grid.rows);
  const top = cell(at(boxes.maxY, row), grid.originY, grid.scaleY, grid.rows);
  const cells: number[] = [];
  for (let y = bottom; y <= top; y++) for (let x = left; x <= right; x++) cells.push(y * grid.columns + x);
  if (cells.some((index) => grid.boundary[index])) return 'unsure';
  const sides = new Set(cells.map((index) => grid.inside[index]));
  if (sides.size !== 1) throw new Error('a grid whose sides meet without a boundary cell between them');
  return sides.has(true) ? 'inside' : 'outside';
}

/** (columns + 1) × (rows + 1) sums of boundary cells, by adding them up. */
export function naiveSums({ columns, rows, boundary }: NaiveGrid): number[] {
  const sums: number[] = [];
  for (let row = 0; row <= rows; row++)
    for (let column = 0; column <= columns; column++) {
      let sum = 0;
      for (let y = 0; y < row; y++) for (let x = 0; x < column; x++) if (boundary[y * columns + x]) sum++;
      sums.push(sum);
    }
  return sums;
}

function neighboursOf(cellIndex: number, columns: number, rows: number): number[] {
  const x = cellIndex % columns;
  const y = Math.floor(cellIndex / columns);
  const near = [x > 0 ? cellIndex - 1 : -1, x < columns - 1 ? cellIndex + 1 : -1];
  return [...near, y > 0 ? cellIndex - columns : -1, y < rows - 1 ? cellIndex + columns : -1].filter((at) => at >= 0);
}

/** Random boundary cells; the cells between them are inside or outside together, as a boundary would have them. */
export function naiveGrid(columns: number, rows: number, share: number, random: () => number): NaiveGrid {
  const boundary = Array.from({ length: columns * rows }, () => random() < share);
  const inside = boundary.map(() => false);
  const seen = [...boundary];
  for (let start = 0; start < boundary.length; start++) {
    if (seen[start]) continue;
    const side = random() < 0.5;
    const toVisit = [start];
    for (let next = toVisit.pop(); next !== undefined; next = toVisit.pop()) {
      if (seen[next]) continue;
      seen[next] = true;
      inside[next] = side;
      toVisit.push(...neighboursOf(next, columns, rows));
    }
  }
  return {
    ...{ originX: -97.25 + random(), originY: 38.5 + random(), columns, rows, boundary, inside },
    ...{ scaleX: 3 + 40 * random(), scaleY: 3 + 40 * random() },
  };
}
