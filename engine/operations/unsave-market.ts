/** DELETE markets/{id}/: takes a market off the list. */
import Type from 'typebox';
import { strict } from '../spec/value-schemas.ts';
import { defineOperation, free } from './operation.ts';
import { marketIdField, marketRow, marketRows, renumber } from './saved-market-list.ts';

export const unsaveMarket = defineOperation({
  name: 'unsave_market',
  summary: 'Remove a saved market',
  docs: 'Takes a market off the list; those behind it move up. Nothing else is lost: the region can be saved again.',
  http: { method: 'DELETE', path: 'markets/{id}/', status: 204 },
  scope: 'write',
  needsPlan: true,
  ...free,
  input: Type.Object({ id: marketIdField }, strict),
  output: Type.Null(),
  run: ({ id }, { account }) =>
    account.file.transaction(() => {
      marketRow(account, id);
      account.file.run('DELETE FROM saved_markets WHERE market_id = ?', id);
      renumber(
        account,
        marketRows(account).map((row) => row.market_id),
      );
      return null;
    }),
  // None: an example runs by itself on the sample, where no market is saved.
  examples: [],
});
