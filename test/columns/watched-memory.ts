/**
 * A memory and its expected content: a kernel runs on one, its permitted writes go to the other, and all bytes must be
 * equal.
 */
import { expect } from 'vitest';
import { createMemory, loadKernels } from '../../engine/columns/county-memory.ts';
import type { Kernels } from '../../engine/columns/kernels.ts';
import { createRandom, type Random } from '../sample-maker/random.ts';

export const rowCounts = [
  0, 1, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 191, 192, 193, 255, 256, 257, 1000, 4095, 4096, 4097,
];

export type Filling = 'none' | 'all' | 'sparse' | 'half' | 'dense' | 'patchy';
export const fillings: readonly Filling[] = ['none', 'all', 'sparse', 'half', 'dense', 'patchy'];

export type CodeWidth = 8 | 16 | 32;

export function makeSet(rows: number, filling: Filling, random: Random): boolean[] {
  const shares = { none: 0, all: 1, sparse: 0.03, half: 0.5, dense: 0.97 };
  if (filling !== 'patchy') return Array.from({ length: rows }, () => random.chance(shares[filling]));
  // every word of its own kind, so that a loop meets all of its branches one after the other
  const kinds = Array.from({ length: Math.ceil(rows / 64) }, () => random.pick(Object.values(shares)));
  return Array.from({ length: rows }, (_, row) => random.chance(kinds[row >>> 6] ?? 0));
}

/** Codes of a width with many of the extreme ones, and words of one code only. */
export function makeCodes(rows: number, width: CodeWidth, random: Random): number[] {
  const max = 2 ** width - 1;
  const word = () => (random.chance(0.2) ? random.pick([0, 1, max, random.integer(0, max)]) : null);
  const wordCodes = Array.from({ length: Math.ceil(rows / 64) }, word);
  const one = () =>
    random.chance(0.4) ? random.pick([0, 1, 2, max - 1, max, 2 ** (width - 1)]) : random.integer(0, max);
  return Array.from({ length: rows }, (_, row) => wordCodes[row >>> 6] ?? one());
}

const bytesOf = (data: Data): Uint8Array => new Uint8Array(data.buffer, data.byteOffset, data.byteLength);

type Data = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;

/** Bytes that a kernel must write, and where. */
interface Written {
  readonly at: number;
  readonly data: Data;
}

function bitmapOf(set: readonly boolean[]): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(set.length / 64) * 8);
  set.forEach((isSet, row) => {
    if (isSet) bytes[row >>> 3] = (bytes[row >>> 3] ?? 0) | (1 << (row & 7));
  });
  return bytes;
}

/** These rows and no other, and a tail of zeros. */
export const bitsAt = (at: number, set: readonly boolean[]): Written => ({ at, data: bitmapOf(set) });

export const numbersAt = (at: number, numbers: readonly number[]): Written => ({ at, data: Uint32Array.from(numbers) });

export class WatchedMemory {
  readonly base: number;
  readonly #kernels: Kernels;
  readonly #found: Uint8Array;
  readonly #expected: Uint8Array;
  #used = 64;
  #spare: (readonly [from: number, to: number])[] = [];

  /** `bytes` bytes at `base`, filled with noise, so that a byte read by mistake shows. */
  constructor(bytes: number, seed: string, base = 0) {
    const memory = createMemory(base + bytes);
    this.base = base;
    this.#kernels = loadKernels(memory);
    this.#found = new Uint8Array(memory.buffer, base, bytes);
    const random = createRandom(1).fork(seed);
    for (let index = 0; index < bytes; index++) this.#found[index] = random.integer(0, 255);
    this.#expected = this.#found.slice();
  }

  /** Forgets what was stored; the bytes stay as noise. */
  reset(): void {
    this.#used = 64;
    this.#spare = [];
  }

  /** Lays bytes down, with some noise between two things. @returns their offset */
  lay(data: Data, alignment = 8): number {
    this.#used = Math.ceil(this.#used / alignment) * alignment;
    const at = this.#used;
    if (at + data.byteLength + 64 > this.#found.length) throw new Error(`no room for ${data.byteLength} bytes`);
    for (const view of [this.#found, this.#expected]) view.set(bytesOf(data), at);
    this.#used = at + data.byteLength + 24;
    return this.base + at;
  }

  layBits(set: readonly boolean[]): number {
    return this.lay(bitmapOf(set));
  }

  layCodes(codes: readonly number[], width: CodeWidth): number {
    const padded = Math.ceil(codes.length / 64) * 64;
    const column = new { 8: Uint8Array, 16: Uint16Array, 32: Uint32Array }[width](padded);
    column.set(codes);
    return this.lay(column);
  }

  laySpace(bytes: number): number {
    return this.lay(new Uint8Array(bytes));
  }

  /** Room for whatever a kernel writes there. */
  laySpare(bytes: number): number {
    const at = this.laySpace(bytes);
    this.#spare.push([at - this.base, at - this.base + bytes]);
    return at;
  }

  /** Runs a kernel, which must write exactly `written` and no other byte. @returns its result */
  run<T>(kernel: (kernels: Kernels) => T, ...written: readonly Written[]): T {
    const answer = kernel(this.#kernels);
    for (const { at, data } of written) this.#expected.set(bytesOf(data), at - this.base);
    for (const [from, to] of this.#spare) this.#expected.set(this.#found.subarray(from, to), from);
    if (Buffer.compare(this.#found, this.#expected) !== 0) {
      const wrong = this.#found.findIndex((byte, index) => byte !== this.#expected[index]);
      expect.fail(
        `byte ${this.base + wrong} is ${this.#found[wrong]}, expected ${this.#expected[wrong]}; written at ${written.map(({ at, data }) => `${at}, ${data.byteLength} bytes`).join('; ')}`,
      );
    }
    return answer;
  }
}
