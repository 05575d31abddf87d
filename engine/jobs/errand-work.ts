/**
 * What the host has done in a process of its own without it being a job: nobody lists it, and nothing waits behind it.
 * A process rather than a thread: a thread in which the SQLite driver is loaded can take the host down when it ends.
 */
import { backupTasks } from '../backup/backup-tasks.ts';
import { indexStaleCounties } from '../columns/keep-index.ts';
import { openLandStore } from '../store/land-store.ts';

export interface ErrandTools {
  readonly home: string;
  /** Called between two steps of what holds the loop for long. */
  readonly onStep: () => void;
}

/** Input of each by its name; the report is what it returns. */
export const errands = {
  ...backupTasks,
  /** Indexes the stale counties of the home. @returns their FIPS codes */
  index_stale: (_input: null, { home, onStep }: ErrandTools): Promise<string[]> => {
    const land = openLandStore(home, () => performance.now());
    try {
      return Promise.resolve(indexStaleCounties(land.file, onStep));
    } finally {
      land.close();
    }
  },
} as const;

export type Errands = typeof errands;
export type ErrandName = keyof Errands;

/** @throws EngineError as the errand does */
export const doErrand = async (name: ErrandName, input: unknown, tools: ErrandTools): Promise<unknown> =>
  (errands[name] as (input: unknown, tools: ErrandTools) => Promise<unknown>)(input, tools);
