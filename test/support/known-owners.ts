/** Works out neighbors, owners and holdings of a home, as the app does by itself. */
import { indexStaleCounties } from '../../engine/columns/update-index.ts';
import type { Engine } from '../../engine/engine.ts';
import { readVerdicts, updateOwners } from '../../engine/owners/update-owners.ts';
import { findStaleNeighbours } from '../../engine/query/find-neighbours.ts';

/** @returns the FIPS codes of counties that were stale */
export function workOutOwners({ land, account }: Pick<Engine, 'land' | 'account'>): string[] {
  indexStaleCounties(land.file);
  findStaleNeighbours(land.file);
  return updateOwners(land.file, readVerdicts(account.file));
}
