/**
 * Loads the kernels for a memory: WebAssembly with SIMD (`kernels.wasm`), plus memset and memmove in plain JavaScript.
 */
import fs from 'node:fs';
import os from 'node:os';
import { codeFile } from '../package-root.ts';
import { EngineError } from '../spec/errors.ts';
import type { BitmapKernels, Kernels } from './kernels.ts';
import type { KernelMemory } from './kernels-memory.ts';

declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: { env: { memory: KernelMemory } }) => { readonly exports: object };
};

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
