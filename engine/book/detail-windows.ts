/** The crowded parts of a page that are drawn on pages of their own. */
import type { Box } from '../exporting/pdf-page.ts';

/** Holdings without a name that are worth a page of their own. */
export const leastUnnamed = 16;
/** Less than this larger, a page would show hardly more. */
const leastTimes = 1.2;

/** A part of a frame that is drawn on a page of its own. */
export interface DetailWindow extends Box {
  /** How many times larger: 2, 4, 8 …, or less where the largest scale allows no more. */
  readonly times: number;
}

/**
 * Windows of half a frame around the places that most need them, in points. Where one of a quarter leaves so few that the
 * half would hardly be worth its page, it is taken instead. The points left over are few.
 * @param most how many times larger a detail may be
 */
export function detailWindows(box: Box, points: readonly (readonly [number, number])[], most: number): DetailWindow[] {
  const windows: DetailWindow[] = [];
  if (most < leastTimes) return windows;
  let left = points;
  for (;;) {
    let times = Math.min(2, most);
    let found = fullest(box, times, left);
    if (found.length < leastUnnamed) return windows;
    for (let smaller = 4; smaller <= Math.min(most, cells); smaller *= 2) {
      const inside = fullest(box, smaller, found);
      if (inside.length < leastUnnamed || found.length - inside.length >= leastUnnamed) break;
      [times, found] = [smaller, inside];
    }
    const window = { ...around(box, times, found), times };
    windows.push(window);
    left = left.filter((point) => !isWithin(window, point));
  }
}

export const isWithin = ({ x, y, width: wide, height }: Box, [px, py]: readonly [number, number]): boolean =>
  px >= x && px <= x + wide && py >= y && py <= y + height;

/** The points in the window that holds most. @param times how many windows make a side of the frame */
function fullest(box: Box, times: number, points: readonly (readonly [number, number])[]) {
  const long = Math.floor(cells / times);
  const sums = countsUpTo(box, points);
  const at = (row: number, column: number) => sums[row * (cells + 1) + column] as number;
  let best = { count: 0, row: 0, column: 0 };
  for (let row = 0; row + long <= cells; row++) {
    for (let column = 0; column + long <= cells; column++) {
      const [low, right] = [row + long, column + long];
      const count = at(low, right) - at(row, right) - at(low, column) + at(row, column);
      if (count > best.count) best = { count, row, column };
    }
  }
  if (best.count === 0) return [];
  const x = box.x + (best.column / cells) * box.width;
  const y = box.y + (best.row / cells) * box.height;
  return points.filter((point) => isWithin({ x, y, width: box.width / times, height: box.height / times }, point));
}

/** Cells along a side of the frame: windows begin at their lines. */
const cells = 16;

/** Points above and left of each crossing of the cells' lines. */
function countsUpTo(box: Box, points: readonly (readonly [number, number])[]): Int32Array {
  const sums = new Int32Array((cells + 1) ** 2);
  const cell = (value: number, long: number) => Math.max(0, Math.min(cells - 1, Math.floor((value / long) * cells)));
  for (const [x, y] of points) {
    const at = (cell(y - box.y, box.height) + 1) * (cells + 1) + cell(x - box.x, box.width) + 1;
    sums[at] = (sums[at] as number) + 1;
  }
  for (let row = 1; row <= cells; row++) {
    for (let column = 1; column <= cells; column++) {
      const at = row * (cells + 1) + column;
      const [above, left, both] = [sums[at - cells - 1], sums[at - 1], sums[at - cells - 2]] as [
        number,
        number,
        number,
      ];
      sums[at] = (sums[at] as number) + above + left - both;
    }
  }
  return sums;
}

/** Centered on the points, within the frame. */
function around(box: Box, times: number, points: readonly (readonly [number, number])[]): Box {
  const size = { width: box.width / times, height: box.height / times };
  const middle = (axis: 0 | 1) => {
    const values = points.map((point) => point[axis]);
    return (Math.min(...values) + Math.max(...values)) / 2;
  };
  const held = (value: number, least: number, most: number) => Math.max(least, Math.min(most, value));
  return {
    x: held(middle(0) - size.width / 2, box.x, box.x + box.width - size.width),
    y: held(middle(1) - size.height / 2, box.y, box.y + box.height - size.height),
    ...size,
  };
}
