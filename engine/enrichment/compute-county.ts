/** Computes the findings of all parcels of a county, chunk by chunk, on threads or in this thread. */
import { Worker } from 'node:worker_threads';
import { scriptPath } from '../package-root.ts';
import { type ComputeContext, LayerComputer, type ParcelFinding } from './compute.ts';
import type { ParcelChunk } from './parcel-chunk.ts';

interface Answer {
  readonly start: number;
  readonly findings: ParcelFinding[];
}

interface CountyComputation {
  readonly context: ComputeContext;
  readonly chunks: Iterator<ParcelChunk>;
  /** 1: no thread is started */
  readonly threads: number;
  /** Receives findings in any order; an error that it throws ends the computation. */
  readonly onFindings: (start: number, findings: ParcelFinding[]) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Throws the signal's reason, or an AbortError, if the signal is aborted. */
function throwIfAborted(signal: AbortSignal | undefined): void {
  signal?.throwIfAborted();
}

/** Yields one turn of the event loop to timers, messages and the caller's signal. */
export const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export async function computeCounty(computation: CountyComputation): Promise<void> {
  if (computation.threads > 1) return computeOnThreads(computation);
  const { context, chunks, onFindings, signal } = computation;
  const computer = new LayerComputer(context);
  for (let next = chunks.next(); !next.done; next = chunks.next()) {
    onFindings(next.value.start, computer.compute(next.value));
    await breathe();
    throwIfAborted(signal);
  }
}

/** Per thread. */
const chunksUnderWay = 2;

/** Sources run as .ts, the built package as .js: the worker's file ends as this one does. */

async function computeOnThreads(computation: CountyComputation): Promise<void> {
  const { context, threads } = computation;
  // without this process's flags: the worker must not load a test runner's loaders
  const workers = Array.from(
    { length: threads },
    () => new Worker(scriptPath('enrichment/enrichment-worker'), { workerData: context, execArgv: [] }),
  );
  const stop = new AbortController();
  try {
    await Promise.all(workers.map((worker) => feed(worker, computation, stop)));
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

/** Feeds a thread with chunks until none is left; two are always queued, so that it never waits. */
function feed(worker: Worker, computation: CountyComputation, stop: AbortController): Promise<void> {
  const { chunks, onFindings, signal } = computation;
  return new Promise((resolve, reject) => {
    let underWay = 0;
    const fail = (error: unknown): void => {
      stop.abort();
      reject(error);
    };
    const give = (): void => {
      const next = stop.signal.aborted ? null : chunks.next();
      if (next && !next.done) {
        const { shapes, shapeStarts, points } = next.value;
        underWay++;
        worker.postMessage(next.value, [shapes.buffer, shapeStarts.buffer, points.buffer]);
      } else if (underWay === 0) {
        resolve();
      }
    };
    const guarded = (work: () => void): void => {
      try {
        throwIfAborted(signal);
        work();
      } catch (error) {
        fail(error);
      }
    };
    worker.on('error', fail);
    worker.on('exit', (code) => fail(new Error(`a thread of the enrichment ended with code ${code}`)));
    worker.on('message', ({ start, findings }: Answer) =>
      guarded(() => {
        underWay--;
        if (!stop.signal.aborted) onFindings(start, findings);
        give();
      }),
    );
    for (let chunk = 0; chunk < chunksUnderWay; chunk++) guarded(give);
  });
}
