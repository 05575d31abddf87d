/** The code of tasks that look after a home: indexes, models of markets, copies, a person who is to be forgotten. */
import { backupHome } from '../../backup/backup-home.ts';
import { deleteContact } from '../../backup/delete-contact.ts';
import { prepareRestore } from '../../backup/restore-home.ts';
import { shareLand } from '../../backup/share-land.ts';
import { indexStaleCounties } from '../../columns/update-index.ts';
import { readVerdicts, updateOwners } from '../../owners/update-owners.ts';
import type { Unwanted } from '../../people/unwanted.ts';
import { findStaleNeighbours } from '../../query/find-neighbours.ts';
import { readSaleVerdicts, strikeAll } from '../../query/suspect-sales.ts';
import { keepMarkets } from '../../query/train-market.ts';
import type { TaskName } from '../task-kinds.ts';
import { type Code, type LandTools, onLand, withAccount } from './on-land.ts';

/**
 * Works out owners and holdings where parcels or verdicts changed: by itself, and before a book is printed.
 * @returns the FIPS codes of the counties that were stale
 */
export function keepOwners({ land, home, onStep }: LandTools): string[] {
  const verdicts = withAccount(home, ({ file }) => readVerdicts(file));
  indexStaleCounties(land.file, onStep);
  findStaleNeighbours(land.file, onStep);
  return updateOwners(land.file, verdicts, onStep);
}

export const code = {
  index_stale: onLand((_input, { land, onStep }) => indexStaleCounties(land.file, onStep)),
  find_neighbours: onLand((_input, { land, onStep }) => findStaleNeighbours(land.file, onStep)),
  keep_markets: onLand((_input, { land, home, now, onStep }) => {
    strikeAll(land.file, withAccount(home, readSaleVerdicts), now().toISOString().slice(0, 10));
    return keepMarkets(land, now(), onStep);
  }),
  keep_owners: onLand((_input, tools) => keepOwners(tools)),
  backup: ({ file, only_my_work: onlyMyWork }, { home, now }) => backupHome(home, file, { onlyMyWork, now: now() }),
  prepare_restore: ({ file, only_my_work: onlyMyWork }, { home, now }) =>
    prepareRestore(home, file, { onlyMyWork, now: now() }),
  delete_contact: (unwanted, { home, now }) => deleteContact(home, unwanted as Unwanted, now()),
  share: ({ file }, { home }) => shareLand(home, file),
} satisfies Code<TaskName<'at once'>>;
