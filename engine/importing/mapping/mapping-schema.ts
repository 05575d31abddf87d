/** The schema of a mapping file, with the message for each violation. */
import Type, { type TSchema } from 'typebox';
import { type AccountChoice, accountChoices } from '../../spec/accounts.ts';
import { dateFormats } from '../../spec/date-formats.ts';
import { columnChoices, type JoinRows } from '../../spec/join-rows.ts';
import { type LinePart, lineParts } from './address-lines.ts';

const expects = (words: string) => ({ 'x-expected': words });
const text = (words = 'a text') => Type.String({ ...expects(words), minLength: 1, maxLength: 500 });
const texts = Type.Array(Type.String(), { ...expects('a list of texts'), maxItems: 1000 });
const strict = { additionalProperties: false };
/** Checked separately, with their own path, by mapping.ts. */
const anything = Type.Unknown();

const splitSchema = Type.Object(
  {
    separator: Type.String({ minLength: 1, maxLength: 20 }),
    index: Type.Integer({ minimum: -100, maximum: 100 }),
  },
  { ...strict, ...expects('an object like {"separator": ",", "index": 0}') },
);

const apnGroupsSchema = Type.Object(
  {
    size: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })),
    by: Type.Optional(Type.String({ minLength: 1, maxLength: 5 })),
    separator: Type.String({ maxLength: 5 }),
    dropTrailingZeroGroups: Type.Optional(Type.Boolean()),
  },
  { ...strict, ...expects('an object like {"size": 6, "separator": "-", "dropTrailingZeroGroups": true}') },
);

const padSchema = Type.Object(
  { length: Type.Integer({ minimum: 1, maximum: 100 }), with: Type.String({ minLength: 1, maxLength: 1 }) },
  { ...strict, ...expects('an object like {"length": 5, "with": "0"}') },
);

/** A factor for each unit; `unit` is an expression, checked by mapping.ts. Without it each value names its own. */
const scaleBySchema = Type.Object(
  {
    unit: Type.Optional(anything),
    factors: Type.Record(Type.String({ minLength: 1 }), Type.Number(expects('a number')), { minProperties: 1 }),
  },
  { ...strict, ...expects('an object like {"unit": "AREA_UNIT", "factors": {"AC": 1, "SF": 0.0000229568}}') },
);

const codeSchema = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]);

/** An expression that is an object. `from`, `concat`, `sum`, `minus` and `lines` hold expressions again. */
export const expressionSchema = Type.Object(
  {
    note: Type.Optional(text()),
    from: Type.Optional(anything),
    constant: Type.Optional(
      Type.Union([Type.String(), Type.Number(), Type.Boolean()], expects('a text, a number, true or false')),
    ),
    concat: Type.Optional(anything),
    separator: Type.Optional(Type.String({ ...expects('a text of at most 20 characters'), maxLength: 20 })),
    sum: Type.Optional(anything),
    minus: Type.Optional(anything),
    lines: Type.Optional(anything),
    part: Type.Optional(
      Type.Union(
        lineParts.map((part) => Type.Literal(part)),
        expects(`one of ${lineParts.join(', ')}`),
      ),
    ),
    split: Type.Optional(splitSchema),
    slice: Type.Optional(
      Type.Array(Type.Integer(), { ...expects('a list of one or two whole numbers'), minItems: 1, maxItems: 2 }),
    ),
    words: Type.Optional(
      Type.Array(Type.Integer(), { ...expects('a list of one or two whole numbers'), minItems: 1, maxItems: 2 }),
    ),
    lettersAndDigits: Type.Optional(Type.Literal(true, expects('true'))),
    digits: Type.Optional(Type.Literal(true, expects('true'))),
    wholeNumber: Type.Optional(Type.Literal(true, expects('true'))),
    decimalComma: Type.Optional(Type.Literal(true, expects('true'))),
    apnGroups: Type.Optional(apnGroupsSchema),
    pad: Type.Optional(padSchema),
    map: Type.Optional(Type.Record(Type.String(), codeSchema, expects('an object of codes and what they mean'))),
    otherwise: Type.Optional(codeSchema),
    nullIf: Type.Optional(
      Type.Array(Type.Union([Type.String(), Type.Number()]), {
        ...expects('a list of texts and numbers'),
        maxItems: 1000,
      }),
    ),
    scale: Type.Optional(Type.Number(expects('a number'))),
    scaleBy: Type.Optional(scaleBySchema),
    date: Type.Optional(
      Type.Union(
        dateFormats.map((format) => Type.Literal(format)),
        expects(`one of ${dateFormats.join(', ')}`),
      ),
    ),
    yes: Type.Optional(texts),
    no: Type.Optional(texts),
  },
  strict,
);

export interface ExpressionObject {
  readonly note?: string;
  readonly from?: Expression | readonly Expression[];
  readonly constant?: string | number | boolean;
  readonly concat?: readonly Expression[];
  readonly separator?: string;
  readonly sum?: readonly Expression[];
  readonly minus?: readonly Expression[];
  /** Lines of one address; `part` says which part. */
  readonly lines?: readonly Expression[];
  readonly part?: LinePart;
  readonly split?: { readonly separator: string; readonly index: number };
  readonly slice?: readonly [number] | readonly [number, number];
  readonly words?: readonly [number] | readonly [number, number];
  readonly lettersAndDigits?: true;
  readonly digits?: true;
  readonly wholeNumber?: true;
  /** `1.234,5` is 1234.5. */
  readonly decimalComma?: true;
  readonly apnGroups?: {
    readonly size?: number;
    readonly by?: string;
    readonly separator: string;
    readonly dropTrailingZeroGroups?: boolean;
  };
  readonly pad?: { readonly length: number; readonly with: string };
  readonly map?: Readonly<Record<string, string | number | boolean | null>>;
  readonly otherwise?: string | number | boolean | null;
  readonly nullIf?: readonly (string | number)[];
  /** A factor: 0.0000229568 turns square feet into acres. */
  readonly scale?: number;
  /** A factor for each row's unit, which another column gives, or the value itself (`5.2 acres`). */
  readonly scaleBy?: { readonly unit?: Expression; readonly factors: Readonly<Record<string, number>> };
  readonly date?: (typeof dateFormats)[number];
  readonly yes?: readonly string[];
  readonly no?: readonly string[];
}

/** A column of the parcel file, `table.NAME` of the joined table, `$id` for a feature's own id; or an object. */
export type Expression = string | ExpressionObject;

export interface MappingJoin {
  readonly parcel: Expression;
  readonly table: Expression;
  /** What becomes of several rows of one key; absent: an import with such rows is refused if they differ. */
  readonly rows?: JoinRows;
}

export interface Mapping {
  readonly name: string;
  readonly title?: string;
  readonly note?: string;
  readonly source?: string;
  readonly jurisdiction?: string;
  readonly date?: string;
  /** What identifies a parcel between two imports; default: its APN. */
  readonly identity?: Expression;
  /** What becomes of accounts without a shape of their own; default: rows of a table without a parcel are left out. */
  readonly accounts?: AccountChoice;
  /** Which rows of the file are parcels (`row-condition.ts`); an import's own condition replaces it. */
  readonly where?: string;
  /** What stacked accounts have in common with their lot; default: the beginning of the APN. */
  readonly lot?: Expression;
  /** One for each joined table, in the order of the files. */
  readonly join?: MappingJoin | readonly MappingJoin[];
  readonly columns: Readonly<Record<string, Expression>>;
}

const anObject = (words: string): TSchema => Type.Unknown(expects(words));

export const mappingSchema = Type.Object(
  {
    name: text('a text, the name of the mapping'),
    title: Type.Optional(text()),
    note: Type.Optional(Type.String({ ...expects('a text'), maxLength: 5000 })),
    source: Type.Optional(text()),
    jurisdiction: Type.Optional(text()),
    date: Type.Optional(
      Type.String({ ...expects('a date like "2026-07-01"'), pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' }),
    ),
    identity: Type.Optional(anything),
    accounts: Type.Optional(
      Type.Union(
        accountChoices.map((choice) => Type.Literal(choice)),
        expects(`one of ${accountChoices.join(', ')}`),
      ),
    ),
    where: Type.Optional(text('a condition on the rows, like "TYPE = \'Taxlot\'"')),
    lot: Type.Optional(anything),
    join: Type.Optional(anObject('an object like {"parcel": "PIN", "table": "table.PIN"}')),
    columns: anObject('an object of dictionary columns and where they come from'),
  },
  strict,
);

export const joinSchema = Type.Object(
  {
    parcel: anything,
    table: anything,
    rows: Type.Optional(
      Type.Union(
        [
          Type.Literal('first'),
          Type.Literal('last'),
          Type.Record(Type.String(), Type.Union(columnChoices.map((choice) => Type.Literal(choice))), {
            minProperties: 1,
          }),
        ],
        expects(`"first", "last", or an object like {"LAND_VAL": "sum"} with ${columnChoices.join(', ')}`),
      ),
    ),
  },
  strict,
);
