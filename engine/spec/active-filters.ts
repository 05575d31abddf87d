/** Which filters a body asks, and what each does with unknown values. */
import { filterKinds, wireFields } from './filter-kinds.ts';
import { type FilterRow, filters, filtersByName } from './filters.ts';
import { parcelColumnsByName } from './parcel-columns.ts';

/** Wire fields of filter_properties, plus `only_unknown`. */
export type FilterBody = Readonly<Record<string, unknown>>;
export type UnknownMode = 'drop' | 'keep' | 'only';

/** Each filter by its wire fields. */
const rowOfField = wireFields(filters);

/** Fields that name the filters of a mode. */
export const modeFields = { keep: 'include_unknown', only: 'only_unknown' } as const;

export const namesIn = (body: FilterBody, field: string): readonly string[] =>
  (body[field] as readonly string[] | undefined) ?? [];

/** Active filters of the body, in the order of the table. Frontage types alone are not active. */
export function activeFilters(body: FilterBody): FilterRow[] {
  const given = new Set(Object.keys(body).map((field) => rowOfField.get(field)?.name));
  return filters.filter((row) => given.has(row.name) && asks(row, body));
}

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
export const keepsUnknown = (name: string): boolean => {
  const row = filtersByName.get(name);
  return row !== undefined && unknownOf(row) === 'keep';
};

/** What a filter does with unknown values until the user chooses. */
export const unknownOf = (row: FilterRow): 'drop' | 'keep' | 'none' =>
  row.scope === true ? 'none' : filterKinds[row.kind].unknown;

/** The unit of a filter's numbers, for display. */
export function unitOf(row: FilterRow): string | undefined {
  if (row.kind === 'frontage') return 'ft';
  if ('unit' in row && row.unit) return row.unit;
  return 'column' in row ? parcelColumnsByName.get(row.column)?.unit : undefined;
}
