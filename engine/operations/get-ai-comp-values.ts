/** POST values/: the comp values of up to a thousand parcels in one call. */
import Type, { type TSchema } from 'typebox';
import { type ValueDay, valueDay } from '../comps/value-day.ts';
import type { LandReader } from '../land/land-reader.ts';
import { EngineError } from '../spec/errors.ts';
import { choiceSchema, count, orNull, parcelIdSchema, strict } from '../spec/value-schemas.ts';
import {
  type CompValue,
  compValueFields,
  getPropertyAiCompValue,
  pricePerValue,
  warnedValue,
} from './get-property-ai-comp-value.ts';
import { defineOperation } from './operation.ts';

const mostParcels = 1000;
const numbers = Object.keys(compValueFields) as (keyof CompValue)[];

/** Refusals of one parcel; any other error is one of the whole call. */
const refusals = ['not_found', 'validation_error'] as const;
const isRefusal = (error: unknown): error is EngineError & { readonly code: (typeof refusals)[number] } =>
  error instanceof EngineError && refusals.some((code) => code === error.code);

type Numbers = Record<keyof CompValue, number | null>;

export interface ValueRow extends Numbers {
  readonly property_id: number;
  readonly warnings: readonly string[];
  readonly error: { readonly code: (typeof refusals)[number]; readonly message: string } | null;
}

const rowSchema = Type.Unsafe<ValueRow>(
  Type.Object(
    {
      property_id: parcelIdSchema,
      ...(compValueFields as Readonly<Record<string, TSchema>>),
      warnings: Type.Array(Type.String(), { description: 'What is to be read before the numbers.' }),
      error: orNull(Type.Object({ code: choiceSchema(refusals), message: Type.String() }, strict), {
        description: 'Why the parcel has no value, as its own call would say; the numbers are null then.',
      }),
    },
    { ...strict, title: 'ParcelValue' },
  ),
);

const noNumbers = Object.fromEntries(numbers.map((name) => [name, null])) as Numbers;

async function rowOf(land: LandReader, id: number, day: ValueDay): Promise<ValueRow> {
  try {
    const { value, warnings } = await warnedValue(land, id, day);
    return { property_id: id, ...value, warnings, error: null };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { code, message } = error;
    return { property_id: id, ...noNumbers, warnings: [], error: { code, message } };
  }
}

/** A turn of the event loop, for other callers. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function rowsOf(land: LandReader, ids: readonly number[], day: ValueDay): Promise<ValueRow[]> {
  const found = new Map<number, ValueRow>();
  for (const id of ids) {
    if (found.has(id)) continue;
    found.set(id, await rowOf(land, id, day));
    await nextTurn();
  }
  return ids.map((id) => found.get(id) as ValueRow);
}

/** An id that is named twice is valued, and paid, once. */
const valuedIn = (rows: readonly ValueRow[]): number =>
  new Set(rows.filter(({ error }) => error === null).map(({ property_id: id }) => id)).size;

export const getAiCompValues = defineOperation({
  name: 'get_ai_comp_values',
  summary: 'Get the comp values of many parcels',
  docs: 'The comp values of up to 1,000 parcels in one call: a row for each id, in the order given. A parcel that is unknown or has no value is a row with its `error`, and costs nothing. The answer comes whole, since it is charged, or refused by the cap, before a byte of it is sent.',
  http: { method: 'POST', path: 'values/', status: 200 },
  scope: 'read',
  needsPlan: true,
  meteringKey: getPropertyAiCompValue.meteringKey,
  priceDocs: `${pricePerValue} tokens a value; 0 for a parcel without one`,
  quote: ({ property_ids: ids }) => pricePerValue * new Set(ids).size,
  price: ({ valued }) => pricePerValue * valued,
  input: Type.Object(
    {
      property_ids: Type.Array(parcelIdSchema, {
        ...{ minItems: 1, maxItems: mostParcels, 'x-expected': 'a list of 1 to 1,000 property_ids' },
        description: 'The property_id of each parcel; one that is named twice is paid once.',
      }),
      as_of: getPropertyAiCompValue.input.properties.as_of,
    },
    strict,
  ),
  output: Type.Object(
    { valued: count('Parcels with a value.'), results: Type.Array(rowSchema) },
    { ...strict, title: 'ParcelValues' },
  ),
  table: {
    columns: ['property_id', ...numbers, 'warnings', 'error', 'message'],
    rows: ({ results }) =>
      results.map(({ warnings, error, ...row }) => ({
        ...row,
        warnings: warnings.join(' '),
        error: error?.code ?? '',
        message: error?.message ?? '',
      })),
    total: ({ results }) => results.length,
  },
  run: async ({ property_ids: ids, as_of: asOf }, { land, now }) => {
    const results = await rowsOf(land, ids, valueDay(asOf, now()));
    return { valued: valuedIn(results), results };
  },
  examples: [{ title: 'Three parcels, one of which does not exist', input: { property_ids: [6, 2, 999999] } }],
});
