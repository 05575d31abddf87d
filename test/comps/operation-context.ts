/** Runs operations without an engine's pipeline: no plan, no charge, no registration. */
import type { Engine } from '../../engine/engine.ts';
import { LocalLand } from '../../engine/land/local-land.ts';
import type { OperationContext } from '../../engine/operations/operation.ts';

export const contextOf = ({ land, account, people, now }: Engine): OperationContext => ({
  land: new LocalLand(land),
  account,
  people,
  now,
  pageLink: (page) => `?page=${page}`,
});
