/** PATCH markets/{id}/: another status, another place in the list. */
import Type from 'typebox';
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

/** The others keep their order among each other. */
function move(account: AccountStore, id: number, position: number): void {
  const others = marketRows(account)
    .map((row) => row.market_id)
    .filter((other) => other !== id);
  renumber(account, others.toSpliced(position - 1, 0, id));
}

export const updateSavedMarket = defineOperation({
  name: 'update_saved_market',
  summary: 'Change a saved market',
  docs: 'Gives a saved market another status, another place in the list, or both. The others keep their order; a position beyond the end is the end.',
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
    return account.file.transaction(() => {
      const row = marketRow(account, id);
      if (position !== undefined) move(account, id, position);
      account.file.run(
        'UPDATE saved_markets SET status = ?, updated_at = ? WHERE market_id = ?',
        status ?? row.status,
        now().toISOString(),
        id,
      );
      return marketOf(marketRow(account, id), land);
    });
  },
  // None: an example runs by itself on the sample, where no market is saved.
  examples: [],
});
