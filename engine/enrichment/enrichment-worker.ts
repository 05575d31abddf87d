/** Worker thread of an enrichment: receives the layer once, then chunks of parcels, and posts findings. Opens no file. */
import { parentPort, workerData } from 'node:worker_threads';
import { type ComputeContext, LayerComputer } from './compute.ts';
import type { ParcelChunk } from './parcel-chunk.ts';

const computer = new LayerComputer(workerData as ComputeContext);

parentPort?.on('message', (chunk: ParcelChunk) => {
  // used features are computed on request (explain-parcel.ts); sending them for a county would double the traffic
  const findings = computer.compute(chunk).map((finding) => ({ ...finding, used: [] }));
  parentPort?.postMessage({ start: chunk.start, findings });
});
