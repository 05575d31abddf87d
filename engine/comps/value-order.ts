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

/** The k-th smallest (from 0) of the keys, which it reorders (quickselect). */
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

/** The middle key, or the mean of the two middle ones; NaN without keys. Reorders them. */
export function medianInPlace(keys: Float64Array): number {
  const middle = keys.length >> 1;
  if (keys.length === 0) return Number.NaN;
  const upper = selectInPlace(keys, middle);
  if (keys.length % 2 === 1) return upper;
  return (greatest(keys, 0, middle) + upper) / 2;
}

/** `partition`, and the weights move along. */
function partitionWeighted(keys: Float64Array, weights: Uint8Array, low: number, high: number, pivot: number) {
  let i = low;
  let j = high;
  while (i <= j) {
    while ((keys[i] as number) < pivot) i++;
    while (pivot < (keys[j] as number)) j--;
    if (i > j) break;
    const [key, weight] = [keys[i] as number, weights[i] as number];
    keys[i] = keys[j] as number;
    weights[i++] = weights[j] as number;
    keys[j] = key;
    weights[j--] = weight;
  }
  return [j, i] as const;
}

/**
 * The key with half of the weight on either side; the mean of two if they split it evenly. Weights are positive whole
 * numbers, so their sums are exact. Reorders both. NaN without keys.
 */
export function weightedMedianInPlace(keys: Float64Array, weights: Uint8Array): number {
  const weightOf = (from: number, end: number): number => {
    let sum = 0;
    for (let i = from; i < end; i++) sum += weights[i] as number;
    return sum;
  };
  const half = weightOf(0, keys.length) / 2;
  let low = 0;
  let high = keys.length - 1;
  let below = 0;
  while (low <= high) {
    const pivot = keys[(low + high) >> 1] as number;
    const [leftEnd, rightStart] = partitionWeighted(keys, weights, low, high, pivot);
    const left = below + weightOf(low, leftEnd + 1);
    const through = left + weightOf(leftEnd + 1, rightStart);
    if (left === half) return (greatest(keys, low, leftEnd + 1) + least(keys, leftEnd + 1)) / 2;
    if (through === half) return (pivot + least(keys, rightStart)) / 2;
    if (left < half && half < through) return pivot;
    if (half < left) high = leftEnd;
    else {
      below = through;
      low = rightStart;
    }
  }
  return Number.NaN;
}

function greatest(keys: Float64Array, from: number, end: number): number {
  let most = -Infinity;
  for (let i = from; i < end; i++) most = Math.max(most, keys[i] as number);
  return most;
}

function least(keys: Float64Array, from: number): number {
  let smallestKey = Infinity;
  for (let i = from; i < keys.length; i++) smallestKey = Math.min(smallestKey, keys[i] as number);
  return smallestKey;
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
