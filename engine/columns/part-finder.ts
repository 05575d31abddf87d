/**
 * Finds the words of a vocabulary that hold a part, without a pass over all of them: where each run of three bytes
 * occurs. The part's rarest run gives the few places at which it is compared.
 */

import type { CountyMemory } from './county-memory.ts';

const buckets = 65_536;
const runBytes = 3;

/** Different for any three letters of one case. */
const bucketOf = (bytes: Uint8Array, at: number): number =>
  ((bytes[at] as number) * 961 + (bytes[at + 1] as number) * 31 + (bytes[at + 2] as number)) & (buckets - 1);

export class PartFinder {
  readonly #memory: CountyMemory;
  /** Where each bucket's places begin. */
  readonly #heads = new Uint32Array(buckets + 1);
  /** Offsets of the bytes of the words, where each begins, the bytes at which a run begins by bucket, and their words. */
  readonly #at: readonly [bytes: number, starts: number, places: number, words: number];

  /**
   * @param starts of the words, and one past the last
   * @param bytes of the words, a zero after each
   */
  constructor(starts: Uint32Array, bytes: Uint8Array, memory: CountyMemory) {
    this.#memory = memory;
    const heads = this.#heads;
    eachRun(starts, (at) => {
      const next = bucketOf(bytes, at) + 1;
      heads[next] = (heads[next] as number) + 1;
    });
    for (let bucket = 0; bucket < buckets; bucket++)
      heads[bucket + 1] = (heads[bucket + 1] as number) + (heads[bucket] as number);
    const ends = heads.slice();
    const places = new Uint32Array(heads[buckets] as number);
    const words = new Uint32Array(places.length);
    eachRun(starts, (at, word) => {
      const bucket = bucketOf(bytes, at);
      const place = ends[bucket] as number;
      ends[bucket] = place + 1;
      places[place] = at;
      words[place] = word;
    });
    const place = (numbers: Uint32Array): number =>
      memory.place(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength));
    this.#at = [memory.place(bytes), place(starts), place(places), place(words)];
  }

  /** Indexes of the words that hold the part, ascending; null for a part of fewer than three bytes. */
  find(part: Uint8Array): Uint32Array | null {
    if (part.length < runBytes) return null;
    const { from, to, offset } = this.#rarestRun(part);
    const memory = this.#memory;
    const partAt = (to - from) * 4;
    return memory.withScratch(partAt + part.length, (out) => {
      memory.bytes(out + partAt, part.length).set(part);
      const count = memory.kernels.holding(...this.#at, from, to, out + partAt, part.length, offset, out);
      return memory.numbers(out, count).slice();
    });
  }

  #rarestRun(part: Uint8Array): { readonly from: number; readonly to: number; readonly offset: number } {
    let rarest = { from: 0, to: Number.POSITIVE_INFINITY, offset: 0 };
    for (let offset = 0; offset + runBytes <= part.length; offset++) {
      const bucket = bucketOf(part, offset);
      const [from, to] = [this.#heads[bucket] as number, this.#heads[bucket + 1] as number];
      if (to - from < rarest.to - rarest.from) rarest = { from, to, offset };
    }
    return rarest;
  }
}

function eachRun(starts: Uint32Array, use: (at: number, word: number) => void): void {
  for (let word = 0; word + 1 < starts.length; word++) {
    const last = (starts[word + 1] as number) - 1 - runBytes;
    for (let at = starts[word] as number; at <= last; at++) use(at, word);
  }
}
