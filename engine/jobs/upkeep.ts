/**
 * What an engine keeps up to date by itself, in worker processes, one run at a time: column indexes, pairs of
 * neighbors, owners, and models of markets; and photos that are not sharp yet, once, at the opening.
 */
import path from 'node:path';
import { listImagery } from '../imagery/list-imagery.ts';
import { hasStaleOwners } from '../owners/update-owners.ts';
import type { LandStore } from '../store/land-store.ts';
import type { TaskRunner } from './task-runner.ts';

/** Pause between two runs: a program that edits all day must not keep a core busy. */
const restMilliseconds = 2000;

/** A run in a process of its own. */
interface Run {
  /** Settles when the process has ended. */
  readonly report: Promise<unknown>;
  readonly kill: () => void;
  readonly unref: () => void;
}

class BackgroundRuns {
  readonly #begin: () => Run;
  #running: Run | null = null;
  #isResting = false;
  #isWanted = false;
  #isClosed = false;

  constructor(begin: () => Run) {
    this.#begin = begin;
  }

  /** Called when something is found stale. */
  readonly wake = (): void => {
    if (this.#isClosed) return;
    if (this.#running || this.#isResting) {
      this.#isWanted = true;
      return;
    }
    this.#isWanted = false;
    this.#running = this.#begin();
    // Lets a script that has nothing else to do exit and end this run; the next script starts another.
    this.#running.unref();
    process.once('exit', this.close);
    // An error here (a full disk, a locked file) also reaches the next writer, who reports it.
    this.#running.report.catch(() => {}).finally(() => this.#rest());
  };

  #rest(): void {
    this.#running = null;
    process.off('exit', this.close);
    this.#isResting = true;
    setTimeout(() => {
      this.#isResting = false;
      if (this.#isWanted) this.wake();
    }, restMilliseconds).unref();
  }

  /** Aborts the run and discards it. */
  readonly close = (): void => {
    this.#isClosed = true;
    this.#running?.kill();
  };
}

interface Upkeep {
  readonly keepsIndexes?: boolean;
  /** Owners and photos too: what a program that stays open has time for. */
  readonly keepsMarkets?: boolean;
}

/** Photos that a cancel or a kill left; those that are not where they were cannot be made sharp. */
function isUnsharp(land: LandStore): boolean {
  try {
    return listImagery(path.dirname(land.file.path), land.imagery).some(({ state }) => state < 1);
  } catch {
    // A damaged file: `platbook check` names it.
    return false;
  }
}

/** @returns what ends it */
export function beginUpkeep(
  land: LandStore,
  tasks: TaskRunner,
  { keepsIndexes = true, keepsMarkets = false }: Upkeep,
): () => void {
  const keepers: BackgroundRuns[] = [];
  const keep = (task: 'index_stale' | 'find_neighbours' | 'keep_markets' | 'keep_owners') => {
    const keeper = new BackgroundRuns(() => tasks.begin(task, {}));
    keepers.push(keeper);
    return keeper.wake;
  };
  if (keepsIndexes) land.onStaleIndex = keep('index_stale');
  if (keepsIndexes) land.onStaleNeighbours = keep('find_neighbours');
  if (keepsMarkets) {
    land.onStaleMarket = keep('keep_markets');
    // What a killed import left; a home without comps has no markets.
    if (land.file.column('SELECT 1 FROM comps LIMIT 1').length > 0) land.onStaleMarket();
    land.onStaleOwners = keep('keep_owners');
    if (hasStaleOwners(land.file)) land.onStaleOwners();
    // Listed: it is seen and cancelled as a job, and waits for photos that are being added.
    if (isUnsharp(land)) tasks.start('sharpen_imagery', {});
  }
  return () => {
    for (const keeper of keepers) keeper.close();
  };
}
