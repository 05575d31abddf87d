/**
 * The app's queries while the user types: a filter body plus `only_unknown`, a field the public API lacks. It names
 * filters whose unknown parcels are wanted instead of the matching ones.
 */
import type { UnknownMode } from '../columns/count-effects.ts';
import { type ErrorDetails, validationError } from '../spec/errors.ts';
import { filterKinds } from '../spec/filter-kinds.ts';
import { type FilterRow, filtersByName } from '../spec/filters.ts';
import type { FilterFields } from '../spec/wire-types.ts';
import type { WorkFields } from '../spec/work-fields.ts';
import type { AccountStore } from '../store/account-store.ts';
import { type FilterRequest, parseFilterRequest } from './filter-request.ts';
import { type WorkTerm, workTerms } from './work-terms.ts';

export type LiveFilter = FilterFields & WorkFields & { readonly only_unknown?: readonly string[] };

export interface LiveRequest extends FilterRequest {
  /** Filters whose unknown parcels alone are wanted; overrides `includeUnknown`. */
  readonly onlyUnknown: ReadonlySet<string>;
  /** Filters over the user's own work. */
  readonly work: readonly WorkTerm[];
}

/** Filters that `only_unknown` may name: a scope must stay one. */
export const onlyUnknownFilters: readonly string[] = [...filtersByName.values()]
  .filter((row) => !row.scope && filterKinds[row.kind].unknown !== 'none')
  .map((row) => row.name);

/**
 * @param body fields that fit the schema of a read's `filter`
 * @param account its stars, tags and lists, which the body may name
 * @throws EngineError validation_error naming every invalid field
 */
export function parseLiveRequest(body: LiveFilter, account?: AccountStore): LiveRequest {
  const { only_unknown: onlyUnknown = [], ...fields } = body;
  const wrong = onlyUnknown.filter((name) => !onlyUnknownFilters.includes(name));
  if (wrong.length > 0) throw validationError(problemsOf(wrong));
  return {
    ...parseFilterRequest(fields),
    onlyUnknown: new Set(onlyUnknown),
    work: workTerms(body, account),
  };
}

const problemsOf = (wrong: readonly string[]): ErrorDetails => ({
  only_unknown: wrong.map((name) => `expected a filter of values that may be unknown, found ${JSON.stringify(name)}`),
});

export function unknownMode({ onlyUnknown, includeUnknown }: LiveRequest, { name, kind }: FilterRow): UnknownMode {
  if (onlyUnknown.has(name)) return 'only';
  return includeUnknown.has(name) || filterKinds[kind].unknown === 'keep' ? 'keep' : 'drop';
}

/** The same place without filters: the base of histograms and of a list's counts. */
export const scopeOf = (request: LiveRequest): LiveRequest => ({
  ...request,
  criteria: request.criteria.filter(({ row }) => row.scope),
  onlyUnknown: new Set(),
  work: [],
});

/** Without one filter, so that its own choice does not hide the alternatives. */
export const withoutFilter = (request: LiveRequest, name: string): LiveRequest => ({
  ...request,
  criteria: request.criteria.filter(({ row }) => row.name !== name || row.scope === true),
});
