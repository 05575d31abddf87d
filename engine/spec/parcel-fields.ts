/**
 * `fields` of the lists of parcels: columns of the dictionary that come beside those of the summary. The summary keeps its
 * twelve as they are, so that a program that reads them does not depend on what else was asked for.
 */
import Type from 'typebox';
import { parcelColumns } from './parcel-columns.ts';
import { type ParcelSummary, summaryFields } from './parcel-summary.ts';
import { choiceSchema, listSchema } from './value-schemas.ts';
import type { ParcelDetail } from './wire-types.ts';

/** A column of the dictionary, or the shape as WKT. */
export type ParcelField = keyof ParcelDetail | 'shape_wkt';
export type ParcelFields = readonly (ParcelField | 'all')[] | 'all';

/** What `fields` adds to a row; null where the county does not publish it. */
export type AddedFields = Partial<Omit<ParcelDetail, keyof ParcelSummary> & { readonly shape_wkt: string | null }>;
export type ParcelRow = ParcelSummary & AddedFields;

const columnNames = parcelColumns.map(({ name }) => name as ParcelField);
const inSummary: ReadonlySet<string> = new Set(summaryFields.map(({ name }) => name));

const named = listSchema(
  choiceSchema<ParcelField | 'all'>([...columnNames, 'shape_wkt', 'all'], {
    expected: 'the name of a column of the parcel dictionary, "shape_wkt" or "all"',
  }),
);

export const fieldsField = Type.Unsafe<ParcelFields>(
  Type.Union([Type.Unsafe<unknown>({ ...named, 'x-commas': true }), Type.Literal('all')], {
    'x-expected': 'a list of columns, like ["zoning", "tax_amount"], or "all"',
    description:
      'Columns of the dictionary to add; `all`: every one but the shape. `shape` adds it as GeoJSON, `shape_wkt` as WKT. The price stays.',
  }),
);

/** The columns that a list of `fields` adds, each once, in the order named. */
export function addedFields(fields: ParcelFields | undefined): ParcelField[] {
  const asked = typeof fields === 'string' ? [fields] : (fields ?? []);
  const names = asked.flatMap((name) => (name === 'all' ? columnNames.filter((one) => one !== 'shape') : [name]));
  return [...new Set(names)].filter((name) => !inSummary.has(name));
}
