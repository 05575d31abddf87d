/**
 * Builds the column index of a county's first parcels in a thread beside the one that writes them. Segments are taken
 * as they arrive: all of them together would fill the memory.
 */
import path from 'node:path';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { CountyDirectory } from '../../columns/county-directory.ts';
import type { StagedCounty } from './staged-county.ts';

export interface IndexOrder {
  readonly county: StagedCounty;
  readonly port: MessagePort;
  /** Numbers by `indexSlots`. */
  readonly shared: Int32Array;
}

export const indexSlots = {
  /** Incremented with each message. */
  news: 0,
  /** Number of messages taken. */
  taken: 1,
  stop: 2,
  ended: 3,
} as const;

export type IndexNews =
  | { readonly type: 'segment'; readonly name: string; readonly bytes: Uint8Array }
  | { readonly type: 'end'; readonly directory: CountyDirectory }
  | { readonly type: 'failed' };

type KeepSegment = (name: string, bytes: Uint8Array) => void;

/** Reading a column of a million rows takes a second; after this much silence the thread counts as dead. */
const patienceMilliseconds = 120_000;
const heapLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 };

const workerFile = path.join(import.meta.dirname, `index-staged-worker${path.extname(import.meta.filename)}`);

export class IndexBeside {
  readonly #worker: Worker;
  readonly #port: MessagePort;
  readonly #shared = new Int32Array(new SharedArrayBuffer(16));
  readonly #keep: KeepSegment;
  #result: CountyDirectory | 'failed' | null = null;

  /** @param keep receives segments during `take` and `finish` */
  constructor(county: StagedCounty, keep: KeepSegment) {
    const { port1, port2: port } = new MessageChannel();
    this.#port = port1;
    this.#keep = keep;
    const order: IndexOrder = { county, port, shared: this.#shared };
    this.#worker = new Worker(workerFile, {
      workerData: order,
      transferList: [port],
      resourceLimits: heapLimits,
      execArgv: [],
    });
    // The timeout detects a failure.
    this.#worker.on('error', () => {});
  }

  /** Takes ready segments, without waiting. */
  take(): void {
    for (;;) {
      const news = receiveMessageOnPort(this.#port)?.message as IndexNews | undefined;
      if (!news) return;
      if (news.type === 'segment') this.#keep(news.name, news.bytes);
      else this.#result = news.type === 'end' ? news.directory : 'failed';
      Atomics.add(this.#shared, indexSlots.taken, 1);
      Atomics.notify(this.#shared, indexSlots.taken);
    }
  }

  /** Waits for the rest. @returns null if the index failed: then discard what was kept */
  finish(): CountyDirectory | null {
    for (;;) {
      const seen = Atomics.load(this.#shared, indexSlots.news);
      this.take();
      if (this.#result !== null) return this.#result === 'failed' ? null : this.#result;
      if (Atomics.wait(this.#shared, indexSlots.news, seen, patienceMilliseconds) === 'timed-out') return null;
    }
  }

  /** @returns true once nothing reads the staging file any more */
  end(): boolean {
    Atomics.store(this.#shared, indexSlots.stop, 1);
    Atomics.notify(this.#shared, indexSlots.taken);
    const isEnded = Atomics.wait(this.#shared, indexSlots.ended, 0, patienceMilliseconds) !== 'timed-out';
    this.#port.close();
    void this.#worker.terminate();
    return isEnded;
  }
}
