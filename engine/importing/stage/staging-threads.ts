/**
 * Reads and stages a large file in several threads: each reads every so many rows, converts them, and writes them into pages
 * of its own of the one staging file. What they report is taken in the order of the rows, so that an import is the same,
 * problem by problem, whatever the number of threads.
 *
 * Threads start from what the first rows taught. Where one of them meets something that must be known by all (a column that
 * no row had before), or anything goes wrong (a fault of the file, a thread that ends), all that they did is left, and the
 * file is read by one: its words are the exact ones.
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

/** Fewer rows are read before a thread has begun. */
const worthwhileRows = 20_000;
/** Beyond them the disk and the memory of threads count for more than their number. */
const mostThreads = 4;
/** A thread that says nothing for so long has died. */
const patienceMilliseconds = 60_000;
/**
 * Of one thread. A row is forgotten as soon as it is staged: with more room a thread would only clean up later. Where a file
 * needs more, one thread alone reads it, without this limit.
 */
const heapLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 };

const workerFile = path.join(import.meta.dirname, `staging-worker${path.extname(import.meta.filename)}`);

/** What threads staged together. */
export interface StagedInThreads {
  readonly counts: ReadingCounts;
  readonly leaves: StagedLeaves;
  readonly zips: ReadonlySet<StoredValue>;
  readonly places: PlaceCount;
  /** Parcels with a value, for each of `importColumns`. */
  readonly known: readonly number[];
}

/**
 * @param tell told problems as they come
 * @returns null where the file is to be read by one thread, which will tell the same problems again
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

/** Whether there are many rows, and the first of them show every column that the mapping needs. */
function isWorthwhile(layer: ParcelLayer, { mapper }: ImportPlan): boolean {
  try {
    const last = learn(layer, mapper);
    if (last === null || last.row < rowsPerTurn || !mapper.isSettled()) return false;
    const bytes = fs.statSync(layer.elsewhere?.path ?? '').size;
    return (layer.rowCount ?? (bytes * last.row) / last.byteOffset) >= worthwhileRows;
  } catch {
    // A fault of the first rows: one thread says which.
    return false;
  }
}

/** The file is to be read again by one thread. */
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
        // Of the process it would take over options that are for its own script.
        execArgv: [],
      });
      // Without a listener a failure would end the whole process; its silence tells it here.
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

  /** Whose turn is the earliest that was not taken; null when all have ended. */
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

  /** No thread writes to the staging file any more when this returns, or else the file is never closed. */
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
