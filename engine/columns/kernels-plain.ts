/** The kernels in plain JavaScript: what the WASM ones must equal, and what answers where WebAssembly has no SIMD. */
import type { Kernels } from './kernels.ts';
import { type KernelMemory, openViews } from './kernels-memory.ts';
import { plainBitmaps } from './kernels-plain-bitmaps.ts';
import { plainBoxes } from './kernels-plain-boxes.ts';
import { plainColumns } from './kernels-plain-columns.ts';
import { plainOrders } from './kernels-plain-orders.ts';

export function plainKernels(memory: KernelMemory): Kernels {
  const views = openViews(memory);
  const bitmaps = plainBitmaps(views);
  return {
    ...bitmaps,
    ...plainColumns(views),
    ...plainOrders(views),
    ...plainBoxes(views),
    sum: (at, bytes) => {
      const { u32 } = views();
      let sum = 0;
      for (let index = at >>> 2, end = index + (bytes >>> 2); index < end; index++)
        sum = (sum + (u32[index] as number)) | 0;
      return sum;
    },
  };
}
