/** A thread of an enrichment: gets the layer once, then chunks of parcels, and answers findings. Touches no file. */
import { parentPort, workerData } from 'node:worker_threads';
import { type ComputeContext, LayerComputer } from './compute.ts';
import type { ParcelChunk } from './parcel-chunk.ts';

const computer = new LayerComputer(workerData as ComputeContext);

parentPort?.on('message', (chunk: ParcelChunk) => {
  // which features were used is asked parcel by parcel (explain-parcel.ts): for a county it would double the traffic
  const findings = computer.compute(chunk).map((finding) => ({ ...finding, used: [] }));
  parentPort?.postMessage({ start: chunk.start, findings });
});
