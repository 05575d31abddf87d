/** Electron's own binary, where there is one. */
import { expect, test } from 'vitest';
import { findBinary, notRun, tryBinary } from './binary.ts';

const binary = findBinary();
if (!binary) console.warn(`SKIPPED: the app in Electron: ${notRun}`);

test.skipIf(!binary)('the app starts, shows its window, the sample county and a tile, and quits', async () => {
  expect(await tryBinary(binary ?? '')).toEqual(['starts', 'window', 'sample county', 'a tile', 'quit']);
});
