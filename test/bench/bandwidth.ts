/** How fast this machine reads memory: a single-threaded sum over 256 MB in WebAssembly. */

import { createMemory, loadKernels } from '../../engine/columns/county-memory.ts';

const bytes = 256 * 1024 * 1024;

/** Bytes per second; the best of 20 runs, because disturbances only slow a run down. */
export function measureBandwidth(): number {
  const memory = createMemory(bytes);
  // a page that was never written is one and the same page of zeros
  new Uint32Array(memory.buffer).fill(1);
  const kernels = loadKernels(memory);
  let best = 0;
  for (let run = 0; run < 22; run++) {
    const began = performance.now();
    if (kernels.sum(0, bytes) !== bytes / 4) throw new Error('the sum over the memory is wrong');
    const seconds = (performance.now() - began) / 1000;
    if (run >= 2) best = Math.max(best, bytes / seconds);
  }
  return best;
}
