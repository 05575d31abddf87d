/**
 * The WebAssembly memory of one county: columns are allocated and stay, bitmaps are lent and returned. The memory never
 * shrinks; a county is evicted whole.
 */
import type { Kernels } from './kernels.ts';
import { createMemory, type KernelMemory } from './kernels-memory.ts';
import { loadKernels } from './kernels-wasm.ts';

const pageBytes = 65_536;
/** Columns begin at a cache line. */
const alignment = 64;
const leastScratch = 4096;

interface Scratch {
  readonly at: number;
  readonly bytes: number;
}

export class CountyMemory {
  readonly kernels: Kernels;
  readonly words: number;
  readonly #memory: KernelMemory;
  byteLength = pageBytes;
  #used = alignment;
  readonly #free: number[] = [];
  readonly #scratch: Scratch[] = [];

  /** @param rows of the county */
  constructor(rows: number) {
    this.words = Math.ceil(rows / 64);
    this.#memory = createMemory(pageBytes);
    this.kernels = loadKernels(this.#memory);
  }

  /** The whole memory, until the next `allocate`. */
  get buffer(): ArrayBuffer {
    return this.#memory.buffer;
  }

  /** Allocates zeroed bytes. @returns their offset */
  allocate(bytes: number): number {
    const at = this.#used;
    const end = at + Math.ceil(bytes / alignment) * alignment;
    const missing = end - this.byteLength;
    if (missing > 0) {
      this.#memory.grow(Math.ceil(missing / pageBytes));
      this.byteLength = this.buffer.byteLength;
    }
    this.#used = end;
    return at;
  }

  /** Stores bytes. @param padding zeros after them */
  place(bytes: Uint8Array, padding = 0): number {
    const at = this.allocate(bytes.byteLength + padding);
    new Uint8Array(this.#memory.buffer, at, bytes.byteLength).set(bytes);
    return at;
  }

  /** A view of the numbers there; valid until the next `allocate`. */
  numbers(at: number, count: number): Uint32Array {
    return new Uint32Array(this.#memory.buffer, at, count);
  }

  floats(at: number, count: number): Float32Array {
    return new Float32Array(this.#memory.buffer, at, count);
  }

  doubles(at: number, count: number): Float64Array {
    return new Float64Array(this.#memory.buffer, at, count);
  }

  bytes(at: number, count: number): Uint8Array {
    return new Uint8Array(this.#memory.buffer, at, count);
  }

  /** Lends uninitialized bytes while `work` runs; make views of them inside. */
  withScratch<Result>(bytes: number, work: (at: number) => Result): Result {
    const fitting = this.#scratch.findIndex((area) => area.bytes >= bytes);
    const [area = this.#newScratch(bytes)] = fitting < 0 ? [] : this.#scratch.splice(fitting, 1);
    try {
      return work(area.at);
    } finally {
      this.#scratch.push(area);
    }
  }

  /** Sizes double, so that a few areas serve every query. */
  #newScratch(bytes: number): Scratch {
    const rounded = Math.max(leastScratch, 2 ** Math.ceil(Math.log2(bytes)));
    return { at: this.allocate(rounded), bytes: rounded };
  }

  /** Lends an uninitialized bitmap of one bit per row while `work` runs. */
  withBitmap<Result>(work: (bits: number) => Result): Result {
    const bits = this.#free.pop() ?? this.allocate(this.words * 8);
    try {
      return work(bits);
    } finally {
      this.#free.push(bits);
    }
  }
}
