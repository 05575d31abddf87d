/** The code of each errand; runs in a worker process. */
import { backupHome } from '../backup/backup-home.ts';
import { deleteContact } from '../backup/delete-contact.ts';
import { prepareRestore } from '../backup/restore-home.ts';
import { shareLand } from '../backup/share-land.ts';
import { indexStaleCounties } from '../columns/keep-index.ts';
import type { Unwanted } from '../people/unwanted.ts';
import { keepMarkets } from '../query/train-market.ts';
import { openLandStore } from '../store/land-store.ts';
import type { errands } from './errand-kinds.ts';
import type { Works } from './task-kind.ts';
import type { DoWork, WorkerOrder, WorkTools } from './worker-messages.ts';

export interface Tools extends Pick<WorkTools, 'onStep'> {
  readonly home: string;
  readonly now: Date;
}

const works = {
  index_stale: (_input, { home, onStep }) => {
    const land = openLandStore(home, () => performance.now());
    try {
      return indexStaleCounties(land.file, onStep);
    } finally {
      land.close();
    }
  },
  keep_markets: (_input, { home, now, onStep }) => {
    const land = openLandStore(home, () => performance.now());
    try {
      return keepMarkets(land, now, onStep);
    } finally {
      land.close();
    }
  },
  backup: ({ file, only_my_work: onlyMyWork }, { home, now }) => backupHome(home, file, { onlyMyWork, now }),
  prepare_restore: ({ file, only_my_work: onlyMyWork }, { home, now }) =>
    prepareRestore(home, file, { onlyMyWork, now }),
  delete_contact: (unwanted, { home, now }) => deleteContact(home, unwanted as Unwanted, now),
  share: ({ file }, { home }) => shareLand(home, file),
} satisfies Works<typeof errands, Tools>;

export type ErrandWorks = typeof works;

export const doWork: DoWork = async ({ kind, input, home, now }: WorkerOrder, { onStep }) =>
  works[kind as keyof ErrandWorks](input as never, { home, now: new Date(now), onStep });
