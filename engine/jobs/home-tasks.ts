/** The tasks of an open home: its runner, and what a listed job needs of its files. */
import os from 'node:os';
import { readJobNote } from '../store/job-note.ts';
import type { LandStore } from '../store/land-store.ts';
import type { PeopleStore } from '../store/people-store.ts';
import { forkWorker } from './fork-worker.ts';
import { removeOrphans } from './leftovers.ts';
import { TaskRunner } from './task-runner.ts';
import type { WorkerOptions } from './worker.ts';
import type { SpawnWorker } from './worker-messages.ts';

interface OpenHome extends Pick<WorkerOptions, 'home' | 'now' | 'log'> {
  /** Absent: forks Node. */
  readonly spawnWorker: SpawnWorker | undefined;
  readonly land: LandStore;
  readonly people: PeopleStore;
}

export const homeTasks = ({ land, people, home, now, log, spawnWorker = forkWorker }: OpenHome): TaskRunner =>
  new TaskRunner({
    home,
    now,
    log,
    spawnWorker,
    threads: os.availableParallelism(),
    opened: {
      countyName: (fips) => land.countyWords(fips),
      findNote: (job) => readJobNote(land.file, job) ?? readJobNote(people.file, job),
      // What a killed writer left would stay beside the file until the next start.
      onLandWritten: () => {
        land.file.checkpoint();
        removeOrphans(land, home);
      },
    },
  });
