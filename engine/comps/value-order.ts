/** Finds the smallest items by a key, ties by id, so that the result does not depend on the order of the input. */

/**
 * Moves items not above the pivot to the left and those not below it to the right; returns the end of the left part and
 * the start of the right one.
 */
function partition(
  keys: Float64Array,
  low: number,
  high: number,
  pivot: number,
): [leftEnd: number, rightStart: number] {
  let i = low;
  let j = high;
  while (i <= j) {
    while ((keys[i] as number) < pivot) i++;
    while (pivot < (keys[j] as number)) j--;
    if (i > j) break;
    const moved = keys[i] as number;
    keys[i++] = keys[j] as number;
    keys[j--] = moved;
  }
  return [j, i];
}

/** The k-th smallest (from 0) of the keys, which it reorders: C. A. R. Hoare's FIND (1961). */
function selectInPlace(keys: Float64Array, k: number): number {
  let low = 0;
  let high = keys.length - 1;
  while (low < high) {
    const [leftEnd, rightStart] = partition(keys, low, high, keys[k] as number);
    if (leftEnd < k) low = rightStart;
    if (k < rightStart) high = leftEnd;
  }
  return keys[k] as number;
}

/**
 * Indexes in `keys` (no NaN) of the `count` smallest, in order; `compareTies` orders indexes of equal keys. Returns all
 * if there are no more than `count`.
 */
export function smallest(
  keys: Float64Array,
  count: number,
  compareTies: (placeA: number, placeB: number) => number,
): number[] {
  if (count <= 0) return [];
  const limit = keys.length > count ? selectInPlace(keys.slice(), count - 1) : Infinity;
  const places: number[] = [];
  for (let place = 0; place < keys.length; place++) if ((keys[place] as number) <= limit) places.push(place);
  places.sort((a, b) => (keys[a] as number) - (keys[b] as number) || compareTies(a, b));
  return places.slice(0, count);
}
