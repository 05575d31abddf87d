/** Sorts a million numbers with their places: packs each place into a number and uses the typed array's own sort. */

const word = 2 ** 32;

/**
 * Places of `values` (finite) in order; `compareTied` orders equal ones. Each number becomes a 53-bit integer: the
 * place, and as many leading bits of its 32-bit float as fit beside it, with the bits of negative numbers flipped so
 * that integers sort like floats (M. Herf, "Radix tricks", 2001). Ties are then compared exactly.
 */
export function sortedPlaces(
  values: Float64Array,
  isDescending: boolean,
  compareTied: (a: number, b: number) => number,
): Uint32Array {
  const { length } = values;
  const placeSize = 2 ** Math.ceil(Math.log2(Math.max(2, length)));
  const dropped = 2 ** Math.max(0, Math.log2(placeSize) + 32 - 53);
  const floats = new Float32Array(1);
  const bits = new Uint32Array(floats.buffer);
  const keys = new Float64Array(length);
  for (let place = 0; place < length; place++) {
    floats[0] = values[place] as number;
    const raw = bits[0] as number;
    const ascending = raw >= word / 2 ? word - 1 - raw : raw + word / 2;
    const rank = isDescending ? word - 1 - ascending : ascending;
    keys[place] = Math.floor(rank / dropped) * placeSize + place;
  }
  keys.sort();
  const places = Uint32Array.from(keys, (key) => key % placeSize);
  const compare = (a: number, b: number): number => {
    const [one, other] = [values[a] as number, values[b] as number];
    return (isDescending ? other - one : one - other) || compareTied(a, b);
  };
  for (let from = 0; from < length; ) {
    const rank = Math.floor((keys[from] as number) / placeSize);
    let to = from + 1;
    while (to < length && Math.floor((keys[to] as number) / placeSize) === rank) to++;
    if (to - from > 1) places.subarray(from, to).sort(compare);
    from = to;
  }
  return places;
}
