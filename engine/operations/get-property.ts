/** GET properties/{id}/: one parcel with every column of the dictionary. */
import Type, { type TSchema } from 'typebox';
import { andThen } from '../land/answered.ts';
import { noParcel } from '../spec/errors.ts';
import { type ColumnType, parcelColumns } from '../spec/parcel-columns.ts';
import { pointSchema } from '../spec/parcel-summary.ts';
import { oneOf, orNull, parcelIdSchema, strict } from '../spec/value-schemas.ts';
import type { ParcelDetail } from '../spec/wire-types.ts';
import { defineOperation } from './operation.ts';

const price = 10;

/** GeoJSON. */
export const shapeSchema = Type.Object({
  type: Type.Literal('MultiPolygon'),
  coordinates: Type.Array(Type.Unknown()),
});

const typeSchemas: Record<ColumnType, TSchema> = {
  id: Type.Integer(),
  integer: Type.Integer(),
  money: Type.Number(),
  number: Type.Number(),
  percent: Type.Number(),
  text: Type.String(),
  date: Type.String(),
  boolean: Type.Boolean(),
  point: pointSchema,
  shape: shapeSchema,
  percents: Type.Array(Type.Number()),
};

/** The schema of each column of the dictionary. */
export const columnSchemas: Readonly<Record<string, TSchema>> = Object.fromEntries(
  parcelColumns.map((column) => [
    column.name,
    column.type === 'id'
      ? Type.Integer({ description: column.docs })
      : orNull(column.values ? oneOf(column.values) : typeSchemas[column.type], { description: column.docs }),
  ]),
);

const detailSchema = Type.Unsafe<ParcelDetail>(Type.Object({ ...columnSchemas }, { ...strict, title: 'Parcel' }));

export const getProperty = defineOperation({
  name: 'get_property',
  summary: 'Get one parcel with all its columns',
  docs: 'Every column of the parcel dictionary, null where the county does not publish it, and the shape as GeoJSON. Retired parcels are answered too, with status `retired`.',
  http: { method: 'GET', path: 'properties/{id}/', status: 200 },
  scope: 'read',
  needsPlan: true,
  meteringKey: 'public_property_detail',
  priceDocs: `${price} tokens; 0 when there is no such parcel`,
  quote: () => price,
  price: () => price,
  input: Type.Object({ id: parcelIdSchema }, strict),
  output: detailSchema,
  run: ({ id }, { land }) =>
    andThen(land.parcel(id), (parcel) => {
      if (!parcel) throw noParcel(id);
      return parcel;
    }),
  examples: [{ title: 'One parcel', input: { id: 1 } }],
});
