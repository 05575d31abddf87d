/**
 * Distinct texts in the order of their UTF-8 bytes, which is SQLite's BINARY order, packed into one buffer: a county
 * has a hundred thousand owner words, and as JavaScript strings they would cost more than the column itself.
 */
import type { CountyMemory } from './county-memory.ts';
import { PartFinder } from './part-finder.ts';

const decoder = new TextDecoder();

/** Compares by code point, as UTF-8 bytes do: UTF-16 puts the astral planes before U+E000. */
export function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    const surrogates = Number(isSurrogate(x)) - Number(isSurrogate(y));
    return surrogates === 0 ? x - y : surrogates;
  }
  return a.length - b.length;
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;

/** Stands between two texts, and before the first: no folded word or stored text holds it (`isIndexable`). */
const separator = 0;

/** Whether a text survives a UTF-8 round trip and holds no separator. */
export const isIndexable = (text: string): boolean =>
  !text.includes('\0') && !text.includes('\ufffd') && text.isWellFormed();

export class TextTable {
  readonly count: number;
  /** Byte where each text begins behind its separator, and one past the last. */
  readonly #starts: Uint32Array;
  readonly #bytes: Buffer;

  /** @param packed from `packTexts` */
  constructor(packed: Uint8Array) {
    // Copied if the bytes are not aligned to four, as numbers require.
    const aligned = packed.byteOffset % 4 === 0 ? packed : new Uint8Array(packed);
    this.count = new DataView(aligned.buffer, aligned.byteOffset).getUint32(0, true);
    this.#starts = new Uint32Array(aligned.buffer, aligned.byteOffset + 4, this.count + 1);
    const head = 4 + (this.count + 1) * 4;
    this.#bytes = Buffer.from(aligned.buffer, aligned.byteOffset + head, aligned.byteLength - head);
  }

  get byteLength(): number {
    return this.#starts.byteLength + this.#bytes.byteLength;
  }

  text(index: number): string {
    return decoder.decode(this.#slice(index));
  }

  /** Bytes `depth` to `depth + 3` of a text as one number in the same order; zero past its end. */
  fourBytes(index: number, depth: number): number {
    const at = (this.#starts[index] as number) + depth;
    const left = (this.#starts[index + 1] as number) - 1 - at;
    const bytes = this.#bytes;
    if (left >= 4) return bytes.readUInt32BE(at);
    let key = 0;
    for (let i = 0; i < 4; i++) key = (key << 8) | (i < left ? (bytes[at + i] as number) : 0);
    return key >>> 0;
  }

  #slice(index: number): Buffer {
    return this.#bytes.subarray(this.#starts[index], (this.#starts[index + 1] as number) - 1);
  }

  byteLengthOf(index: number): number {
    return (this.#starts[index + 1] as number) - 1 - (this.#starts[index] as number);
  }

  startsWith(index: number, part: Buffer): boolean {
    const at = this.#starts[index] as number;
    return (
      this.byteLengthOf(index) >= part.length && this.#bytes.compare(part, 0, part.length, at, at + part.length) === 0
    );
  }

  /** Index of the text, or −1; the texts must be sorted. */
  find(text: string): number {
    const wanted = Buffer.from(text);
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = Buffer.compare(this.#slice(middle), wanted);
      if (order === 0) return middle;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return -1;
  }

  /**
   * Indexes of all texts, or the first `limit`, that hold the part. Searches the buffer once, without decoding texts.
   */
  findHolding(part: string, limit = Number.POSITIVE_INFINITY): number[] {
    const wanted = Buffer.from(part);
    const found: number[] = [];
    let at = this.#bytes.indexOf(wanted);
    while (at >= 0 && found.length < limit) {
      const index = this.#indexAt(at);
      found.push(index);
      at = this.#bytes.indexOf(wanted, this.#starts[index + 1]);
    }
    return found;
  }

  /** Answers `findHolding` without a pass over the texts; takes nine bytes of the memory for each of theirs. */
  finder(memory: CountyMemory): PartFinder {
    return new PartFinder(this.#starts, this.#bytes, memory);
  }

  /** The text at a byte offset. */
  #indexAt(byte: number): number {
    let low = 0;
    let high = this.count;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if ((this.#starts[middle] as number) <= byte) low = middle;
      else high = middle;
    }
    return low;
  }
}

/** Packs texts one after the other, without keeping a string or an array for each. */
export class TextPacker {
  #starts = new Uint32Array(64);
  #bytes = Buffer.alloc(1024);
  #count = 0;
  #at = 0;

  add(text: string): void {
    // UTF-8 takes at most three bytes per UTF-16 unit; one more for the separator.
    const most = this.#at + text.length * 3 + 1;
    if (most > this.#bytes.length)
      this.#bytes = enlarged(this.#bytes, Buffer.alloc(Math.max(most, this.#bytes.length * 2)));
    if (this.#count + 1 === this.#starts.length) {
      this.#starts = enlarged(this.#starts, new Uint32Array(this.#starts.length * 2));
    }
    this.#at += this.#bytes.write(text, this.#at);
    this.#bytes[this.#at++] = separator;
    this.#starts[++this.#count] = this.#at;
  }

  finish(): Uint8Array {
    const starts = this.#starts.subarray(0, this.#count + 1);
    const packed = new Uint8Array(4 + starts.byteLength + this.#at);
    new DataView(packed.buffer).setUint32(0, this.#count, true);
    new Uint32Array(packed.buffer, 4, starts.length).set(starts);
    packed.set(this.#bytes.subarray(0, this.#at), 4 + starts.byteLength);
    return packed;
  }
}

function enlarged<Numbers extends Uint8Array | Uint32Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from);
  return to;
}

/** @param sorted texts; distinct and by `compareUtf8` if `find` is used */
export function packTexts(sorted: readonly string[]): Uint8Array {
  const packer = new TextPacker();
  for (const text of sorted) packer.add(text);
  return packer.finish();
}
