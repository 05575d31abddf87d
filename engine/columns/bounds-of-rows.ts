/** The box around some rows of a county. */
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
