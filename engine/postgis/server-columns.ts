/**
 * The columns of the tables in PostgreSQL, with their types, derived from the tables of the vocabulary: the dictionary, the
 * filters, the comps.
 */
import { compColumns } from '../comps/comp-columns.ts';
import { filters } from '../spec/filters.ts';
import { type ColumnType, parcelColumnsByName, storedColumns } from '../spec/parcel-columns.ts';
import { foldText, foldWords } from '../spec/text-fold.ts';
import { internalColumns } from '../store/migrations/parcels-table.ts';

/** Types that the tables use. Texts sort by their bytes, as in SQLite, whatever the collation of the database. */
export const serverTypes = {
  bigint: 'bigint',
  double: 'double precision',
  text: 'text COLLATE "C"',
  date: 'date',
  boolean: 'boolean',
  doubles: 'double precision[]',
  geometry: 'geometry(Geometry, 4326)',
} as const;
export type ServerType = keyof typeof serverTypes;

const ofDictionary: Record<ColumnType, ServerType | null> = {
  id: 'bigint',
  integer: 'bigint',
  money: 'bigint',
  number: 'double',
  percent: 'double',
  text: 'text',
  date: 'date',
  boolean: 'boolean',
  percents: 'doubles',
  point: null,
  shape: null,
};

const ofStore = { INTEGER: 'bigint', TEXT: 'text', REAL: 'double', MULTIPOLYGON: 'geometry' } as const;

export interface ServerColumn {
  readonly name: string;
  readonly type: ServerType;
  /** Part of the key, or never null for another reason. */
  readonly isRequired?: boolean;
}

const required = new Set(['property_id', 'fips', 'status']);

function dictionaryColumn(name: string, type: ColumnType): ServerColumn {
  const found = ofDictionary[type];
  if (found === null) throw new Error(`${name}: a column of type ${type} cannot be stored`);
  return { name, type: found, isRequired: required.has(name) };
}

/**
 * What a row of parcels says, under the names of land.sqlite. `geom` is the boundary, or the point of a parcel that has
 * only that.
 */
export const parcelValueColumns: readonly ServerColumn[] = [
  ...storedColumns.map(({ name, type }) => dictionaryColumn(name, type)),
  ...internalColumns.map(({ name, sql }): ServerColumn => ({ name, type: ofStore[sql] })),
];

/** Texts that filters and the search compare folded, each with whether it is searched by words. */
const foldedTexts: ReadonlyMap<string, boolean> = new Map(
  storedColumns
    .filter(({ type }) => type === 'text')
    .flatMap(({ name }) => {
      const rows = filters.filter((row) => 'column' in row && row.column === name);
      const kinds = new Set(rows.map(({ kind }) => kind));
      const hasWords = kinds.has('words') || kinds.has('exclude_words');
      if (!hasWords && !kinds.has('list') && !kinds.has('text')) return [];
      return [[name, hasWords] as const];
    }),
);

export const foldedTextNames: readonly string[] = [...foldedTexts.keys()];

const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text);

interface FoldColumn extends ServerColumn {
  /** The column that it folds. */
  readonly of: string;
  /** Null where the text alone serves. */
  readonly make: (text: string) => string | null;
}

/**
 * `<column>_fold` holds a text as filters compare it, null where that is the text itself; `<column>_words` the words of a
 * text beyond ASCII, where PostgreSQL folds otherwise than Platbook.
 */
export const foldColumns: readonly FoldColumn[] = [...foldedTexts].flatMap(([of, hasWords]) => {
  const folded: FoldColumn = {
    name: `${of}_fold`,
    type: 'text',
    of,
    make: (text) => {
      const made = foldText(text);
      return made === text ? null : made;
    },
  };
  const words: FoldColumn = {
    name: `${of}_words`,
    type: 'text',
    of,
    make: (text) => (isAscii(text) ? null : foldWords(text)),
  };
  return hasWords ? [folded, words] : [folded];
});

/** SQL of a text as filters compare it. */
export const foldedSql = (column: string, table = ''): string => {
  const prefix = table === '' ? '' : `${table}.`;
  return foldedTexts.has(column) ? `coalesce(${prefix}"${column}_fold", ${prefix}"${column}")` : `${prefix}"${column}"`;
};

/** The hash by which a push knows an unchanged row: of all values, of the geometry and of the county's own columns. */
const rowHash: ServerColumn = { name: 'row_hash', type: 'bigint', isRequired: true };

export const parcelServerColumns: readonly ServerColumn[] = [...parcelValueColumns, ...foldColumns, rowHash];

/** Numbers of the comp dictionary; dates stay texts, because land.sqlite holds them as any text. */
const numbers: ReadonlyMap<string, ServerType> = new Map(
  compColumns.flatMap(({ name, type }) => {
    if (type !== 'number' && type !== 'integer') return [];
    return [[name, type === 'number' ? 'double' : 'bigint'] as const];
  }),
);

/**
 * A comp's columns as land.sqlite stores them (store/migrations/land.ts), without the number of its row there. A test
 * compares the two.
 */
const compNames = [
  ...['comp_id', 'source', 'source_id', 'fips', 'property_id', 'status', 'address', 'city', 'state', 'zip', 'county'],
  ...['apn', 'latitude', 'longitude', 'coordinate_grain', 'lot_size', 'price', 'use', 'list_date', 'as_of_date'],
  ...['sold_date', 'days_on_market', 'sale_type', 'url', 'photos'],
  ...['deed', 'seller', 'buyer', 'struck'],
];
const requiredOfComps = new Set(['comp_id', 'source', 'source_id', 'fips', 'status', 'latitude', 'longitude', 'price']);

export const compServerColumns: readonly ServerColumn[] = compNames.map((name) => ({
  name,
  type: name === 'property_id' ? 'bigint' : (numbers.get(name) ?? 'text'),
  isRequired: requiredOfComps.has(name),
}));

/** The tables beside, with the columns and names of land.sqlite. */
export const registryColumns: readonly ServerColumn[] = [
  { name: 'fips', type: 'text', isRequired: true },
  { name: 'property_id', type: 'bigint', isRequired: true },
  { name: 'jurisdiction', type: 'text', isRequired: true },
  { name: 'apn', type: 'text', isRequired: true },
  { name: 'sequence', type: 'bigint', isRequired: true },
  { name: 'geometry_hash', type: 'bigint' },
];

export const rawColumns: readonly ServerColumn[] = [
  { name: 'fips', type: 'text', isRequired: true },
  { name: 'property_id', type: 'bigint', isRequired: true },
  { name: 'json', type: 'text', isRequired: true },
];

/** Tables of few rows beside a county's parcels, with the names of land.sqlite. */
export const besideColumns = {
  layers: ['fips', 'layer_id', 'kind', 'source_name', 'source_date'],
  market_models: [
    ...['fips', 'constants', 'generation', 'comp_count', 'comps', 'row_count', 'forests', 'trained_at', 'tested'],
    'tested_on',
  ],
} as const;

export const columnDefinition = ({ name, type, isRequired = false }: ServerColumn): string =>
  `"${name}" ${serverTypes[type]}${isRequired ? ' NOT NULL' : ''}`;

/** The version of land.sqlite whose columns the tables have. */
export const landVersion = Math.max(...[...parcelColumnsByName.values()].map(({ since = 1 }) => since));
