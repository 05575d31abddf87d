/**
 * Runs in a worker thread: builds a county's column index from staged rows. Holds no database, so it can be terminated
 * at any time.
 */
import { workerData } from 'node:worker_threads';
import { buildCounty } from '../../columns/build-county.ts';
import { type IndexNews, type IndexOrder, indexSlots } from './index-beside.ts';
import { stagedCountySource } from './staged-county.ts';

/** Limit of bytes waiting, plus one segment of any size: the codes of a million rows take 1 to 4 MB. */
const mostWaitingBytes = 16 * 1024 * 1024;

class Stopped extends Error {}

const { county, port, shared } = workerData as IndexOrder;
const waiting: number[] = [];
let taken = 0;
let waitingBytes = 0;

function settle(): void {
  for (const now = Atomics.load(shared, indexSlots.taken); taken < now; taken++) waitingBytes -= waiting.shift() ?? 0;
}

function send(news: IndexNews, bytes: number, transfer: ArrayBuffer[]): void {
  for (settle(); waitingBytes > mostWaitingBytes; settle()) {
    if (Atomics.load(shared, indexSlots.stop) === 1) throw new Stopped();
    Atomics.wait(shared, indexSlots.taken, taken);
  }
  waiting.push(bytes);
  waitingBytes += bytes;
  port.postMessage(news, transfer);
  Atomics.add(shared, indexSlots.news, 1);
  Atomics.notify(shared, indexSlots.news);
}

try {
  const directory = buildCounty(stagedCountySource(county), (name, bytes) => {
    if (Atomics.load(shared, indexSlots.stop) === 1) throw new Stopped();
    // A copy: a builder may reuse its buffer.
    const copy = new Uint8Array(bytes);
    send({ type: 'segment', name, bytes: copy }, copy.length, [copy.buffer]);
  });
  send({ type: 'end', directory }, 0, []);
} catch {
  // The index is then built from the table.
  if (Atomics.load(shared, indexSlots.stop) === 0) send({ type: 'failed' }, 0, []);
} finally {
  Atomics.store(shared, indexSlots.ended, 1);
  Atomics.notify(shared, indexSlots.ended);
}
