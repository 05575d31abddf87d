/** The filter in the panel: wire fields of filter_properties, plus `only_unknown`. Pure functions. */
import {
  activeFilters,
  type FilterBody,
  keepsUnknown,
  modeFields,
  namesIn,
  type UnknownMode,
} from '../../engine/spec/active-filters.ts';
import { filterKinds } from '../../engine/spec/filter-kinds.ts';
import { type FilterRow, filtersByName } from '../../engine/spec/filters.ts';
import { workFields } from '../../engine/spec/work-fields.ts';

export {
  activeFilters,
  type FilterBody,
  hasScope,
  scopeBody,
  type UnknownMode,
  unitOf,
  unknownMode,
  unknownOf,
} from '../../engine/spec/active-filters.ts';

const fieldsOf = (row: FilterRow): string[] => Object.keys(filterKinds[row.kind].fields(row));

/** Sets fields; undefined removes one. A filter without fields also loses its choice about unknowns. */
export function withFields(body: FilterBody, fields: Readonly<Record<string, unknown>>): FilterBody {
  const merged = Object.entries({ ...body, ...fields }).filter(
    ([, value]) => value !== undefined && !isEmptyList(value),
  );
  return withoutStaleModes(Object.fromEntries(merged));
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

function withoutStaleModes(body: FilterBody): FilterBody {
  const { include_unknown: _keep, only_unknown: _only, ...rest } = body;
  const active = new Set(activeFilters(rest).map(({ name }) => name));
  const still = (field: string) => namesIn(body, field).filter((name) => active.has(name));
  const lists = Object.values(modeFields).map((field) => [field, still(field)] as const);
  return { ...rest, ...Object.fromEntries(lists.filter(([, names]) => names.length > 0)) };
}

export const withoutFilter = (body: FilterBody, row: FilterRow): FilterBody =>
  withFields(body, Object.fromEntries(fieldsOf(row).map((field) => [field, undefined])));

/** A filter whose first bound is above its second: the screen says so, and nothing is queried. */
export const reversedFilter = (body: FilterBody): FilterRow | undefined =>
  activeFilters(body).find(({ name }) => {
    const [low, high] = [body[`${name}_min`], body[`${name}_max`]];
    return low !== undefined && high !== undefined && typeof low === typeof high && (low as number) > (high as number);
  });

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

export const filterRow = (name: string): FilterRow => {
  const row = filtersByName.get(name);
  if (!row) throw new Error(`There is no filter ${name}.`);
  return row;
};

/** Whether two bodies are the same query, in any order of fields. */
export const isSameFilter = (a: FilterBody, b: FilterBody): boolean => canonical(a) === canonical(b);

const canonical = (body: FilterBody): string =>
  JSON.stringify(Object.entries(askableBody(body)).sort(([a], [b]) => (a < b ? -1 : 1)));
