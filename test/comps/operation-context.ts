/** Runs operations without an engine's pipeline: no plan, no charge, no registration. */
import type { Engine } from '../../engine/engine.ts';
import type { OperationContext } from '../../engine/operations/operation.ts';

export const contextOf = ({ land, account, people, now }: Engine): OperationContext => ({
  land,
  account,
  people,
  now,
  pageLink: (page) => `?page=${page}`,
});
