/** The ground of the synthetic sample county as an elevation file: cells of degrees, in feet, packed in data/sample. */
import fs from 'node:fs';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { metersPerFoot } from '../geo/local-metric.ts';
import { packageRoot } from '../package-root.ts';
import type { HeightSource } from './project-heights.ts';

/** `width` and `height` in cells of `cell` degrees, southeast of a corner. About 40 m: the finest knolls are some 300 m wide. */
export const sampleGrid = { west: -72.05, north: 44.24, cell: 0.0005, width: 860, height: 560 } as const;

/** Feet are stored in fifths: 3 cm at most beside the ground, half of what a tile rounds by. */
export const stepsPerFoot = 5;

/** One cell more on each side, which interpolation at the edge reads. */
export const packedWidth = sampleGrid.width + 2;

export const packedHeightsFile = path.join(packageRoot, 'data', 'sample', 'heights.br');

const { west, north, cell, width, height } = sampleGrid;

/** Rows and columns of a grid of degrees. */
export const samplePixels: HeightSource['pixels'] = {
  toCells: (path) => path.map((degrees, at) => (at % 2 === 0 ? degrees - west : north - degrees) / cell),
  toDegrees: (column, row) => [west + column * cell, north - row * cell],
};

/** Each cell is stored as its difference from the sum of its left and upper neighbors less the one between these. */
export function openSampleHeights(): HeightSource {
  const bytes = new Uint8Array(brotliDecompressSync(fs.readFileSync(packedHeightsFile)));
  const steps = new Int16Array(bytes.buffer);
  const before = (at: number): number => steps[at] ?? 0;
  for (let at = 0; at < steps.length; at++) {
    const left = at % packedWidth === 0 ? 0 : before(at - 1) - before(at - 1 - packedWidth);
    steps[at] = before(at) + left + before(at - packedWidth);
  }
  const whole = {
    heights: Float32Array.from(steps, (step) => step / stepsPerFoot),
    width: packedWidth,
    left: -1,
    top: -1,
  };
  return { width, height, metersPerUnit: metersPerFoot, pixels: samplePixels, read: async () => whole };
}
