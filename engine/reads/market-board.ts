/** The market board: saved markets in the API's order, with their paid numbers. */
import Type from 'typebox';
import { marketBuckets } from '../comps/market-buckets.ts';
import { marketNumbersSchema } from '../operations/get-market-stats.ts';
import { listSavedMarkets } from '../operations/list-saved-markets.ts';
import { runAtHome } from '../operations/operation.ts';
import { savedMarketSchema } from '../operations/saved-market-list.ts';
import { hasComps } from '../query/comp-query.ts';
import { noInput, orNull, strict } from '../spec/value-schemas.ts';
import { allMarketNumbers } from '../work/market-numbers.ts';
import { defineRead, type ReadContext } from './read.ts';

export const marketBoard = defineRead({
  name: 'market_board',
  docs: 'The saved markets in their order, each with the market numbers last paid for in this app and whether its county has comps; the ranges of acreage.',
  input: noInput,
  output: Type.Object(
    {
      markets: Type.Array(
        Type.Object(
          {
            ...savedMarketSchema.properties,
            numbers: orNull(
              Type.Object(
                { asked_at: Type.String(), buckets: Type.Record(Type.String(), marketNumbersSchema) },
                strict,
              ),
              {
                description:
                  'For the whole county, also for a ZIP: the API counts markets by county. Null: never requested.',
              },
            ),
            has_comps: Type.Boolean({ description: 'Whether the county has any sale or listing to count.' }),
          },
          strict,
        ),
      ),
      buckets: Type.Array(Type.String(), {
        description: 'Ranges of acreage as the numbers name them, in their order.',
      }),
    },
    strict,
  ),
  run: (_input, context) => {
    const numbers = new Map(
      allMarketNumbers(context.account).map(({ fips, asked_at: at, stats }) => [
        fips,
        { asked_at: at, buckets: Object.fromEntries(stats.map(({ type, data }) => [type, data])) },
      ]),
    );
    const known = new Map<string, boolean>();
    const countyHasComps = (fips: string): boolean => {
      const found = known.get(fips) ?? hasComps(context.land, fips);
      known.set(fips, found);
      return found;
    };
    return {
      markets: savedMarkets(context).map((market) => ({
        ...market,
        numbers: numbers.get(market.region.fips) ?? null,
        has_comps: countyHasComps(market.region.fips),
      })),
      buckets: marketBuckets.map(({ type }) => type),
    };
  },
});

/** Calls the free operation itself, so that the board and GET markets/ cannot differ. */
const savedMarkets = (context: ReadContext) => runAtHome(listSavedMarkets, {}, context);
