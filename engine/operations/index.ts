/** Every operation of the service, in the order of docs. A new endpoint is one file and one line here. */
import { filterProperties } from './filter-properties.ts';
import { getMarketStats } from './get-market-stats.ts';
import { getProperty } from './get-property.ts';
import { getPropertyAiCompValue } from './get-property-ai-comp-value.ts';
import { getUsage } from './get-usage.ts';
import { getUsageBreakdown } from './get-usage-breakdown.ts';
import { listComps } from './list-comps.ts';
import { listRegions } from './list-regions.ts';
import { listSavedMarkets } from './list-saved-markets.ts';
import type { OperationDefinition } from './operation.ts';
import { saveMarket } from './save-market.ts';
import { searchProperties } from './search-properties.ts';
import { skipTraceOwner } from './skip-trace-owner.ts';
import { skipTracePropertyOwner } from './skip-trace-property-owner.ts';
import { unsaveMarket } from './unsave-market.ts';
import { updateSavedMarket } from './update-saved-market.ts';

const operationList = [
  filterProperties,
  searchProperties,
  getProperty,
  listComps,
  getPropertyAiCompValue,
  skipTraceOwner,
  skipTracePropertyOwner,
  getMarketStats,
  listRegions,
  saveMarket,
  listSavedMarkets,
  updateSavedMarket,
  unsaveMarket,
  getUsage,
  getUsageBreakdown,
] as const;

/** Each operation by its name, typed: `OperationTypes['filter_properties']['input']`. */
export interface OperationTypes {
  filter_properties: typeof filterProperties;
  search_properties: typeof searchProperties;
  get_property: typeof getProperty;
  list_comps: typeof listComps;
  get_property_ai_comp_value: typeof getPropertyAiCompValue;
  skip_trace_owner: typeof skipTraceOwner;
  skip_trace_property_owner: typeof skipTracePropertyOwner;
  get_market_stats: typeof getMarketStats;
  list_regions: typeof listRegions;
  save_market: typeof saveMarket;
  list_saved_markets: typeof listSavedMarkets;
  update_saved_market: typeof updateSavedMarket;
  unsave_market: typeof unsaveMarket;
  get_usage: typeof getUsage;
  get_usage_breakdown: typeof getUsageBreakdown;
}

export type OperationName = keyof OperationTypes;
export type InputOf<Name extends OperationName> =
  OperationTypes[Name] extends OperationDefinition<infer Input, infer _Output> ? Input : never;
export type OutputOf<Name extends OperationName> =
  OperationTypes[Name] extends OperationDefinition<infer _Input, infer Output> ? Output : never;

/** An operation whose types are forgotten: what a door gets from outside is checked against `input` first. */
export type AnyOperation = OperationDefinition<never, never> & {
  readonly run: (input: never, context: never) => unknown;
};

export const operations: readonly AnyOperation[] = operationList as readonly unknown[] as readonly AnyOperation[];

export const operationsByName: ReadonlyMap<string, AnyOperation> = new Map(
  operations.map((operation) => [operation.name, operation]),
);
