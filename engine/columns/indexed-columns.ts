/**
 * Contents of the column index, derived from the filter table: every column that a filter reads, in the form its kind
 * needs, and the common sort orders of a county.
 */
import { filters } from '../spec/filters.ts';
import { parcelColumnsByName, slopeEdgesPercent } from '../spec/parcel-columns.ts';

/** `ordered`: only the order of the rows, not the values. */
type IndexedKind = 'numbers' | 'texts' | 'words' | 'packed' | 'ordered';

export interface IndexedColumn {
  readonly name: string;
  readonly kind: IndexedKind;
  /** Columns of the parcels table, or filter-only columns, that are summed; usually one. */
  readonly sources: readonly string[];
  /** Which number of a column that holds a list. */
  readonly element?: number;
  /** Also stores rows by value, for pages in the order of this column. */
  readonly isSorted?: true;
}

/** Common sort columns; the order of other coded columns is built on first use. */
const sorted = new Set([
  'effective_acres',
  'market_total_value',
  'assessed_total_value',
  'last_sale_price',
  'last_sale_date',
]);

/** Common sort texts. The order of others is built on first use (query/find-parcels.ts). */
const orderedTexts: readonly string[] = ['apn', 'owner_name', 'situs_address'];

export const orderOf = (column: string): string => `order of ${column}`;

/** Names indexed by word: those of the word filters, and the exact names. */
const wordColumns = new Set(
  filters.flatMap((row) =>
    row.kind === 'words' || row.kind === 'exclude_words' || row.kind === 'plss' || (row.kind === 'text' && row.byWords)
      ? [row.column]
      : [],
  ),
);

/** SQLite's own indexes answer filters of these kinds, which name a handful of parcels. */
const byRow = new Set(['id', 'apn', 'portfolio', 'around', 'county', 'counties', 'geometry', 'slope_area']);

export const slopeColumn = 'slope_area_percent';

export const slopeElement = (index: number): string => `${slopeColumn}[${index}]`;

/** Types of the filter-only columns. */
const filterOnlyTypes: Readonly<Record<string, IndexedKind>> = {
  effective_acres: 'numbers',
  vacant: 'numbers',
  tax_delinquent_years: 'numbers',
};

function kindOf(column: string): IndexedKind {
  const known = filterOnlyTypes[column] ?? others[column];
  if (known) return known;
  if (wordColumns.has(column)) return 'words';
  const type = parcelColumnsByName.get(column)?.type;
  // ISO dates sort as text.
  return type === 'text' || type === 'date' ? 'texts' : 'numbers';
}

/** Columns no filter reads: tables sort by them, the search box searches them, or the map colors by them. */
const others: Readonly<Record<string, IndexedKind>> = {
  calculated_acres: 'numbers',
  slope_mean_percent: 'numbers',
  situs_city: 'texts',
  mailing_city: 'texts',
  flood_zone_type: 'texts',
  elevation_min_ft: 'numbers',
  elevation_mean_ft: 'numbers',
  elevation_max_ft: 'numbers',
  situs_address: 'words',
  apn_key: 'packed',
};

const single = [
  ...new Set([
    ...Object.keys(others),
    ...filters.flatMap((row) =>
      'column' in row && !byRow.has(row.kind) && row.column !== slopeColumn ? [row.column] : [],
    ),
  ]),
];

export const frontageColumns: readonly string[] = filters.flatMap((row) =>
  row.kind === 'frontage_type' ? [row.column] : [],
);

/** The name of the stored sum of some columns. */
export const sumOf = (columns: readonly string[]): string => columns.join('+');

/** Two of the three frontage types: their sum is stored as a column, because a range needs one. */
const frontagePairs = frontageColumns.flatMap((a, i) => frontageColumns.slice(i + 1).map((b) => [a, b]));

export const indexedColumns: readonly IndexedColumn[] = [
  ...single.map(
    (name): IndexedColumn => ({
      name,
      kind: kindOf(name),
      sources: [name],
      ...(sorted.has(name) ? { isSorted: true } : {}),
    }),
  ),
  ...orderedTexts.map((column): IndexedColumn => ({ name: orderOf(column), kind: 'ordered', sources: [column] })),
  ...frontagePairs.map((pair): IndexedColumn => ({ name: sumOf(pair), kind: 'numbers', sources: pair })),
  ...slopeEdgesPercent.map(
    (_, element): IndexedColumn => ({ name: slopeElement(element), kind: 'numbers', sources: [slopeColumn], element }),
  ),
];
