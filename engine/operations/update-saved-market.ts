/** PATCH markets/{id}/: changes the status or the place of a saved market. */
import Type from 'typebox';
import { andThen } from '../land/answered.ts';
import { nonFieldErrors, validationError } from '../spec/errors.ts';
import { strict, wholeNumberSchema } from '../spec/value-schemas.ts';
import type { AccountStore } from '../store/account-store.ts';
import { defineOperation, free } from './operation.ts';
import {
  marketIdField,
  marketOf,
  marketRow,
  marketRows,
  renumber,
  savedMarketSchema,
  statusField,
} from './saved-market-list.ts';

/** Moves a market; the others keep their order. */
function move(account: AccountStore, id: number, position: number): void {
  const others = marketRows(account)
    .map((row) => row.market_id)
    .filter((other) => other !== id);
  renumber(account, others.toSpliced(position - 1, 0, id));
}

export const updateSavedMarket = defineOperation({
  name: 'update_saved_market',
  summary: 'Change a saved market',
  docs: 'Changes the status of a saved market, its place in the list, or both. The others keep their order; a position beyond the end means the end.',
  http: { method: 'PATCH', path: 'markets/{id}/', status: 200 },
  scope: 'write',
  needsPlan: true,
  ...free,
  input: Type.Object(
    {
      id: marketIdField,
      status: Type.Optional(statusField),
      position: Type.Optional(
        wholeNumberSchema(1, Number.MAX_SAFE_INTEGER, { description: 'Place in the list, from 1.' }),
      ),
    },
    strict,
  ),
  output: savedMarketSchema,
  run: ({ id, status, position }, { account, land, now }) => {
    if (status === undefined && position === undefined) {
      throw validationError({ [nonFieldErrors]: ['at least one of status and position is needed'] });
    }
    return andThen(land.regions(), (regions) =>
      account.file.transaction(() => {
        const row = marketRow(account, id);
        if (position !== undefined) move(account, id, position);
        account.file.run(
          'UPDATE saved_markets SET status = ?, updated_at = ? WHERE market_id = ?',
          status ?? row.status,
          now().toISOString(),
          id,
        );
        return marketOf(marketRow(account, id), regions);
      }),
    );
  },
  // None: examples run on the sample, which has no saved market.
  examples: [],
});
