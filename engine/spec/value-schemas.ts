/**
 * The building blocks of every input schema. Each carries `x-expected`: the words with which validate.ts
 * completes "expected …, found …", so that a schema and its message cannot drift apart.
 */
import Type, { type Static, type TSchema } from 'typebox';

interface Described {
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
}

/** The value of a schema as a deeply read-only type. */
export type ValueOf<Schema extends TSchema> = Frozen<Static<Schema>>;

type Frozen<Value> = unknown extends Value ? Value : { readonly [Key in keyof Value]: Frozen<Value[Key]> };

/** Unknown fields are errors. */
export const strict = { additionalProperties: false } as const;

/** An input without fields. */
export const noInput = Type.Object({}, strict);

export const orNull = <Schema extends TSchema>(schema: Schema, more: Described = {}) =>
  Type.Union([schema, Type.Null()], { ...more });

export const count = (description?: string) => Type.Integer({ minimum: 0, ...(description && { description }) });

const degrees = (limit: number) =>
  Type.Number({ minimum: -limit, maximum: limit, 'x-expected': `degrees from -${limit} to ${limit}` });

export const longitudeSchema = degrees(180);
export const latitudeSchema = degrees(90);

/** A position's accuracy: 100 km say nothing about a place. */
export const accuracySchema = Type.Number({
  minimum: 0,
  maximum: 100_000,
  'x-expected': 'meters from 0 to 100,000',
});

/** West, south, east, north, in degrees. */
export const boxSchema = Type.Unsafe<readonly [west: number, south: number, east: number, north: number]>(
  Type.Array(Type.Number(), { minItems: 4, maxItems: 4 }),
);

/** One of a few texts, in an answer; `choiceSchema` for an input. */
export const oneOf = <const Choice extends string>(choices: readonly Choice[], more: Described = {}) =>
  Type.Unsafe<Choice>(
    Type.Union(
      choices.map((choice) => Type.Literal(choice)),
      { ...more },
    ),
  );

const expects = (words: string) => ({ 'x-expected': words });

export const expectedWords = (schema: TSchema): string | undefined =>
  (schema as { 'x-expected'?: string })['x-expected'];

export const numberSchema = (more: Described = {}) => Type.Number({ ...expects('a number'), ...more });

export const wholeNumberSchema = (minimum?: number, maximum?: number, more: Described = {}) => {
  const range =
    minimum === undefined ? '' : maximum === undefined ? ` from ${minimum}` : ` from ${minimum} to ${maximum}`;
  return Type.Integer({
    ...expects(`a whole number${range}`),
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
    ...more,
  });
};

/** The parcel that an operation is about. */
export const parcelIdSchema = wholeNumberSchema(0, Number.MAX_SAFE_INTEGER, { description: 'The property_id.' });

export const percentSchema = (more: Described = {}) =>
  Type.Number({ ...expects('a number from 0 to 100'), minimum: 0, maximum: 100, ...more });

export const textSchema = (more: Described = {}) =>
  Type.String({
    ...expects('a text of 1 to 200 characters, not only spaces, without control characters'),
    minLength: 1,
    maxLength: 200,
    // No control characters: SQLite's LIKE stops at a NUL, so the rest would be ignored.
    pattern: '^[^\\u0000-\\u001f\\u007f]*[^\\s\\u0000-\\u001f\\u007f][^\\u0000-\\u001f\\u007f]*$',
    ...more,
  });

export const booleanSchema = (more: Described = {}) => Type.Boolean({ ...expects('true or false'), ...more });

export const fipsSchema = (more: Described = {}) =>
  Type.Union([Type.String({ pattern: '^[0-9]{4,5}$' }), Type.Integer({ minimum: 1000, maximum: 99999 })], {
    ...expects('a county FIPS code of 4 or 5 digits, like "33019"'),
    ...more,
  });

export const zipSchema = (more: Described = {}) =>
  Type.Union([Type.String({ pattern: '^[0-9]{5}$' }), Type.Integer({ minimum: 1, maximum: 99999 })], {
    ...expects('a ZIP code of 5 digits, like "03280"'),
    ...more,
  });

/** The ZIP code of a person's address, which may be of nine digits. */
export const mailingZipSchema = (more: Described = {}) =>
  Type.Union([Type.String({ pattern: '^[0-9]{5}(-?[0-9]{4})?$' }), Type.Integer({ minimum: 1, maximum: 99999 })], {
    ...expects('a ZIP code of 5 or 9 digits, like "03280" or "03280-1234"'),
    ...more,
  });

export const stateSchema = (more: Described = {}) =>
  Type.String({ ...expects('a state of two letters, like "NH"'), pattern: '^[A-Za-z]{2}$', ...more });

/** As the service has it, and as answers print it. */
export const dateSchema = (more: Described = {}) =>
  Type.String({
    ...expects('a calendar date as YYYYMMDD or YYYY-MM-DD, like "20240131"'),
    pattern: '^([0-9]{8}|[0-9]{4}-[0-9]{2}-[0-9]{2})$',
    ...more,
  });

export const isoDaySchema = (more: Described = {}) =>
  Type.String({
    ...expects('a day as YYYY-MM-DD, like "2026-10-14"'),
    pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
    ...more,
  });

/** @param more `expected` instead of the list of all choices, where that is long */
export const choiceSchema = <const Choice extends string>(
  choices: readonly Choice[],
  { expected, ...more }: Described & { expected?: string } = {},
) => oneOf(choices, { ...expects(expected ?? `one of ${choices.join(', ')}`), ...more });

export const listSchema = <Item extends TSchema>(item: Item, more: Described = {}) =>
  Type.Array(item, {
    ...expects(`a list of at least one: ${expectedWords(item) ?? 'value'}`),
    minItems: 1,
    maxItems: 5000,
    ...more,
  });

/** FIPS as answers give it: always five characters (`8023` and `"8023"` are `"08023"`). */
export const normalFips = (given: string | number): string => String(given).padStart(5, '0');

/** ZIP codes that a spreadsheet turned into numbers get their leading zeros back. */
export const normalZip = (given: string | number): string => String(given).padStart(5, '0');

/** `20240131` or `2024-01-31` → `2024-01-31`; null if it is not a calendar date. */
export function isoFromDate(date: string): string | null {
  const compact = date.replaceAll('-', '');
  if (compact.startsWith('0000')) return null;
  const iso = `${compact.slice(0, 4)}-${compact.slice(4, 6)}-${compact.slice(6, 8)}`;
  const time = Date.parse(`${iso}T00:00:00Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== iso ? null : iso;
}

const optionalText = Type.Optional(Type.String({ maxLength: 1000 }));

/** A person by name and place, as contact records are compared (contacts/match-contact.ts). */
export const wantedPersonSchema = Type.Object(
  {
    firstName: Type.String({ minLength: 1, maxLength: 1000 }),
    middleName: optionalText,
    lastName: Type.String({ minLength: 1, maxLength: 1000 }),
    suffix: optionalText,
    address: optionalText,
    city: optionalText,
    state: optionalText,
    zip: optionalText,
  },
  strict,
);
