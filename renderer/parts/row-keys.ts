/** Keys that move through the rows of a table. */

const rowsOfAPage = 10;

/** The row that a key moves to from row `from` (−1: none), within the table; null for other keys. */
export function placeFor(key: string, from: number, count: number): number | null {
  const places: Record<string, number> = {
    ArrowDown: from + 1,
    ArrowUp: from - 1,
    PageDown: from + rowsOfAPage,
    PageUp: from - rowsOfAPage,
    Home: 0,
    End: count - 1,
  };
  const wanted = places[key];
  return wanted === undefined ? null : Math.max(0, Math.min(count - 1, wanted));
}
