/** The parcel summary of filter and search answers: its fields in order. */
import Type, { type TSchema } from 'typebox';
import { parcelColumnsByName } from './parcel-columns.ts';

interface SummaryField {
  readonly name: string;
  readonly schema: TSchema;
}

const docs = (name: string) => ({ description: parcelColumnsByName.get(name)?.docs ?? '' });
/** The service's type is a plain string, which cannot be null: `''` if the county gives none. */
const text = (name: string): SummaryField => ({ name, schema: Type.String(docs(name)) });
const orNull = (name: string, schema: TSchema): SummaryField => ({
  name,
  schema: Type.Union([schema, Type.Null()], docs(name)),
});

export const pointSchema = Type.Array(Type.Number(), { minItems: 2, maxItems: 2 });

export const summaryFields: readonly SummaryField[] = [
  { name: 'property_id', schema: Type.Integer(docs('property_id')) },
  text('url'),
  text('apn'),
  text('fips'),
  orNull('point', pointSchema),
  // The service's type is number; null if neither the county nor the map gives acres.
  orNull('acres', Type.Number()),
  orNull('calculated_acres', Type.Number()),
  text('owner_name'),
  orNull('situs_address', Type.String()),
  text('situs_city'),
  text('situs_state'),
  text('situs_zip'),
];

export interface ParcelSummary {
  property_id: number;
  url: string;
  apn: string;
  fips: string;
  point: [number, number] | null;
  acres: number | null;
  calculated_acres: number | null;
  owner_name: string;
  situs_address: string | null;
  situs_city: string;
  situs_state: string;
  situs_zip: string;
}

export const summarySchema = Type.Unsafe<ParcelSummary>(
  Type.Object(Object.fromEntries(summaryFields.map((field) => [field.name, field.schema])), {
    additionalProperties: false,
    title: 'ParcelSummary',
  }),
);
