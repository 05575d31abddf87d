/** Arrays that one computation after another fills: of their own, each would call the collector that stops everything. */

/** Tiles take less; a printed sheet may take more, which is not kept. */
const mostKept = 256 * 1024;

/**
 * @param make an array of a length
 * @returns gives an array with what the last user left in it, until the next call
 */
export function scratch<Numbers extends Float32Array | Int32Array | Uint8Array>(
  make: (length: number) => Numbers,
): (length: number) => Numbers {
  let kept = make(0);
  return (length) => {
    if (length > mostKept) return make(length);
    if (kept.length < length) kept = make(length);
    return kept.subarray(0, length) as Numbers;
  };
}
