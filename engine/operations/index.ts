/** Every operation of the service, in the order of docs. A new endpoint is one file and one line here. */
import { filterProperties } from './filter-properties.ts';
import { getProperty } from './get-property.ts';
import { getUsage } from './get-usage.ts';
import { getUsageBreakdown } from './get-usage-breakdown.ts';
import type { OperationDefinition } from './operation.ts';
import { searchProperties } from './search-properties.ts';

const operationList = [filterProperties, searchProperties, getProperty, getUsage, getUsageBreakdown] as const;

/** Each operation by its name, typed: `OperationTypes['filter_properties']['input']`. */
export interface OperationTypes {
  filter_properties: typeof filterProperties;
  search_properties: typeof searchProperties;
  get_property: typeof getProperty;
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
