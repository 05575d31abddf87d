/**
 * The filter kinds: the wire fields of each with their schemas, and the parser that turns valid values into a criterion.
 * A filter of a known kind needs only its row in filters.ts.
 */
import type { TSchema } from 'typebox';
import Type from 'typebox';
import type { FilterKindName, FilterRow } from './filters.ts';
import { parcelColumnsByName, slopeEdgesPercent } from './parcel-columns.ts';
import { aliquotText } from './plss/aliquot.ts';
import { type LegalTract, parseLegalDescription } from './plss/legal-description.ts';
import { foldWords } from './text-fold.ts';
import {
  booleanSchema,
  choiceSchema,
  dateSchema,
  fipsSchema,
  isoFromDate,
  listSchema,
  normalFips,
  normalZip,
  numberSchema,
  percentSchema,
  stateSchema,
  textSchema,
  wholeNumberSchema,
  zipSchema,
} from './value-schemas.ts';

/** A filter of a request after parsing, ready for a predicate. Dates are ISO texts. */
export type Criterion =
  | { readonly type: 'range'; readonly min?: number | string; readonly max?: number | string }
  | { readonly type: 'values'; readonly values: readonly string[] }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'number'; readonly number: number }
  | { readonly type: 'around'; readonly id: number; readonly feet: number | null }
  | { readonly type: 'flag'; readonly flag: boolean }
  | { readonly type: 'slope'; readonly index: number; readonly percent: number };

/** A problem with one wire field, or with several of them (`field` null). */
export interface Problem {
  readonly field: string | null;
  readonly message: string;
}

type Parsed = Criterion | Problem | null;

/** Values of one filter's wire fields that already fit their schemas. */
type RawFields = Readonly<Record<string, unknown>>;

interface FilterKind {
  readonly docs: string;
  /** Parcels with an unknown value: left out unless `include_unknown` names the filter; always kept; or there are none. */
  readonly unknown: 'drop' | 'keep' | 'none';
  fields(row: FilterRow): Readonly<Record<string, TSchema>>;
  /** Null if the filter has no effect (a tick that is false). Called only if one of its fields is given. */
  parse(row: FilterRow, raw: RawFields): Parsed;
}

const isProblem = (parsed: Parsed): parsed is Problem => parsed !== null && 'message' in parsed;

export { isProblem };

const described = (row: FilterRow, text = row.docs) => ({ description: text });

function boundSchema(row: FilterRow, side: 'min' | 'max'): TSchema {
  const column = 'column' in row ? parcelColumnsByName.get(row.column) : undefined;
  const unit = 'unit' in row && row.unit ? row.unit : column?.unit;
  const words = `${row.label}, ${side === 'min' ? 'at least' : 'at most'}${unit ? ` (${unit})` : ''}. ${row.docs}`;
  if ('whole' in row && row.whole) return wholeNumberSchema(undefined, undefined, { description: words });
  return column?.type === 'percent' ? percentSchema({ description: words }) : numberSchema({ description: words });
}

const bounds = (row: FilterRow, schema: (side: 'min' | 'max') => TSchema) => ({
  [`${row.name}_min`]: schema('min'),
  [`${row.name}_max`]: schema('max'),
});

function rangeOf(row: FilterRow, min: number | string | undefined, max: number | string | undefined): Parsed {
  if (min !== undefined && max !== undefined && min > max) {
    return { field: null, message: `${row.name}_min (${min}) is above ${row.name}_max (${max})` };
  }
  return { type: 'range', ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
}

const parseRange = (row: FilterRow, raw: RawFields): Parsed =>
  rangeOf(row, raw[`${row.name}_min`] as number | undefined, raw[`${row.name}_max`] as number | undefined);

function parseDateRange(row: FilterRow, raw: RawFields): Parsed {
  const iso: (string | undefined)[] = [];
  for (const field of [`${row.name}_min`, `${row.name}_max`]) {
    const given = raw[field] as string | undefined;
    const date = given === undefined ? undefined : isoFromDate(given);
    if (date === null)
      return { field, message: `expected a calendar date as YYYYMMDD or YYYY-MM-DD, found "${given}"` };
    iso.push(date);
  }
  return rangeOf(row, iso[0], iso[1]);
}

function parseWords(row: FilterRow, raw: RawFields): Parsed {
  const words = raw[row.name] as string[];
  const empty = words.find((word) => foldWords(word).trim() === '');
  if (empty !== undefined)
    return { field: row.name, message: `expected words with letters or digits, found ${JSON.stringify(empty)}` };
  return { type: 'values', values: words };
}

function parseSlopeArea(_row: FilterRow, raw: RawFields): Parsed {
  const index = raw.slope_area_index as number | undefined;
  const percent = raw.slope_area_percent as number | undefined;
  if (index === undefined || percent === undefined) {
    const [given, missing] = index === undefined ? ['percent', 'index'] : ['index', 'percent'];
    return { field: null, message: `slope_area_${given} needs slope_area_${missing} beside it` };
  }
  return { type: 'slope', index, percent };
}

const single = (schema: (more: { description: string }) => TSchema) => (row: FilterRow) => ({
  [row.name]: schema(described(row)),
});
const oneText = (row: FilterRow, raw: RawFields): Parsed => ({ type: 'text', text: raw[row.name] as string });
const oneNumber = (row: FilterRow, raw: RawFields): Parsed => ({ type: 'number', number: raw[row.name] as number });
const manyTexts = (row: FilterRow, raw: RawFields): Parsed => ({ type: 'values', values: raw[row.name] as string[] });
const manyZips = (row: FilterRow, raw: RawFields): Parsed => ({
  type: 'values',
  values: (raw[row.name] as (string | number)[]).map(normalZip),
});
const tick = (row: FilterRow, raw: RawFields): Parsed => (raw[row.name] === true ? { type: 'flag', flag: true } : null);

const zipList = single((more) => listSchema(zipSchema(), more));
const textList = single((more) => listSchema(textSchema(), more));

export const filterKinds: Record<FilterKindName, FilterKind> = {
  county: {
    docs: 'county FIPS code, 4-5 digit string or integer',
    unknown: 'none',
    fields: single(fipsSchema),
    parse: (row, raw) => ({ type: 'values', values: [normalFips(raw[row.name] as string | number)] }),
  },
  counties: {
    docs: 'list of county FIPS codes',
    unknown: 'none',
    fields: single((more) => listSchema(fipsSchema(), more)),
    parse: (row, raw) => ({ type: 'values', values: (raw[row.name] as (string | number)[]).map(normalFips) }),
  },
  state: {
    docs: 'two letters',
    unknown: 'drop',
    fields: single(stateSchema),
    parse: (row, raw) => ({ type: 'values', values: [(raw[row.name] as string).toUpperCase()] }),
  },
  zips: { docs: 'list of 5-digit ZIP codes', unknown: 'drop', fields: zipList, parse: manyZips },
  exclude_zips: {
    docs: 'list of 5-digit ZIP codes to leave out',
    unknown: 'keep',
    fields: zipList,
    parse: manyZips,
  },
  geometry: {
    docs: 'WKT geometry, longitude latitude',
    unknown: 'none',
    // geo/wkt.ts alone checks length and form.
    fields: single((more) =>
      Type.String({ 'x-expected': 'a WKT geometry in longitude latitude, like "POINT (-72.1 43.2)"', ...more }),
    ),
    parse: oneText,
  },
  portfolio: {
    docs: 'property id',
    unknown: 'none',
    fields: single((more) => wholeNumberSchema(1, Number.MAX_SAFE_INTEGER, more)),
    parse: oneNumber,
  },
  around: {
    docs: 'property id, and feet around its boundary',
    unknown: 'none',
    fields: (row) => ({
      [row.name]: wholeNumberSchema(1, Number.MAX_SAFE_INTEGER, described(row)),
      within_feet: feetAroundSchema,
    }),
    parse: parseAround,
  },
  id: {
    docs: 'property id',
    unknown: 'none',
    fields: single((more) => wholeNumberSchema(1, Number.MAX_SAFE_INTEGER, more)),
    parse: oneNumber,
  },
  apn: {
    docs: 'APN; only letters and digits are compared',
    unknown: 'none',
    fields: single((more) => textSchema({ ...more })),
    parse: parseApn,
  },
  plss: {
    docs: 'township, range and section as deeds write them',
    unknown: 'drop',
    fields: single(textSchema),
    parse: parsePlss,
  },
  range: {
    docs: 'minimum and maximum, both inclusive, either alone',
    unknown: 'drop',
    fields: (row) => bounds(row, (side) => boundSchema(row, side)),
    parse: parseRange,
  },
  date_range: {
    docs: 'earliest and latest date as YYYYMMDD or YYYY-MM-DD, both inclusive',
    unknown: 'drop',
    fields: (row) =>
      bounds(row, (side) =>
        dateSchema(
          described(
            row,
            `${row.label}, ${side === 'min' ? 'earliest' : 'latest'}, YYYYMMDD or YYYY-MM-DD. ${row.docs}`,
          ),
        ),
      ),
    parse: parseDateRange,
  },
  min: {
    docs: 'minimum, inclusive',
    unknown: 'drop',
    fields: (row) => ({ [`${row.name}_min`]: boundSchema(row, 'min') }),
    parse: parseRange,
  },
  max: {
    docs: 'maximum, inclusive',
    unknown: 'drop',
    fields: (row) => ({ [`${row.name}_max`]: boundSchema(row, 'max') }),
    parse: parseRange,
  },
  list: { docs: 'list of exact values, any of them, any case', unknown: 'drop', fields: textList, parse: manyTexts },
  text: { docs: 'exact text, any case', unknown: 'drop', fields: single(textSchema), parse: oneText },
  words: {
    docs: 'list of words or phrases, any of them as whole words',
    unknown: 'drop',
    fields: textList,
    parse: parseWords,
  },
  exclude_words: {
    docs: 'list of words or phrases to leave out',
    unknown: 'keep',
    fields: textList,
    parse: parseWords,
  },
  is: {
    docs: 'true, false (the opposite), or absent',
    unknown: 'drop',
    fields: single(booleanSchema),
    parse: (row, raw) => ({ type: 'flag', flag: raw[row.name] as boolean }),
  },
  choice: {
    docs: '`Y` or `N`',
    unknown: 'drop',
    fields: single((more) => choiceSchema(['Y', 'N'], more)),
    parse: (row, raw) => ({ type: 'flag', flag: raw[row.name] === 'Y' }),
  },
  only: {
    docs: 'true, or absent (false asks nothing)',
    unknown: 'drop',
    fields: single(booleanSchema),
    parse: tick,
  },
  exclude: {
    docs: 'true, or absent (false asks nothing)',
    unknown: 'keep',
    fields: single(booleanSchema),
    parse: tick,
  },
  slope_area: {
    docs: 'category 0-10 and percent of the area, both together',
    unknown: 'drop',
    fields: (row) => ({
      slope_area_index: wholeNumberSchema(0, slopeEdgesPercent.length - 1, described(row)),
      slope_area_percent: percentSchema(described(row)),
    }),
    parse: parseSlopeArea,
  },
  frontage: {
    docs: 'minimum and maximum in feet, over the frontage types that count',
    unknown: 'drop',
    fields: (row) =>
      bounds(row, (side) =>
        numberSchema(described(row, `${row.label}, ${side === 'min' ? 'at least' : 'at most'} (ft). ${row.docs}`)),
      ),
    parse: parseRange,
  },
  frontage_type: {
    docs: 'true, or absent (false asks nothing)',
    unknown: 'none',
    fields: single(booleanSchema),
    parse: tick,
  },
};

/** Five miles. */
export const mostFeetAround = 26_400;

const feetAroundSchema = Type.Number({
  ...numberSchema(),
  ...{ minimum: 0, maximum: mostFeetAround, 'x-expected': `a number from 0 to ${mostFeetAround} (5 miles)` },
  description: 'Beside `neighbour_of`. Also parcels within so many feet of its boundary; 0: those that touch it.',
});

function parseAround(row: FilterRow, raw: RawFields): Parsed {
  const [id, feet] = [raw[row.name] as number | undefined, raw.within_feet as number | undefined];
  if (id === undefined) return { field: 'within_feet', message: `expected ${row.name} beside it` };
  return { type: 'around', id, feet: feet ?? null };
}

function parseApn(row: FilterRow, raw: RawFields): Parsed {
  const apn = raw[row.name] as string;
  return /[\p{L}\p{N}]/u.test(apn)
    ? { type: 'text', text: apn }
    : { field: row.name, message: `expected an APN with letters or digits, found ${JSON.stringify(apn)}` };
}

/** Phrases of the column `plss` (store/parcel-expressions.ts): meridian, township, range, section. */
function parsePlss(row: FilterRow, raw: RawFields): Parsed {
  const { tracts, unread } = parseLegalDescription(raw[row.name] as string);
  const refuse = (message: string) => ({ field: row.name, message });
  const [left] = unread;
  if (left) return refuse(`${left.why}: ${JSON.stringify(left.words)} at character ${left.at + 1}`);
  if (tracts.length === 0)
    return refuse(`expected a township or section like "T5N R3W S12", found ${JSON.stringify(raw[row.name])}`);
  const parts = tracts.flatMap((tract) => [
    ...tract.parts.filter(({ length }) => length > 0).map(aliquotText),
    ...tract.lots,
  ]);
  if (parts.length > 0)
    return refuse(`expected whole sections: parcels do not know ${parts.join(', ')}; draw it as an area instead`);
  const gap = tracts.find(({ township, range }) => (township === null) !== (range === null));
  if (gap) return refuse(`expected township and range together, like "T5N R3W"`);
  return { type: 'values', values: tracts.map(plssPhrase) };
}

const plssPhrase = ({ meridian, township, range, section }: LegalTract): string =>
  [meridian, township, range, section === null ? null : `S${section}`].filter((word) => word !== null).join(' ');

/** Wire field → its filter, for every filter of the table. */
export const wireFields = (rows: readonly FilterRow[]): Map<string, FilterRow> =>
  new Map(rows.flatMap((row) => Object.keys(filterKinds[row.kind].fields(row)).map((field) => [field, row] as const)));
