/** The box around some rows of a county, their middles, and how many lie in a box. */
import type { Bounds } from '../geo/geometry.ts';
import { rowsOf } from './county-rows.ts';
import type { CountyMatches } from './pages.ts';

/** Rounded outwards to 32-bit floats, like the rows' boxes; null if no match has a place. */
export function boundsOfMatches({ county, bits, count }: CountyMatches): Bounds | null {
  if (count === county.rows) return county.bounds();
  const rows = rowsOf(county, bits);
  const stride = county.words * 64;
  const boxes = county.memory.floats(county.boxes().rowBoxes, stride * 4);
  const [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const found = { minX: least, maxX: most, minY: least, maxY: most };
  for (const row of rows) {
    const minX = boxes[row] as number;
    // A row without a place has a box of NaN.
    if (Number.isNaN(minX)) continue;
    found.minX = Math.min(found.minX, minX);
    found.maxX = Math.max(found.maxX, boxes[stride + row] as number);
    found.minY = Math.min(found.minY, boxes[stride * 2 + row] as number);
    found.maxY = Math.max(found.maxY, boxes[stride * 3 + row] as number);
  }
  return found.minX <= found.maxX ? found : null;
}

/** Rows with a place, and those of them whose middle lies in the box. */
export function countInBox({ county, bits }: CountyMatches, box: Bounds): { placed: number; inside: number } {
  const stride = county.words * 64;
  const boxes = county.memory.floats(county.boxes().rowBoxes, stride * 4);
  const middle = (row: number, side: 0 | 2) =>
    ((boxes[stride * side + row] as number) + (boxes[stride * (side + 1) + row] as number)) / 2;
  let [placed, inside] = [0, 0];
  for (const row of rowsOf(county, bits)) {
    const [x, y] = [middle(row, 0), middle(row, 2)];
    if (Number.isNaN(x)) continue;
    placed += 1;
    if (x >= box.minX && x <= box.maxX && y >= box.minY && y <= box.maxY) inside += 1;
  }
  return { placed, inside };
}

/** Longitude and latitude of the middle of each row with a place. */
export function middlesOfMatches({ county, bits }: CountyMatches): [longitude: number, latitude: number][] {
  const stride = county.words * 64;
  const boxes = county.memory.floats(county.boxes().rowBoxes, stride * 4);
  const middle = (row: number, side: 0 | 2) =>
    ((boxes[stride * side + row] as number) + (boxes[stride * (side + 1) + row] as number)) / 2;
  return Array.from(rowsOf(county, bits), (row): [number, number] => [middle(row, 0), middle(row, 2)]).filter(
    ([longitude]) => !Number.isNaN(longitude),
  );
}
