/** DELETE markets/{id}/: removes a saved market. */
import Type from 'typebox';
import { strict } from '../spec/value-schemas.ts';
import { defineOperation, free } from './operation.ts';
import { marketIdField, marketRow, marketRows, renumber } from './saved-market-list.ts';

export const unsaveMarket = defineOperation({
  name: 'unsave_market',
  summary: 'Remove a saved market',
  docs: 'Removes a market from the list; those behind it move up. The region can be saved again.',
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
  // None: examples run on the sample, which has no saved market.
  examples: [],
});
