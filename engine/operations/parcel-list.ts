/** Shared by the list operations over parcels: ordering, added columns, the envelope and the CSV table. */
import Type, { type TSchema } from 'typebox';
import { type Answered, andThen } from '../land/answered.ts';
import type { LandReader } from '../land/land-reader.ts';
import { isOrderable } from '../query/filter-terms.ts';
import type { Ordering } from '../query/parcel-query.ts';
import { rowOrderings } from '../query/row-columns.ts';
import { filters } from '../spec/filters.ts';
import { type Envelope, envelopeSchema, type Page } from '../spec/paging.ts';
import { type AddedFields, addedFields, type ParcelFields, type ParcelRow } from '../spec/parcel-fields.ts';
import { type ParcelSummary, summaryFields } from '../spec/parcel-summary.ts';
import { choiceSchema, orNull, strict } from '../spec/value-schemas.ts';
import type { ParcelOrdering } from '../spec/wire-types.ts';
import { columnSchemas } from './get-property.ts';
import type { OperationContext } from './operation.ts';

/** Columns without a stored column of the same name, and yes or no. */
const notStored = new Set(['url', 'point', 'vacant']);

const filterColumns = filters.flatMap((row) => ('column' in row ? [row.column] : []));

/** Every summary and filter column with one value per parcel; callers name `effective_acres` as `acres`. */
export const orderingColumns: readonly string[] = [
  ...new Set(
    [...summaryFields.map((field) => field.name), ...filterColumns].filter(
      (column) => column !== 'effective_acres' && !notStored.has(column) && isOrderable(column),
    ),
  ),
];

export const orderingField = choiceSchema<ParcelOrdering>(
  orderingColumns.flatMap((column) => [column, `-${column}`]) as ParcelOrdering[],
  {
    description: `Sort column, with \`-\` before it for descending. Unknown values come last, ties by property_id. Default: property_id. Columns: ${orderingColumns.join(', ')}.`,
    expected: 'a column to sort by, like "acres", or "-acres" for descending',
  },
);

/** The orders of the app's table, which knows more columns; null for none. */
export const rowOrderingField = orNull(
  choiceSchema(
    rowOrderings.flatMap((column) => [column, `-${column}`]),
    { expected: 'a column to sort by, like "acres" or "-acres"' },
  ),
);

/** `-acres` → acres, descending. */
export function parseOrdering(text: string | undefined): Ordering | null {
  if (text === undefined) return null;
  const descending = text.startsWith('-');
  const column = descending ? text.slice(1) : text;
  return { column: column === 'acres' ? 'effective_acres' : column, descending };
}

type ParcelList = Envelope<ParcelSummary>;

/** The fields of a row: those of the summary, and those that `fields` may add. */
export const rowFields: Readonly<Record<string, TSchema>> = {
  ...Type.Partial(
    Type.Object({ ...columnSchemas, shape_wkt: orNull(Type.String(), { description: 'The shape as WKT.' }) }),
  ).properties,
  ...Object.fromEntries(summaryFields.map((field) => [field.name, field.schema])),
};

export const parcelListSchema = envelopeSchema(
  Type.Unsafe<ParcelRow>(Type.Object({ ...rowFields }, { ...strict, title: 'ParcelSummary' })),
);

type WithFields<Row> = Row & Omit<AddedFields, keyof Row>;

/** Rows with the columns that `fields` adds; the row's own stay. */
export function withFields<Row extends ParcelSummary>(
  land: LandReader,
  rows: Row[],
  fields: ParcelFields | undefined,
): Answered<WithFields<Row>[]> {
  const names = fields ? addedFields(fields) : [];
  if (names.length === 0 || rows.length === 0) return rows as WithFields<Row>[];
  return andThen(land.fields(rows, names), (found) =>
    rows.map((row) => ({ ...row, ...found.get(row.property_id), ...row })),
  );
}

export function envelopeOf<Result>(
  found: { count: number; results: Result[] },
  page: Page,
  context: OperationContext,
): Envelope<Result> {
  const last = Math.ceil(found.count / page.size);
  return {
    count: found.count,
    next: page.number < last ? context.pageLink(page.number + 1) : null,
    previous: page.number > 1 ? context.pageLink(page.number - 1) : null,
    results: found.results,
  };
}

/** `point` is two columns in a table: spreadsheets have no arrays. */
export const parcelTable = {
  columns: summaryFields.flatMap((field) => (field.name === 'point' ? ['longitude', 'latitude'] : [field.name])),
  addedColumns: ({ fields }: { readonly fields?: ParcelFields }) => addedFields(fields),
  rows: (list: ParcelList) =>
    list.results.map(({ point, ...rest }) => ({
      ...rest,
      longitude: point?.[0] ?? null,
      latitude: point?.[1] ?? null,
    })),
  total: (list: ParcelList) => list.count,
};
