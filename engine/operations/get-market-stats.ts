/** GET markets-stats/{fips}/stats/: what sells in a county, by acreage. */
import Type, { type Static } from 'typebox';
import { marketBuckets } from '../comps/market-buckets.ts';
import { type MarketNumbers, marketNumberDocs, marketStats } from '../comps/market-stats.ts';
import { countyRegion } from '../comps/regions.ts';
import { andThen } from '../land/answered.ts';
import type { CountyState } from '../land/land-reader.ts';
import { compNotices } from '../land/notices.ts';
import { EngineError } from '../spec/errors.ts';
import { count, fipsSchema, normalFips, oneOf, orNull, strict } from '../spec/value-schemas.ts';
import { regionFields } from './list-regions.ts';
import { defineOperation, telling } from './operation.ts';

const price = 10;

const isCount = (name: string): boolean => name.endsWith('_count');

export const marketNumbersSchema = Type.Unsafe<MarketNumbers>(
  Type.Object(
    Object.fromEntries(
      Object.entries(marketNumberDocs).map(([name, description]) => [
        name,
        isCount(name) ? count(description) : orNull(Type.Number(), { description }),
      ]),
    ),
    strict,
  ),
);

const bucketSchema = Type.Object(
  {
    type: oneOf(
      marketBuckets.map(({ type }) => type),
      { description: 'Range of lot sizes; its lower edge belongs to it, its upper does not.' },
    ),
    data: marketNumbersSchema,
  },
  strict,
);

const output = Type.Object({ ...regionFields, stats: Type.Array(bucketSchema) }, { ...strict, title: 'MarketStats' });
export type MarketStats = Static<typeof output>;

/**
 * The county to answer about. A superseded code answers while data under it is loaded.
 * @throws EngineError not_found
 */
function standingCounty(fips: string, county: CountyState | undefined): CountyState {
  if (!county) throw new EngineError('not_found', `No county has the FIPS code ${fips}.`);
  if (county.superseded_by !== null && !county.hasParcels && !county.hasComps) {
    throw new EngineError(
      'not_found',
      `${county.name} (${fips}) is superseded: ask for ${county.superseded_by.split(' ').join(', ')}.`,
    );
  }
  return county;
}

export const getMarketStats = defineOperation({
  name: 'get_market_stats',
  summary: "Get a county's land market by acreage",
  docs: `Sales and listings of a county in ${marketBuckets.length} ranges of acreage, over the last twelve months: sales by their sold date, listings by when they were last seen. Null without values for a median or a ratio. \`save_market\` takes the region's \`id\`.`,
  http: { method: 'GET', path: 'markets-stats/{fips}/stats/', status: 200 },
  scope: 'read',
  needsPlan: true,
  meteringKey: 'public_market_stats',
  priceDocs: `${price} tokens; 0 when there is no such county`,
  quote: () => price,
  price: () => price,
  input: Type.Object({ fips: fipsSchema({ description: 'The county.' }) }, strict),
  output,
  hasNotices: true,
  table: {
    columns: ['type', ...Object.keys(marketNumberDocs)],
    rows: ({ stats }) => stats.map(({ type, data }): MarketNumbers & { type: string } => ({ type, ...data })) as never,
    total: ({ stats }) => stats.length,
  },
  run: (input, context) => {
    const fips = normalFips(input.fips);
    return context.land.reading((land) =>
      andThen(land.counties([fips]), ([found]) => {
        const region = countyRegion(standingCounty(fips, found));
        return telling(
          context,
          () => compNotices(land, fips),
          () => andThen(land.marketComps(fips, context.now()), (comps) => ({ ...region, stats: marketStats(comps) })),
        );
      }),
    );
  },
  examples: [{ title: 'The sample county', input: { fips: '99001' } }],
});
