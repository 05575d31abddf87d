/**
 * Finds the words of a vocabulary that hold a part, without a pass over all of them: where each run of three bytes
 * occurs. The part's rarest run gives the few places at which it is compared.
 */

const buckets = 65_536;
const runBytes = 3;

/** Different for any three letters of one case. */
const bucketOf = (bytes: Uint8Array, at: number): number =>
  ((bytes[at] as number) * 961 + (bytes[at + 1] as number) * 31 + (bytes[at + 2] as number)) & (buckets - 1);

export class PartFinder {
  readonly #starts: Uint32Array;
  readonly #bytes: Uint8Array;
  /** Where each bucket's places begin. */
  readonly #heads = new Uint32Array(buckets + 1);
  /** Bytes at which a run begins, ascending within a bucket, and the word that holds each. */
  readonly #places: Uint32Array;
  readonly #words: Uint32Array;

  /**
   * @param starts of the words, and one past the last
   * @param bytes of the words, a zero after each
   */
  constructor(starts: Uint32Array, bytes: Uint8Array) {
    this.#starts = starts;
    this.#bytes = bytes;
    const heads = this.#heads;
    this.#eachRun((at) => {
      const next = bucketOf(bytes, at) + 1;
      heads[next] = (heads[next] as number) + 1;
    });
    for (let bucket = 0; bucket < buckets; bucket++)
      heads[bucket + 1] = (heads[bucket + 1] as number) + (heads[bucket] as number);
    const ends = heads.slice();
    this.#places = new Uint32Array(heads[buckets] as number);
    this.#words = new Uint32Array(this.#places.length);
    this.#eachRun((at, word) => {
      const bucket = bucketOf(bytes, at);
      const place = ends[bucket] as number;
      ends[bucket] = place + 1;
      this.#places[place] = at;
      this.#words[place] = word;
    });
  }

  #eachRun(use: (at: number, word: number) => void): void {
    const starts = this.#starts;
    for (let word = 0; word + 1 < starts.length; word++) {
      const last = (starts[word + 1] as number) - 1 - runBytes;
      for (let at = starts[word] as number; at <= last; at++) use(at, word);
    }
  }

  /** Indexes of the words that hold the part, ascending; null for a part of fewer than three bytes. */
  find(part: Uint8Array): number[] | null {
    if (part.length < runBytes) return null;
    const { from, to, offset } = this.#rarestRun(part);
    const found: number[] = [];
    let latest = -1;
    for (let place = from; place < to; place++) {
      const word = this.#words[place] as number;
      if (word === latest || !this.#holds(word, (this.#places[place] as number) - offset, part)) continue;
      found.push(word);
      latest = word;
    }
    return found;
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

  #holds(word: number, at: number, part: Uint8Array): boolean {
    if (at < (this.#starts[word] as number)) return false;
    for (let i = 0; i < part.length; i++) if (this.#bytes[at + i] !== part[i]) return false;
    return true;
  }
}
