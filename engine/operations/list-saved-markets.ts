/** GET markets/: the saved markets in their order. */
import Type from 'typebox';
import { andThen } from '../land/answered.ts';
import { noInput } from '../spec/value-schemas.ts';
import { defineOperation, free } from './operation.ts';
import { marketOf, marketRows, savedMarketSchema } from './saved-market-list.ts';

export const listSavedMarkets = defineOperation({
  name: 'list_saved_markets',
  summary: 'List the saved markets',
  docs: 'A plain array of the saved markets, in the order in which they are pinned.',
  http: { method: 'GET', path: 'markets/', status: 200 },
  scope: 'read',
  needsPlan: true,
  ...free,
  input: noInput,
  output: Type.Array(savedMarketSchema),
  table: {
    columns: ['id', 'region_id', 'type', 'name', 'state', 'county_name', 'fips', 'status', 'created_at', 'updated_at'],
    rows: (markets) => markets.map(({ id, region, ...rest }) => ({ ...region, ...rest, id, region_id: region.id })),
    total: (markets) => markets.length,
  },
  run: (_input, { account, land }) =>
    andThen(land.regions(), (regions) => marketRows(account).map((row) => marketOf(row, regions))),
  examples: [{ title: 'All saved markets', input: {} }],
});
