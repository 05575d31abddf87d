/** Where things stand on the pages of a book, in points from the top left. */
import type { Box } from '../exporting/pdf-page.ts';

export const pageMargin = 27;

/** The frame of a map; its cells a to e and 1 to 6 stand in a band around it. */
export const frameBox = ([width, height]: readonly [number, number]): Box => ({
  x: 36,
  y: 72,
  width: width - 72,
  height: height - 144,
});
export const cellBand = 9;

export const [cellColumns, cellRows] = [5, 6];

/** `c4`: the cell of a place on the page. */
export function cellOf(box: Box, x: number, y: number): string {
  const column = Math.floor(((x - box.x) / box.width) * cellColumns);
  const row = Math.floor(((y - box.y) / box.height) * cellRows);
  const held = (value: number, most: number) => Math.max(0, Math.min(most - 1, value));
  return `${columnLetter(held(column, cellColumns))}${held(row, cellRows) + 1}`;
}

export const columnLetter = (column: number): string => String.fromCharCode(97 + column);
