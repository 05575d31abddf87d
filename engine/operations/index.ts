/** Every operation of the service. A new endpoint is one file, with an import and a line in this table. */
import { filterProperties } from './filter-properties.ts';
import { getAiCompValues } from './get-ai-comp-values.ts';
import { getMarketStats } from './get-market-stats.ts';
import { getOwner } from './get-owner.ts';
import { getProperty } from './get-property.ts';
import { getPropertyAiCompValue } from './get-property-ai-comp-value.ts';
import { getUsage } from './get-usage.ts';
import { getUsageBreakdown } from './get-usage-breakdown.ts';
import { judgeOwners } from './judge-owners.ts';
import { listComps } from './list-comps.ts';
import { listDatasets } from './list-datasets.ts';
import { listDeals } from './list-deals.ts';
import { listFeedsOperation } from './list-feeds.ts';
import { listNeighbours } from './list-neighbours.ts';
import { listRegions } from './list-regions.ts';
import { listSavedMarkets } from './list-saved-markets.ts';
import { listValues } from './list-values.ts';
import { makeFeedOperation } from './make-feed.ts';
import type { OperationDefinition } from './operation.ts';
import { renewFeedOperation } from './renew-feed.ts';
import { revokeFeedOperation } from './revoke-feed.ts';
import { saveMarket } from './save-market.ts';
import { searchProperties } from './search-properties.ts';
import { skipTraceOwner } from './skip-trace-owner.ts';
import { skipTracePropertyOwner } from './skip-trace-property-owner.ts';
import { unsaveMarket } from './unsave-market.ts';
import { updateDeal } from './update-deal.ts';
import { updateSavedMarket } from './update-saved-market.ts';

/** Each operation by its name, in the order of docs. */
const operationTable = {
  filter_properties: filterProperties,
  search_properties: searchProperties,
  get_property: getProperty,
  get_owner: getOwner,
  judge_owners: judgeOwners,
  list_neighbours: listNeighbours,
  list_comps: listComps,
  get_property_ai_comp_value: getPropertyAiCompValue,
  get_ai_comp_values: getAiCompValues,
  skip_trace_owner: skipTraceOwner,
  skip_trace_property_owner: skipTracePropertyOwner,
  list_deals: listDeals,
  update_deal: updateDeal,
  get_market_stats: getMarketStats,
  list_regions: listRegions,
  save_market: saveMarket,
  list_saved_markets: listSavedMarkets,
  update_saved_market: updateSavedMarket,
  unsave_market: unsaveMarket,
  get_usage: getUsage,
  get_usage_breakdown: getUsageBreakdown,
  list_datasets: listDatasets,
  list_values: listValues,
  make_feed: makeFeedOperation,
  list_feeds: listFeedsOperation,
  renew_feed: renewFeedOperation,
  revoke_feed: revokeFeedOperation,
} as const;

/** Their types: `OperationTypes['filter_properties']`. */
type OperationTypes = typeof operationTable;
export type OperationName = keyof OperationTypes;
export type InputOf<Name extends OperationName> =
  OperationTypes[Name] extends OperationDefinition<infer Input, infer _Output> ? Input : never;
export type OutputOf<Name extends OperationName> =
  OperationTypes[Name] extends OperationDefinition<infer _Input, infer Output> ? Output : never;

/** An operation without its types: a door checks values from outside against `input` first. */
export type AnyOperation = OperationDefinition<never, never> & {
  readonly run: (input: never, context: never) => unknown;
};

export const operations: readonly AnyOperation[] = Object.values(
  operationTable,
) as readonly unknown[] as readonly AnyOperation[];

export const operationsByName: ReadonlyMap<string, AnyOperation> = new Map(
  operations.map((operation) => [operation.name, operation]),
);
