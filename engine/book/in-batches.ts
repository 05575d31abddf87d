/** Paths that one operator paints together: more make viewers slow. */
const together = 200;

/** Calls `paint` with parts of a list, in its order. */
export function inBatches<Item>(list: readonly Item[], paint: (batch: readonly Item[]) => void): void {
  for (let at = 0; at < list.length; at += together) paint(list.slice(at, at + together));
}
