/** Two memories with the same bytes, one for each twin: a kernel runs on both, and all bytes must stay equal. */
import { expect } from 'vitest';
import { createRandom, type Random } from '../../data/sample/random.ts';
import type { Kernels } from '../../engine/columns/kernels.ts';
import { createMemory } from '../../engine/columns/kernels-memory.ts';
import { plainKernels } from '../../engine/columns/kernels-plain.ts';
import { loadKernels } from '../../engine/columns/kernels-wasm.ts';

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

export class Twins {
  readonly plain: Kernels;
  readonly wasm: Kernels;
  readonly base: number;
  readonly #views: readonly [Uint8Array, Uint8Array];
  #used = 64;

  /** `bytes` bytes at `base`, filled with noise, so that a byte read by mistake shows. */
  constructor(bytes: number, seed: string, base = 0) {
    const memories = [createMemory(base + bytes), createMemory(base + bytes)] as const;
    const loaded = loadKernels(memories[1]);
    expect(loaded.reason).toBe(null);
    this.plain = plainKernels(memories[0]);
    this.wasm = loaded;
    this.base = base;
    this.#views = [new Uint8Array(memories[0].buffer, base, bytes), new Uint8Array(memories[1].buffer, base, bytes)];
    const random = createRandom(1).fork(seed);
    for (let index = 0; index < bytes; index++) this.#views[0][index] = random.integer(0, 255);
    this.#views[1].set(this.#views[0]);
  }

  /** Forgets what was laid down; the bytes stay as noise. */
  reset(): void {
    this.#used = 64;
  }

  /** Lays bytes down in both memories. @returns their offset; `padding` 0 leaves noise behind them. */
  lay(data: Uint8Array | Uint16Array | Uint32Array | Float32Array, alignment = 8): number {
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    this.#used = Math.ceil(this.#used / alignment) * alignment;
    const at = this.#used;
    if (at + bytes.length + 64 > this.#views[0].length) throw new Error(`the twins have no room for ${bytes.length}`);
    for (const view of this.#views) view.set(bytes, at);
    // always some noise between two things
    this.#used = at + bytes.length + 24;
    return this.base + at;
  }

  layBits(set: readonly boolean[]): number {
    const bytes = new Uint8Array(Math.ceil(set.length / 64) * 8);
    set.forEach((isSet, row) => {
      if (isSet) bytes[row >>> 3] = (bytes[row >>> 3] ?? 0) | (1 << (row & 7));
    });
    return this.lay(bytes);
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

  /** Runs on both. @returns the answer, which must be one */
  run<T>(kernel: (kernels: Kernels) => T): T {
    const answers = [kernel(this.plain), kernel(this.wasm)] as const;
    expect(answers[1]).toBe(answers[0]);
    expect(Buffer.compare(this.#views[0], this.#views[1])).toBe(0);
    return answers[0];
  }

  bytes(at: number, length: number): Uint8Array {
    return this.#views[1].slice(at - this.base, at - this.base + length);
  }

  numbers(at: number, count: number): number[] {
    return [...new Uint32Array(this.bytes(at, count * 4).buffer)];
  }

  /** The rows of a bitmap and the bits that fill up its last word. */
  bits(at: number, words: number): boolean[] {
    const bytes = this.bytes(at, words * 8);
    return Array.from({ length: words * 64 }, (_, row) => (((bytes[row >>> 3] ?? 0) >>> (row & 7)) & 1) === 1);
  }

  /** Holds a bitmap to the rows expected, and its tail to zero. */
  expectBits(at: number, expected: readonly boolean[]): void {
    const words = Math.ceil(expected.length / 64);
    const tail = Array.from({ length: words * 64 - expected.length }, () => false);
    const found = this.bits(at, words);
    const wrong = [...expected, ...tail].findIndex((isSet, row) => isSet !== found[row]);
    expect({ wrong, of: expected.length }).toEqual({ wrong: -1, of: expected.length });
  }
}
