/** Chance and hashes from 32-bit whole numbers alone: the same on every machine. */

/** mulberry32 of T. Ettinger: numbers in [0, 1). */
export function createWholeRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** FNV-1a over code units. Mixed at the end, because its low bits alone follow the last characters. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x7feb352d);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x846ca68b);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Millionths: the last bits of a logarithm differ between machines, so they are rounded away before a comparison. */
export const roundMillionth = (value: number): number => Math.round(value * 1e6) / 1e6;
