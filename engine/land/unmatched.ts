/** What a filter names and no parcel has: a ZIP code, a name or an area with nothing in it, whatever the other filters. */
import type { FilterRequest } from '../query/filter-request.ts';
import type { ParcelPage } from '../query/parcel-query.ts';
import type { Criterion } from '../spec/filter-kinds.ts';
import { filterKinds } from '../spec/filter-kinds.ts';
import { type FilterRow, filters } from '../spec/filters.ts';
import { type Answered, andThen, eachInTurn } from './answered.ts';
import type { LandReader } from './land-reader.ts';

export interface Unmatched {
  readonly row: FilterRow;
  /** The values that no parcel has, as they were asked for; empty for an area. */
  readonly values: readonly string[];
  /** Parcels there have their township and no section: the survey layer holds no sections. */
  readonly lacksSections?: boolean;
}

/** Values of a longer list are not looked up one by one. */
const mostValues = 20;

const isCounty = ({ kind }: FilterRow): boolean => kind === 'county' || kind === 'counties';

/** Ranges and ticks name nothing that could be misspelt; what excludes keeps all if it matches nothing. */
const isNaming = ({ row, criterion }: FilterRequest['criteria'][number]): boolean =>
  !isCounty(row) &&
  filterKinds[row.kind].unknown !== 'keep' &&
  (criterion.type === 'values' || criterion.type === 'text' || criterion.type === 'number');

/** The values at these positions of the filters' lists, as they were asked for. */
export const unmatchedAt = ({ criteria }: FilterRequest, absent: ParcelPage['absent']): Unmatched[] =>
  absent.flatMap(({ filter, at }) => {
    const asked = criteria.find(({ row }) => row.name === filter);
    const values = asked ? valuesOf(asked.row, asked.criterion) : [];
    const named = at.flatMap((one) => values[one] ?? []);
    return asked && named.length > 0 ? [{ row: asked.row, values: named }] : [];
  });

/** In the counties of the request, or in all that is loaded, where nothing is found: by questions for each value. */
export const unmatched = (land: LandReader, request: FilterRequest): Answered<Unmatched[]> =>
  eachInTurn(request.criteria.filter(isNaming), ({ row, criterion }) => unmatchedBy(land, request, row, criterion));

const unmatchedBy = (
  land: LandReader,
  request: FilterRequest,
  row: FilterRow,
  criterion: Criterion,
): Answered<Unmatched[]> =>
  andThen(matches(land, request, row, criterion), (isMatched) => {
    const values = valuesOf(row, criterion);
    if (!isMatched)
      return andThen(lacksSections(land, request, row, values), (lacks) => [{ row, values, lacksSections: lacks }]);
    if (values.length < 2 || values.length > mostValues) return [];
    return andThen(withoutMatch(land, request, row, values), (missing) =>
      missing.length === 0 ? [] : [{ row, values: missing }],
    );
  });

const withoutMatch = (
  land: LandReader,
  request: FilterRequest,
  row: FilterRow,
  values: readonly string[],
): Answered<string[]> =>
  eachInTurn(values, (value) =>
    andThen(matches(land, request, row, { type: 'values', values: [value] }), (isMatched) =>
      isMatched ? [] : [value],
    ),
  );

const section = filters.find(({ name }) => name === 'section');

/** Whether the townships of sections have parcels, and none of these has a section. */
function lacksSections(
  land: LandReader,
  request: FilterRequest,
  row: FilterRow,
  values: readonly string[],
): Answered<boolean> {
  if (row.kind !== 'plss' || section === undefined || !values.every((value) => / S\d+$/.test(value))) return false;
  const townships = { type: 'values', values: values.map((value) => value.replace(/ S\d+$/, '')) } as const;
  const known = { row: section, criterion: { type: 'range', min: 1 } } as const;
  return andThen(matches(land, request, row, townships), (isThere) =>
    isThere ? andThen(matches(land, request, row, townships, [known]), (hasSections) => !hasSections) : false,
  );
}

/** Whether any parcel meets this alone; true where that could not be told in time. */
function matches(
  land: LandReader,
  request: FilterRequest,
  row: FilterRow,
  criterion: Criterion,
  more: FilterRequest['criteria'] = [],
): Answered<boolean> {
  const criteria = [...request.criteria.filter((one) => isCounty(one.row)), { row, criterion }, ...more];
  const alone = { ...request, criteria, area: row.kind === 'geometry' ? request.area : null };
  return andThen(land.hasMatch(alone), (found) => found !== false);
}

function valuesOf({ kind }: FilterRow, criterion: Criterion): string[] {
  if (criterion.type === 'values') return [...criterion.values];
  if (criterion.type === 'number') return [String(criterion.number)];
  return criterion.type === 'text' && kind !== 'geometry' ? [criterion.text] : [];
}
