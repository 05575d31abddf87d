/**
 * Reads and stages a large file in several threads: each reads, by turns, its share of the rows, converts them, and
 * writes them into its own pages of the one staging file. Their reports are merged in row order, so an import gives the
 * same result, problem by problem, for any number of threads.
 *
 * Threads start with what the first rows taught. If one of them meets something all must know (a new column), or
 * anything fails (a fault of the file, a thread that dies), all their work is discarded, and one thread reads the file:
 * its messages are exact.
 */
import fs from 'node:fs';
import path from 'node:path';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { withParcelLayer } from '../formats/parcel-reader.ts';
import { type ParcelLayer, rowsPerTurn } from '../formats/parcel-source.ts';
import type { StoredValue } from '../values/convert-value.ts';
import { latestDateFor } from './dataset-date.ts';
import { PlaceCount } from './expect-place.ts';
import type { ImportOptions, ImportPlan } from './import-options.ts';
import { progressOf } from './import-options.ts';
import { addCounts, newReadingLog, type ProblemSink, type ReadingCounts } from './import-report.ts';
import { learn } from './learn-columns.ts';
import { RowTotal } from './row-total.ts';
import type { StagedLeaves, StagingFile } from './staged-parcels.ts';
import { type StagingNews, type StagingOrder, slots } from './staging-order.ts';

/** Fewer rows are read faster than a thread starts. */
const worthwhileRows = 20_000;
/** Beyond this number the disk and memory limit the speed. */
const mostThreads = 4;
/** A thread silent for so long counts as dead. */
const patienceMilliseconds = 60_000;
/**
 * Heap limits of a thread. A row is garbage once staged: with more room a thread would only collect later. A file that
 * needs more is read by a single thread, without this limit.
 */
const heapLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 };

const workerFile = path.join(import.meta.dirname, `staging-worker${path.extname(import.meta.filename)}`);

/** The output of all threads. */
export interface StagedInThreads {
  readonly counts: ReadingCounts;
  readonly leaves: StagedLeaves;
  readonly zips: ReadonlySet<StoredValue>;
  readonly places: PlaceCount;
  /** Parcels with a value, for each of `importColumns`. */
  readonly known: readonly number[];
}

/**
 * @param tell receives problems as they come
 * @returns null if one thread has to read the file; it will report the same problems again
 */
export function stageInThreads(
  staging: StagingFile,
  plan: ImportPlan,
  options: ImportOptions,
  tell: ProblemSink,
): StagedInThreads | null {
  const { files = [], threads = 1 } = options;
  const [file] = files;
  if (threads < 2 || files.length !== 1 || file === undefined || plan.table) return null;
  try {
    return withParcelLayer(file, options.reading, (layer) => {
      if (!layer.elsewhere || !isWorthwhile(layer, plan)) return null;
      const team = new Team(staging, plan, options, { ...layer, elsewhere: layer.elsewhere }, path.basename(file));
      try {
        return team.run(tell, layer.rowCount);
      } finally {
        team.end();
      }
    });
  } catch (error) {
    if (error instanceof Undone) return null;
    throw error;
  }
}

/** Whether there are many rows, and the first of them show every column of the mapping. */
function isWorthwhile(layer: ParcelLayer, { mapper }: ImportPlan): boolean {
  try {
    const last = learn(layer, mapper);
    if (last === null || last.row < rowsPerTurn || !mapper.isSettled()) return false;
    const bytes = fs.statSync(layer.elsewhere?.path ?? '').size;
    return (layer.rowCount ?? (bytes * last.row) / last.byteOffset) >= worthwhileRows;
  } catch {
    // A fault in the first rows: a single thread reports it.
    return false;
  }
}

/** One thread has to read the file again. */
class Undone extends Error {}

interface Member {
  readonly worker: Worker;
  readonly port: MessagePort;
  next: StagingNews | null;
}

class Team {
  readonly #staging: StagingFile;
  readonly #options: ImportOptions;
  readonly #members: Member[];
  readonly #shared: Int32Array;

  constructor(
    staging: StagingFile,
    plan: ImportPlan,
    options: ImportOptions,
    layer: ParcelLayer & Required<Pick<ParcelLayer, 'elsewhere'>>,
    name: string,
  ) {
    this.#staging = staging;
    this.#options = options;
    const count = Math.min(options.threads ?? 1, mostThreads);
    this.#shared = new Int32Array(new SharedArrayBuffer(4 * (slots.taken + count)));
    this.#members = Array.from({ length: count }, (_, index) => {
      const { port1: port, port2: theirs } = new MessageChannel();
      const order: StagingOrder = {
        ...{ layer: layer.elsewhere, name, share: { index, of: count }, port: theirs, shared: this.#shared },
        ...{ space: staging.space, date: plan.date, state: plan.state, mapping: options.mapping ?? null },
        latestDate: latestDateFor(plan.date),
      };
      const worker = new Worker(workerFile, {
        workerData: order,
        transferList: [theirs],
        resourceLimits: heapLimits,
        // The worker would inherit options meant for the process's own script.
        execArgv: [],
      });
      // Without a listener an error would end the whole process; here the timeout detects it.
      worker.on('error', () => {});
      return { worker, port, next: null };
    });
  }

  run(tell: ProblemSink, counted: number | null): StagedInThreads {
    const counts = newReadingLog();
    const total = new RowTotal(this.#options);
    total.begin(0, counted);
    const progress = progressOf(this.#options, 'reading parcels', () => total.rows);
    for (let member = this.#first(); member; member = this.#first()) {
      const news = member.next;
      member.next = null;
      if (news?.type !== 'turn') continue;
      for (const problem of news.problems) tell(problem);
      addCounts(counts, news.counts);
      total.take(news.position);
      progress(counts.features_read);
    }
    progress(counts.features_read);
    return { counts, ...together(this.#members) };
  }

  /** The member with the earliest open turn; null when all have ended. */
  #first(): Member | null {
    let first: Member | null = null;
    for (const member of this.#members) {
      member.next ??= this.#wait(member);
      if (member.next.type === 'failed') throw new Undone();
      if (member.next.type === 'end') continue;
      if (first?.next?.type !== 'turn' || member.next.turn < first.next.turn) first = member;
    }
    return first;
  }

  #wait({ port }: Member): StagingNews {
    for (;;) {
      const seen = Atomics.load(this.#shared, slots.news);
      const message = receiveMessageOnPort(port)?.message as StagingNews | undefined;
      if (message) {
        this.#countTaken(port);
        return message;
      }
      if (Atomics.wait(this.#shared, slots.news, seen, patienceMilliseconds) === 'timed-out') throw new Undone();
    }
  }

  #countTaken(port: MessagePort): void {
    const slot = slots.taken + this.#members.findIndex((member) => member.port === port);
    Atomics.add(this.#shared, slot, 1);
    Atomics.notify(this.#shared, slot);
  }

  /** When it returns, no thread writes to the staging file any more; otherwise the file is never closed. */
  end(): void {
    Atomics.store(this.#shared, slots.stop, 1);
    for (const [index] of this.#members.entries()) Atomics.notify(this.#shared, slots.taken + index);
    if (!this.#allEnded()) this.#staging.keepOpen();
    for (const { worker, port } of this.#members) {
      port.close();
      void worker.terminate();
    }
  }

  #allEnded(): boolean {
    for (;;) {
      const ended = Atomics.load(this.#shared, slots.ended);
      if (ended === this.#members.length) return true;
      if (Atomics.wait(this.#shared, slots.ended, ended, patienceMilliseconds) === 'timed-out') return false;
    }
  }
}

function together(members: readonly Member[]): Omit<StagedInThreads, 'counts'> {
  const ends = members.map(({ next }) => {
    if (next?.type !== 'end') throw new Undone();
    return next;
  });
  const places = new PlaceCount();
  for (const end of ends) places.addAll(end.places);
  const leavesOf = (table: keyof StagedLeaves) =>
    ends.flatMap(({ leaves }) => leaves[table]).sort((a, b) => a.last - b.last);
  return {
    leaves: { parcels: leavesOf('parcels'), raw: leavesOf('raw'), refusals: leavesOf('refusals') },
    zips: new Set(ends.flatMap(({ zips }) => zips)),
    places,
    known: (ends[0]?.known ?? []).map((_, position) =>
      ends.reduce((sum, { known }) => sum + (known[position] as number), 0),
    ),
  };
}
