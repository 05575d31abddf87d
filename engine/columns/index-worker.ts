/** Runs in a worker thread: indexes the stale counties of a home over a connection of its own, then ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { openLandStore } from '../store/land-store.ts';
import { indexStaleCounties } from './keep-index.ts';

const { home } = workerData as { home: string };
const land = openLandStore(home, () => performance.now());
try {
  parentPort?.postMessage(indexStaleCounties(land.file));
} finally {
  land.close();
}
