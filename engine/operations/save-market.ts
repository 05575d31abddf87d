/** POST markets/: saves a county or ZIP as a market. */
import Type from 'typebox';
import { regionId } from '../comps/stable-id.ts';
import { andThen } from '../land/answered.ts';
import type { RegionTable } from '../query/region-query.ts';
import { validationError } from '../spec/errors.ts';
import { strict, type ValueOf } from '../spec/value-schemas.ts';
import { defineOperation, free, type OperationContext } from './operation.ts';
import { type MarketRow, marketOf, type SavedMarket, savedMarketSchema, statusField } from './saved-market-list.ts';

const firstStatus = 'Backlog';

const input = Type.Object(
  {
    region_id: Type.String({
      'x-expected': 'the id of a region (a UUID), from list_regions or get_market_stats',
      pattern: '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$',
      description: 'Id of the region.',
    }),
    status: Type.Optional(statusField),
  },
  strict,
);

/** Answers about new markets: they get 201, markets that existed get 200. */
const justMade = new WeakSet<SavedMarket>();

function save(
  { region_id: region, status }: ValueOf<typeof input>,
  { account, now }: OperationContext,
  regions: RegionTable,
): SavedMarket {
  const { file } = account;
  const at = now().toISOString();
  const standing = file.get<MarketRow>('SELECT * FROM saved_markets WHERE region_id = ?', region);
  if (standing) {
    file.run(
      'UPDATE saved_markets SET status = ?, updated_at = ? WHERE market_id = ?',
      status ?? standing.status,
      at,
      standing.market_id,
    );
  } else {
    file.run(
      `INSERT INTO saved_markets (region_id, status, position, created_at, updated_at)
       VALUES (?, ?, (SELECT coalesce(max(position), 0) + 1 FROM saved_markets), ?, ?)`,
      region,
      status ?? firstStatus,
      at,
      at,
    );
  }
  const row = file.get<MarketRow>('SELECT * FROM saved_markets WHERE region_id = ?', region) as MarketRow;
  const market = marketOf(row, regions);
  if (!standing) justMade.add(market);
  return market;
}

export const saveMarket = defineOperation({
  name: 'save_market',
  summary: 'Save a county or ZIP as a market',
  docs: `Adds a region at the end of the saved markets (201). A region that is already saved keeps its place and gets the given status, if any (200). The default status of a new market is \`${firstStatus}\`.`,
  http: {
    method: 'POST',
    path: 'markets/',
    status: 201,
    otherStatus: { status: 200, is: (market) => !justMade.has(market) },
  },
  scope: 'write',
  needsPlan: true,
  ...free,
  input,
  output: savedMarketSchema,
  run: (given, context) => {
    const id = given.region_id.toLowerCase();
    return andThen(context.land.regions(), (regions) => {
      if (!regions.byId.has(id))
        throw validationError({ region_id: [`there is no region ${id}; list_regions gives their ids`] });
      return context.account.file.transaction(() => save({ ...given, region_id: id }, context, regions));
    });
  },
  examples: [{ title: 'The sample county', input: { region_id: regionId('county', '99001'), status: 'Watching' } }],
});
