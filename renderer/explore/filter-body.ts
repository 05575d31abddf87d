/** The filter in the panel: wire fields of filter_properties, plus `only_unknown`. Pure functions. */
import { filterKinds, wireFields } from '../../engine/spec/filter-kinds.ts';
import { type FilterRow, filters, filtersByName } from '../../engine/spec/filters.ts';
import { parcelColumnsByName } from '../../engine/spec/parcel-columns.ts';
import { workFields } from '../../engine/spec/work-fields.ts';

export type FilterBody = Readonly<Record<string, unknown>>;
export type UnknownMode = 'drop' | 'keep' | 'only';

const fieldsOf = (row: FilterRow): string[] => Object.keys(filterKinds[row.kind].fields(row));

const rowOfField = wireFields(filters);

/** Sets fields; undefined removes one. A filter without fields also loses its choice about unknowns. */
export function withFields(body: FilterBody, fields: Readonly<Record<string, unknown>>): FilterBody {
  const merged = Object.entries({ ...body, ...fields }).filter(
    ([, value]) => value !== undefined && !isEmptyList(value),
  );
  return withoutStaleModes(Object.fromEntries(merged));
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

const modeFields = { keep: 'include_unknown', only: 'only_unknown' } as const;

const namesIn = (body: FilterBody, field: string): readonly string[] =>
  (body[field] as readonly string[] | undefined) ?? [];

function withoutStaleModes(body: FilterBody): FilterBody {
  const { include_unknown: _keep, only_unknown: _only, ...rest } = body;
  const active = new Set(activeFilters(rest).map(({ name }) => name));
  const still = (field: string) => namesIn(body, field).filter((name) => active.has(name));
  const lists = Object.values(modeFields).map((field) => [field, still(field)] as const);
  return { ...rest, ...Object.fromEntries(lists.filter(([, names]) => names.length > 0)) };
}

export const withoutFilter = (body: FilterBody, row: FilterRow): FilterBody =>
  withFields(body, Object.fromEntries(fieldsOf(row).map((field) => [field, undefined])));

/** Active filters of the body, in the order of the table. Frontage types alone are not active. */
export function activeFilters(body: FilterBody): FilterRow[] {
  const given = new Set(Object.keys(body).map((field) => rowOfField.get(field)?.name));
  return filters.filter((row) => given.has(row.name) && asks(row, body));
}

/** A filter whose first bound is above its second: the screen says so, and nothing is queried. */
export const reversedFilter = (body: FilterBody): FilterRow | undefined =>
  activeFilters(body).find(({ name }) => {
    const [low, high] = [body[`${name}_min`], body[`${name}_max`]];
    return low !== undefined && high !== undefined && typeof low === typeof high && (low as number) > (high as number);
  });

function asks(row: FilterRow, body: FilterBody): boolean {
  if (row.kind === 'only' || row.kind === 'exclude') return body[row.name] === true;
  if (row.kind === 'slope_area') return body.slope_area_index !== undefined && body.slope_area_percent !== undefined;
  return row.kind !== 'frontage_type';
}

export const hasScope = (body: FilterBody): boolean => activeFilters(body).some((row) => row.scope === true);

/** The place alone: the base of histograms, lists and "not in this county's file". */
export const scopeBody = (body: FilterBody): FilterBody =>
  Object.fromEntries(Object.entries(body).filter(([field]) => rowOfField.get(field)?.scope === true));

export function unknownMode(body: FilterBody, name: string): UnknownMode {
  if (namesIn(body, 'only_unknown').includes(name)) return 'only';
  return keepsUnknown(name) || namesIn(body, 'include_unknown').includes(name) ? 'keep' : 'drop';
}

/** A filter that excludes never leaves out an unknown value. */
const keepsUnknown = (name: string): boolean => {
  const row = filtersByName.get(name);
  return row !== undefined && unknownOf(row) === 'keep';
};

export function withUnknownMode(body: FilterBody, name: string, mode: UnknownMode): FilterBody {
  const lists = Object.entries(modeFields).map(([one, field]) => {
    const others = namesIn(body, field).filter((given) => given !== name);
    const isNamed = one === mode && !(mode === 'keep' && keepsUnknown(name));
    return [field, isNamed ? [...others, name] : others] as const;
  });
  return withFields(body, Object.fromEntries(lists));
}

const isOfWork = (field: string): boolean => (workFields as readonly string[]).includes(field);

/**
 * Whether the public operation returns more than is wanted: it supports neither `only_unknown` nor the user's own work.
 */
export const isPartOfPublic = (body: FilterBody): boolean => body.only_unknown !== undefined || asksForWork(body);

/** Whether stars, tags, lists or letters affect the result, so that it changes with them. */
export const asksForWork = (body: FilterBody): boolean => Object.keys(body).some(isOfWork);

/**
 * The query for the public operation: it cannot return unknowns alone, so it keeps them and the table narrows the rows.
 */
export function publicBody(body: FilterBody): FilterBody {
  const { only_unknown: only, ...others } = body;
  const rest = Object.fromEntries(Object.entries(others).filter(([field]) => !isOfWork(field)));
  if (only === undefined) return rest;
  const dropped = (only as string[]).filter((name) => !keepsUnknown(name));
  const kept = [...new Set([...namesIn(body, 'include_unknown'), ...dropped])];
  return kept.length === 0 ? rest : { ...rest, include_unknown: kept };
}

/** Leaves out half a slope pair being typed, which would be refused. */
export function askableBody(body: FilterBody): FilterBody {
  const { slope_area_index: index, slope_area_percent: percent, ...rest } = body;
  return index === undefined || percent === undefined ? rest : body;
}

/** What a filter does with unknown values until the user chooses. */
export const unknownOf = (row: FilterRow): 'drop' | 'keep' | 'none' =>
  row.scope === true ? 'none' : filterKinds[row.kind].unknown;

/** The unit of a filter's numbers, for display. */
export function unitOf(row: FilterRow): string | undefined {
  if (row.kind === 'frontage') return 'ft';
  if ('unit' in row && row.unit) return row.unit;
  return 'column' in row ? parcelColumnsByName.get(row.column)?.unit : undefined;
}

export const filterRow = (name: string): FilterRow => {
  const row = filtersByName.get(name);
  if (!row) throw new Error(`There is no filter ${name}.`);
  return row;
};

/** Whether two bodies are the same query, in any order of fields. */
export const isSameFilter = (a: FilterBody, b: FilterBody): boolean => canonical(a) === canonical(b);

const canonical = (body: FilterBody): string =>
  JSON.stringify(Object.entries(askableBody(body)).sort(([a], [b]) => (a < b ? -1 : 1)));
