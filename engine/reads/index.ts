/** Every read of the app. A new one is one file and one line here; nothing else has to know it. */
import { EngineError, type ErrorDetails, validationError } from '../spec/errors.ts';
import { findProblems, nearNames } from '../spec/validate.ts';
import { countProperties } from './count-properties.ts';
import { coverage } from './coverage.ts';
import { facet } from './facet.ts';
import { filterBodySchema } from './filter-body.ts';
import { histogram } from './histogram.ts';
import { home } from './home.ts';
import { parcel } from './parcel.ts';
import type { ReadContext, ReadDefinition } from './read.ts';
import { resultPage } from './result-page.ts';
import { suggest } from './suggest.ts';

/** Each read by its name, typed: `ReadInputOf<'count_properties'>`. */
export const readTable = {
  home,
  count_properties: countProperties,
  coverage,
  facet,
  histogram,
  suggest,
  result_page: resultPage,
  parcel,
} as const;

export type ReadName = keyof typeof readTable;
export type ReadInputOf<Name extends ReadName> =
  (typeof readTable)[Name] extends ReadDefinition<infer Input, infer _Output> ? Input : never;
export type ReadOutputOf<Name extends ReadName> =
  (typeof readTable)[Name] extends ReadDefinition<infer _Input, infer Output> ? Output : never;

/** A read whose types are forgotten: what comes from outside is checked against `input` first. */
type AnyRead = ReadDefinition<never, unknown>;

export const reads: readonly AnyRead[] = Object.values(readTable) as readonly unknown[] as readonly AnyRead[];

const readsByName = new Map(reads.map((read) => [read.name, read]));

/**
 * Answers a read by its name.
 * @throws EngineError not_found for another name, validation_error for another input, or what the read itself throws
 */
export function runRead(context: ReadContext, name: string, input: unknown): unknown {
  const read = readsByName.get(name);
  if (!read) throw unknownRead(name);
  const problems = filterProblems(read, input) ?? findProblems(read.input, input);
  if (problems) throw validationError(problems);
  return read.run(input as never, context);
}

/** What is wrong with the fields inside `filter`: without this the whole object would be said not to fit. */
function filterProblems(read: AnyRead, input: unknown): ErrorDetails | null {
  const given = (input as { filter?: unknown } | null)?.filter;
  const isObject = typeof given === 'object' && given !== null;
  return isObject && 'filter' in read.input.properties ? findProblems(filterBodySchema, given) : null;
}

function unknownRead(name: string): EngineError {
  const near = nearNames(name, [...readsByName.keys()]);
  const hint = near.length > 0 ? `; did you mean ${near.join(' or ')}?` : '.';
  return new EngineError('not_found', `There is no read ${JSON.stringify(name)}${hint}`);
}
