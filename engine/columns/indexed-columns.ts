/**
 * What the column index holds, derived from the filter table: every column that a filter reads, in the form its kind asks
 * for; and the orders that people sort a county by.
 */
import { filters } from '../spec/filters.ts';
import { parcelColumnsByName, slopeEdgesPercent } from '../spec/parcel-columns.ts';

/** `ordered`: not the values, only the rows by them. */
type IndexedKind = 'numbers' | 'texts' | 'words' | 'packed' | 'ordered';

export interface IndexedColumn {
  readonly name: string;
  readonly kind: IndexedKind;
  /** Columns of the parcels table, or filter-only columns, that are added up; mostly one. */
  readonly sources: readonly string[];
  /** Which number of a column that keeps a list. */
  readonly element?: number;
  /** Rows by value are kept too, for pages in the order of this column. */
  readonly isSorted?: true;
}

/** Columns that people sort a county by; of the others that have codes the order is made when it is first asked for. */
const sorted = new Set([
  'effective_acres',
  'market_total_value',
  'assessed_total_value',
  'last_sale_price',
  'last_sale_date',
]);

/** Texts that people sort a county by. The order of others is made when it is asked for (query/text-orders.ts). */
const orderedTexts: readonly string[] = ['apn', 'owner_name', 'situs_address'];

export const orderOf = (column: string): string => `order of ${column}`;

/** Names that are looked at word by word: those of the word filters, and the exact names. */
const wordColumns = new Set(
  filters.flatMap((row) =>
    row.kind === 'words' || row.kind === 'exclude_words' || (row.kind === 'text' && row.collapseSpaces)
      ? [row.column]
      : [],
  ),
);

/** Filters by these kinds are answered by SQLite's own indexes, which name a handful of parcels. */
const byRow = new Set(['id', 'apn', 'portfolio', 'county', 'counties', 'geometry', 'slope_area']);

export const slopeColumn = 'slope_area_percent';

export const slopeElement = (index: number): string => `${slopeColumn}[${index}]`;

/** Types of the columns that exist for filters alone. */
const filterOnlyTypes: Readonly<Record<string, IndexedKind>> = {
  effective_acres: 'numbers',
  tax_delinquent_years: 'numbers',
};

function kindOf(column: string): IndexedKind {
  const known = filterOnlyTypes[column] ?? others[column];
  if (known) return known;
  if (wordColumns.has(column)) return 'words';
  const type = parcelColumnsByName.get(column)?.type;
  // Dates are ISO texts: their order is that of time.
  return type === 'text' || type === 'date' ? 'texts' : 'numbers';
}

/** Columns that no filter reads: tables are sorted by them, the search box looks into them, or the map is filled by them. */
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

/** The name under which the sum of some columns is kept. */
export const sumOf = (columns: readonly string[]): string => columns.join('+');

/** Two of the three frontage types that count: their sum is a column of its own, for a range needs one. */
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
