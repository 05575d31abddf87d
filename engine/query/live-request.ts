/**
 * What the app asks while the user types: a filter body with one field more, `only_unknown`, which the public API does
 * not have: of the named filters, not what meets them but what cannot be told.
 */
import { type ErrorDetails, validationError } from '../spec/errors.ts';
import { filterKinds } from '../spec/filter-kinds.ts';
import { type FilterFields, filtersByName } from '../spec/filters.ts';
import type { WorkFields } from '../spec/work-fields.ts';
import type { AccountStore } from '../store/account-store.ts';
import { type FilterRequest, parseFilterRequest } from './filter-request.ts';
import { type WorkTerm, workTerms } from './work-terms.ts';

export type LiveFilter = FilterFields & WorkFields & { readonly only_unknown?: readonly string[] };

export interface LiveRequest extends FilterRequest {
  /** Names of filters of which only the unknown are wanted; wins over `includeUnknown`. */
  readonly onlyUnknown: ReadonlySet<string>;
  /** Named apart, because it is looked up before the condition is built; undefined when not asked. */
  readonly ownerParcelId: number | undefined;
  /** Filters over the user's own work. */
  readonly work: readonly WorkTerm[];
}

/** Filters of which the unknown alone can be asked for: a scope must stay one. */
export const onlyUnknownFilters: readonly string[] = [...filtersByName.values()]
  .filter((row) => !row.scope && filterKinds[row.kind].dropsUnknown)
  .map((row) => row.name);

/**
 * @param body fields that fit the schema of a read's `filter`
 * @param account whose stars, tags and lists the body may ask for
 * @throws EngineError validation_error naming every field at fault
 */
export function parseLiveRequest(body: LiveFilter, account?: AccountStore): LiveRequest {
  const { only_unknown: onlyUnknown = [], ...fields } = body;
  const wrong = onlyUnknown.filter((name) => !onlyUnknownFilters.includes(name));
  if (wrong.length > 0) throw validationError(problemsOf(wrong));
  return {
    ...parseFilterRequest(fields),
    onlyUnknown: new Set(onlyUnknown),
    ownerParcelId: body.owner_parcel_id,
    work: workTerms(body, account),
  };
}

const problemsOf = (wrong: readonly string[]): ErrorDetails => ({
  only_unknown: wrong.map((name) => `expected a filter that drops unknown values, found ${JSON.stringify(name)}`),
});

/** The same place, and nothing else asked: what a histogram and the counts of a list are drawn over. */
export const scopeOf = (request: LiveRequest): LiveRequest => ({
  ...request,
  criteria: request.criteria.filter(({ row }) => row.scope),
  onlyUnknown: new Set(),
  work: [],
});

/** Without one filter, so that its own choice does not hide the others to choose from. */
export const withoutFilter = (request: LiveRequest, name: string): LiveRequest => ({
  ...request,
  criteria: request.criteria.filter(({ row }) => row.name !== name || row.scope === true),
});
