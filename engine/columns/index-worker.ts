/** Runs in a worker thread: indexes the stale counties of a home over a connection of its own, then ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { BuildSignal, BuildStopped } from './build-signal.ts';

const { home, cells } = workerData as { home: string; cells: Int32Array };
const signal = new BuildSignal(cells);

async function indexStale(): Promise<string[]> {
  // After the signal: a process that ends while a thread loads the driver goes down with it.
  const { openLandStore } = await import('../store/land-store.ts');
  const { indexStaleCounties } = await import('./keep-index.ts');
  const land = openLandStore(home, () => performance.now());
  try {
    return indexStaleCounties(land.file, signal.throwIfStopped);
  } catch (error) {
    if (error instanceof BuildStopped) return [];
    throw error;
  } finally {
    land.close();
  }
}

if (signal.begin()) {
  try {
    parentPort?.postMessage(await indexStale());
  } finally {
    signal.end();
  }
}
