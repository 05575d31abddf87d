/**
 * The only source of randomness in the sample. Streams are forked by label, so that a new draw in one part of the
 * generator does not shift all later numbers.
 */
export interface Random {
  /** In [0, 1). */
  next(): number;
  between(low: number, high: number): number;
  /** Both ends included. */
  integer(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  weighted<T>(rows: readonly (readonly [value: T, weight: number])[]): T;
  /** Standard normal. */
  normal(): number;
  shuffle<T>(list: readonly T[]): T[];
  fork(label: string | number): Random;
}

/** cyrb128: spreads a label over four 32-bit words. */
function hashLabel(label: string): [number, number, number, number] {
  let [a, b, c, d] = [1779033703, 3144134277, 1013904242, 2773480762];
  for (let i = 0; i < label.length; i++) {
    const code = label.charCodeAt(i);
    a = b ^ Math.imul(a ^ code, 597399067);
    b = c ^ Math.imul(b ^ code, 2869860233);
    c = d ^ Math.imul(c ^ code, 951274213);
    d = a ^ Math.imul(d ^ code, 2716044179);
  }
  a = Math.imul(c ^ (a >>> 18), 597399067);
  b = Math.imul(d ^ (b >>> 22), 2869860233);
  c = Math.imul(a ^ (c >>> 17), 951274213);
  d = Math.imul(b ^ (d >>> 19), 2716044179);
  return [a >>> 0, b >>> 0, c >>> 0, d >>> 0];
}

/** sfc32 (Chris Doty-Humphrey, PractRand). */
function sfc32(seed: [number, number, number, number]): () => number {
  let [a, b, c, d] = seed;
  return () => {
    const t = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + t;
    return (t >>> 0) / 4294967296;
  };
}

export function createRandom(seed: string | number): Random {
  const next = sfc32(hashLabel(String(seed)));
  for (let i = 0; i < 12; i++) next();
  const pick = <T>(list: readonly T[]): T => {
    const value = list[Math.floor(next() * list.length)];
    if (value === undefined) throw new RangeError('pick from an empty list');
    return value;
  };
  return {
    next,
    pick,
    between: (low, high) => low + (high - low) * next(),
    integer: (low, high) => low + Math.floor(next() * (high - low + 1)),
    chance: (probability) => next() < probability,
    weighted(rows) {
      let left = next() * rows.reduce((sum, row) => sum + row[1], 0);
      for (const [value, weight] of rows) {
        left -= weight;
        if (left < 0) return value;
      }
      return pick(rows)[0];
    },
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    shuffle(list) {
      const keyed = list.map((value) => ({ value, key: next() }));
      return keyed.sort((a, b) => a.key - b.key).map((row) => row.value);
    },
    fork: (label) => createRandom(`${seed}/${label}`),
  };
}
