/** Opens the kernels of a memory: WASM with SIMD where the machine has it, the plain twin elsewhere. */
import fs from 'node:fs';
import path from 'node:path';
import type { Kernels } from './kernels.ts';
import type { KernelMemory } from './kernels-memory.ts';
import { plainKernels } from './kernels-plain.ts';

declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: { env: { memory: KernelMemory } }) => { readonly exports: object };
};

export interface LoadedKernels extends Kernels {
  readonly kind: 'wasm' | 'plain';
  /** Why the kernels are the plain ones, as a sentence; null with WASM. */
  readonly reason: string | null;
}

let compiled: { readonly module: object | null; readonly reason: string | null } | undefined;

/** Once per thread. V8 refuses SIMD on processors without SSE 4.1, those of before 2008. */
function compile(): NonNullable<typeof compiled> {
  const bytes = fs.readFileSync(path.join(import.meta.dirname, 'kernels.wasm'));
  try {
    return { module: new WebAssembly.Module(bytes), reason: null };
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return {
      module: null,
      reason: `This machine runs no WebAssembly SIMD, so filters use plain JavaScript (${said}).`,
    };
  }
}

/** The kernels over one memory; the code is shared by all memories of a thread. */
export function loadKernels(memory: KernelMemory): LoadedKernels {
  compiled ??= compile();
  const plain = plainKernels(memory);
  if (compiled.module === null) return { ...plain, kind: 'plain', reason: compiled.reason };
  const { exports } = new WebAssembly.Instance(compiled.module, { env: { memory } });
  return { ...plain, ...(exports as Kernels), kind: 'wasm', reason: null };
}
