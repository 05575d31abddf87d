/** Parses a filter body: criteria, the area, and the filters that unknown values pass. */

import type { QueryGeometry } from '../geo/geometry.ts';
import { parseWkt } from '../geo/wkt.ts';
import { type ErrorDetails, nonFieldErrors, validationError } from '../spec/errors.ts';
import { type Criterion, filterKinds, isProblem, type Problem, wireFields } from '../spec/filter-kinds.ts';
import { type FilterRow, filters } from '../spec/filters.ts';

export interface FilterRequest {
  readonly criteria: readonly { readonly row: FilterRow; readonly criterion: Criterion }[];
  readonly area: QueryGeometry | null;
  /** Names of filters that unknown values pass. */
  readonly includeUnknown: ReadonlySet<string>;
}

const rowOfField = wireFields(filters);
const scopes = filters.filter((row) => row.scope).map((row) => row.name);

/** Filters that can drop unknown values, so `include_unknown` may name them. */
export const unknownableFilters: readonly string[] = filters
  .filter((row) => filterKinds[row.kind].unknown === 'drop')
  .map((row) => row.name);

/** Maps a filter's name, and its fields that are not bounds (`slope_area_percent`), to the name. */
const unknownNames = new Map(
  filters
    .filter((row) => filterKinds[row.kind].unknown === 'drop')
    .flatMap((row) =>
      [row.name, ...Object.keys(filterKinds[row.kind].fields(row)).filter((field) => !/_(min|max)$/.test(field))].map(
        (name): [string, string] => [name, row.name],
      ),
    ),
);

/** What `include_unknown` takes. */
export const includableNames: readonly string[] = [...unknownNames.keys()];

/**
 * @param body fields that fit the input schema of `filter_properties`
 * @throws EngineError validation_error naming every invalid field
 */
export function parseFilterRequest(body: Readonly<Record<string, unknown>>): FilterRequest {
  const problems: Problem[] = [];
  const criteria: { row: FilterRow; criterion: Criterion }[] = [];
  for (const [row, raw] of givenByRow(body)) {
    const parsed = filterKinds[row.kind].parse(row, raw);
    if (parsed === null) continue;
    if (isProblem(parsed)) problems.push(parsed);
    else criteria.push({ row, criterion: parsed });
  }
  if (
    !criteria.some(({ row }) => row.scope) &&
    !problems.some(({ field }) => field !== null && scopes.includes(field))
  ) {
    problems.push({ field: null, message: `at least one scope is needed: ${scopes.join(', ')}` });
  }
  const area = readArea(criteria, problems);
  const named = (body.include_unknown ?? []) as readonly string[];
  const includeUnknown = new Set(named.map((name) => unknownNames.get(name) ?? name));
  if (problems.length > 0) throw validationError(detailsOf(problems));
  return { criteria, area, includeUnknown };
}

/** Codes of the counties that a request names. */
export const countiesOf = ({ criteria }: Pick<FilterRequest, 'criteria'>): string[] => [
  ...new Set(
    criteria.flatMap(({ row, criterion }) =>
      (row.kind === 'county' || row.kind === 'counties') && criterion.type === 'values' ? criterion.values : [],
    ),
  ),
];

/** Whether a request names single parcels, which are looked up before it is answered. */
export const namesParcels = ({ criteria }: Pick<FilterRequest, 'criteria'>): boolean =>
  criteria.some(({ row }) => row.kind === 'portfolio' || row.kind === 'around');

function givenByRow(body: Readonly<Record<string, unknown>>): Map<FilterRow, Record<string, unknown>> {
  const given = new Map<FilterRow, Record<string, unknown>>();
  for (const [field, value] of Object.entries(body)) {
    const row = rowOfField.get(field);
    if (!row || value === undefined) continue;
    const raw = given.get(row) ?? {};
    raw[field] = value;
    given.set(row, raw);
  }
  return given;
}

function readArea(
  criteria: readonly { row: FilterRow; criterion: Criterion }[],
  problems: Problem[],
): QueryGeometry | null {
  for (const { row, criterion } of criteria) {
    if (row.kind !== 'geometry' || criterion.type !== 'text') continue;
    const wkt = parseWkt(criterion.text);
    if (wkt.ok) return wkt.geometry;
    problems.push({ field: row.name, message: wkt.problem });
  }
  return null;
}

function detailsOf(problems: readonly Problem[]): ErrorDetails {
  const details: ErrorDetails = {};
  for (const { field, message } of problems) {
    const key = field ?? nonFieldErrors;
    details[key] = [...(details[key] ?? []), message];
  }
  return details;
}
