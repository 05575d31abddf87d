/** The WebAssembly memory of one county, and the kernels (`kernels.wasm`) over it. */
import fs from 'node:fs';
import os from 'node:os';
import { codeFile } from '../package-root.ts';
import { EngineError } from '../spec/errors.ts';
import type { BitmapKernels, Kernels } from './kernels.ts';

const pageBytes = 65_536;

/**
 * A memory of WebAssembly. Declares the types, which TypeScript only has with the DOM.
 */
export interface KernelMemory {
  readonly buffer: ArrayBuffer;
  /** Adds pages of 64 KiB; returns the previous count. */
  grow(pages: number): number;
}

declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: { env: { memory: KernelMemory } }) => { readonly exports: object };
  readonly Memory: new (limits: { initial: number; maximum: number }) => KernelMemory;
};

/** One page less than 4 GiB: the offset one byte past the end still fits. */
const maximumPages = 65_535;

/**
 * A memory of at least `bytes` bytes that can grow to nearly 4 GiB. It reserves address space only: the system commits
 * a page on its first write.
 */
export const createMemory = (bytes: number): KernelMemory =>
  new WebAssembly.Memory({ initial: Math.ceil(bytes / pageBytes), maximum: maximumPages });

type NativeKernels = Pick<BitmapKernels, 'fillRows' | 'clear' | 'copy'>;

let compiled: object | undefined;

/** Once per thread. V8 refuses SIMD on processors without SSE 4.1, from before 2008. */
function compile(): object {
  const bytes = fs.readFileSync(codeFile('columns/kernels.wasm'));
  try {
    return new WebAssembly.Module(bytes);
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new EngineError(
      'unfit_processor',
      `Platbook needs WebAssembly SIMD (an ARM64 processor, or an Intel or AMD one with SSE 4.1, as since 2008), found ${os.cpus()[0]?.model.trim() ?? 'an unknown processor'} (${process.arch}), which refuses it: ${said}`,
      { cause: error },
    );
  }
}

/** Call it before a home is opened. @throws EngineError unfit_processor where the kernels cannot run */
export function requireKernels(): void {
  compiled ??= compile();
}

/**
 * The kernels over one memory; the code is shared by all memories of a thread.
 * @throws EngineError unfit_processor
 */
export function loadKernels(memory: KernelMemory): Kernels {
  compiled ??= compile();
  const { exports } = new WebAssembly.Instance(compiled, { env: { memory } });
  return { ...nativeKernels(memory), ...(exports as Omit<Kernels, keyof NativeKernels>) };
}

function nativeKernels(memory: KernelMemory): NativeKernels {
  let view = new Uint32Array(memory.buffer);
  // Growing a memory detaches its buffer, which leaves no length. To ask the memory for its buffer takes a call.
  const current = (): Uint32Array => {
    if (view.length === 0) view = new Uint32Array(memory.buffer);
    return view;
  };
  return {
    fillRows: (bits, words, rows) => {
      const u32 = current();
      const first = bits >>> 2;
      const full = rows >>> 5;
      u32.fill(0xffff_ffff, first, first + full);
      u32.fill(0, first + full, first + words * 2);
      if ((rows & 31) !== 0) u32[first + full] = 2 ** (rows & 31) - 1;
    },
    clear: (bits, words) => void current().fill(0, bits >>> 2, (bits >>> 2) + words * 2),
    copy: (to, from, words) => void current().copyWithin(to >>> 2, from >>> 2, (from >>> 2) + words * 2),
  };
}

/** Columns begin at a cache line. */
const alignment = 64;
const leastScratch = 4096;

interface Scratch {
  readonly at: number;
  readonly bytes: number;
}

/**
 * The memory of one county: columns are allocated and stay, bitmaps are lent and returned. It never shrinks; a county is
 * evicted whole.
 */
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

/*
 * Loads the kernels for a memory: WebAssembly with SIMD (`kernels.wasm`), plus memset and memmove in plain JavaScript.
 */
