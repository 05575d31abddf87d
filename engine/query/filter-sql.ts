/**
 * The SQL predicate of every filter kind. User text never reaches the SQL text: columns come from the filter table,
 * values are bound. A predicate is true, false, or NULL where the county did not publish the value; NULL drops the
 * parcel (`WHERE`), unless the filter excludes, or `include_unknown` names it.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Bounds } from '../geo/geometry.ts';
import { type Criterion, filterKinds } from '../spec/filter-kinds.ts';
import { type ColumnTest, type FilterKindName, type FilterRow, filters } from '../spec/filters.ts';
import { parcelColumnsByName } from '../spec/parcel-columns.ts';
import { apnKey, foldCase, foldSpaces, foldWords } from '../spec/text-fold.ts';
import { parcelExpressions } from '../store/parcel-expressions.ts';
import type { FilterRequest } from './filter-request.ts';

type Sql = RawBuilder<unknown>;

/** A dictionary or filter-only column as SQL. */
export const columnSql = (column: string): Sql => {
  const expression = parcelExpressions[column];
  return expression ? sql.raw(expression) : sql.ref(column);
};

/** Plain ASCII: there SQLite's `upper` and LIKE fold as we do, in a third of the time of a call into JavaScript. */
const isAscii = (column: Sql): Sql => sql`length(${column}) = octet_length(${column})`;

const folded = (column: Sql): Sql =>
  sql`CASE WHEN ${isAscii(column)} THEN upper(${column}) ELSE fold_case(${column}) END`;

const foldedSpaces = (column: Sql): Sql =>
  sql`CASE WHEN ${column} NOT GLOB '*[^ -~]*' AND instr(${column}, '  ') = 0 THEN upper(trim(${column})) ELSE fold_spaces(${column}) END`;

/** The text holds this part, in any case; only for plain ASCII texts. */
const like = (column: Sql, part: string): Sql =>
  sql`${column} LIKE ${`%${part.replace(/[\\%_]/g, '\\$&')}%`} ESCAPE '\\'`;

/** One bound parameter for any number of values, so the statement cache holds one text per filter. */
const isIn = (column: Sql, values: readonly string[]): Sql =>
  sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`;

/**
 * Each word is a term of an expression, whose depth SQLite limits to 1000; and each count of words is a statement of
 * its own.
 */
const mostCheapWords = 100;

/**
 * Whole words: for plain ASCII, a cheap search for the longest part of each phrase decides most rows without a call
 * into JavaScript.
 */
function hasAnyWord(column: Sql, phrases: readonly string[]): Sql {
  const folded = phrases.map(foldWords);
  const exact = sql`has_any_words(${column}, ${JSON.stringify(folded)})`;
  if (folded.length > mostCheapWords) return exact;
  const longest = (words: string) =>
    words
      .trim()
      .split(' ')
      .reduce((a, b) => (b.length > a.length ? b : a));
  const cheap = sql.join(
    folded.map((words) => like(column, longest(words))),
    sql` OR `,
  );
  return sql`CASE WHEN ${isAscii(column)} AND NOT (${cheap}) THEN 0 ELSE ${exact} END`;
}

/** A name contains every token, each as a substring of the folded name (property search). */
export function hasEveryToken(column: Sql, text: string): Sql {
  const tokens = foldCase(text)
    .split(/\s+/u)
    .filter((token) => token !== '');
  const every = (test: (token: string) => Sql) => sql.join(tokens.map(test), sql` AND `);
  return sql`CASE WHEN ${isAscii(column)} THEN (${every((token) => like(column, token))}) ELSE (${every((token) => sql`instr(fold_case(${column}), ${token}) > 0`)}) END`;
}

function range(column: Sql, criterion: Criterion): Sql {
  if (criterion.type !== 'range') throw new TypeError(`a range criterion is expected, found ${criterion.type}`);
  const { min, max } = criterion;
  if (min !== undefined && max !== undefined) return sql`${column} BETWEEN ${min} AND ${max}`;
  return min === undefined ? sql`${column} <= ${max}` : sql`${column} >= ${min}`;
}

const element = (column: Sql, index: number): Sql => sql`json_extract(${column}, ${`$[${index}]`})`;

const bindable = (value: string | number | boolean): string | number =>
  typeof value === 'boolean' ? Number(value) : value;

const columnTest = (column: Sql, test: ColumnTest): Sql =>
  'equals' in test ? sql`${column} = ${bindable(test.equals)}` : sql`${element(column, test.element)} > ${test.above}`;

const not = (test: Sql): Sql => sql`NOT (${test})`;

const valuesOf = (criterion: Criterion): readonly string[] => (criterion.type === 'values' ? criterion.values : []);
const textOf = (criterion: Criterion): string => (criterion.type === 'text' ? criterion.text : '');
const numberOf = (criterion: Criterion): number => (criterion.type === 'number' ? criterion.number : 0);
const flagOf = (criterion: Criterion): number => (criterion.type === 'flag' && criterion.flag ? 1 : 0);

/** Text comparisons fold both sides: the values here, the column in SQL. */
function textEquals(row: FilterRow, column: Sql, values: readonly string[]): Sql {
  const spaces = 'collapseSpaces' in row && row.collapseSpaces === true;
  return spaces ? isIn(foldedSpaces(column), values.map(foldSpaces)) : isIn(folded(column), values.map(foldCase));
}

/** Predicates by kind. Absent kinds are handled elsewhere: counties, area, portfolio, frontage (see below). */
const predicates: Partial<Record<FilterKindName, (row: FilterRow, criterion: Criterion, column: Sql) => Sql>> = {
  state: (_row, criterion, column) => isIn(column, valuesOf(criterion)),
  zips: (_row, criterion, column) => isIn(column, valuesOf(criterion)),
  exclude_zips: (_row, criterion, column) => not(isIn(column, valuesOf(criterion))),
  id: (_row, criterion) => sql`property_id = ${numberOf(criterion)}`,
  apn: (_row, criterion) => sql`apn_key = ${apnKey(textOf(criterion))}`,
  range: (_row, criterion, column) => range(column, criterion),
  date_range: (_row, criterion, column) => range(column, criterion),
  min: (_row, criterion, column) => range(column, criterion),
  max: (_row, criterion, column) => range(column, criterion),
  list: (row, criterion, column) => textEquals(row, column, valuesOf(criterion)),
  text: (row, criterion, column) => textEquals(row, column, [textOf(criterion)]),
  words: (_row, criterion, column) => hasAnyWord(column, valuesOf(criterion)),
  exclude_words: (_row, criterion, column) => not(hasAnyWord(column, valuesOf(criterion))),
  plss: (_row, criterion, column) => hasAnyWord(column, valuesOf(criterion)),
  is: (_row, criterion, column) => sql`${column} = ${flagOf(criterion)}`,
  choice: (_row, criterion, column) => sql`${column} = ${flagOf(criterion)}`,
  only: (row, _criterion, column) => columnTest(column, testOf(row)),
  exclude: (row, _criterion, column) => not(columnTest(column, testOf(row))),
};

function testOf(row: FilterRow): ColumnTest {
  if (row.kind !== 'only' && row.kind !== 'exclude') throw new TypeError(`${row.name} has no column test`);
  return row.test;
}

export interface KeptUnknownTest {
  readonly filter: string;
  readonly test: Sql;
}

/** The test of one filter: 1, 0, or NULL where the value is unknown. */
interface FilterTest {
  readonly row: FilterRow;
  readonly test: Sql;
}

function simpleTest(row: FilterRow, criterion: Criterion): FilterTest | null {
  const predicate = predicates[row.kind];
  if (!predicate) return null;
  const column = 'column' in row ? columnSql(row.column) : sql.ref('property_id');
  return { row, test: predicate(row, criterion, column) };
}

function slopeTest(row: FilterRow, criterion: Criterion): FilterTest | null {
  if (criterion.type !== 'slope') return null;
  return { row, test: sql`${element(sql.ref('slope_area_percent'), criterion.index)} <= ${criterion.percent}` };
}

/**
 * The sum of the chosen frontage types; with none or all chosen the total, which does not count parallel roads twice.
 */
function frontageTest(request: FilterRequest): FilterTest | null {
  const frontage = request.criteria.find(({ row }) => row.kind === 'frontage');
  if (!frontage) return null;
  const chosen = request.criteria.flatMap(({ row }) => (row.kind === 'frontage_type' ? [sql.ref(row.column)] : []));
  const total = 'column' in frontage.row ? sql.ref(frontage.row.column) : sql`NULL`;
  const isAll = chosen.length === 0 || chosen.length === frontageTypes;
  const value = isAll ? total : sql`(${sql.join(chosen, sql` + `)})`;
  return { row: frontage.row, test: range(value, frontage.criterion) };
}

const frontageTypes = filters.filter((row) => row.kind === 'frontage_type').length;

function countyTerm(request: FilterRequest): Sql | null {
  const codes = request.criteria.flatMap(({ row, criterion }) =>
    row.kind === 'county' || row.kind === 'counties' ? valuesOf(criterion) : [],
  );
  if (codes.length === 0) return null;
  return codes.length === 1 ? sql`fips = ${codes[0]}` : isIn(sql.ref('fips'), [...new Set(codes)]);
}

/**
 * Parcels in the box of the area, by the R-tree (whose 32-bit bounds are rounded outwards), and parcels with only a
 * point, by their index; then the exact test.
 */
function areaTerms(bounds: Bounds): Sql[] {
  const candidates = sql`property_id IN (
    SELECT pkid FROM idx_parcels_geom
      WHERE xmax >= ${bounds.minX} AND xmin <= ${bounds.maxX} AND ymax >= ${bounds.minY} AND ymin <= ${bounds.maxY}
    UNION ALL
    SELECT property_id FROM parcels WHERE geom IS NULL AND point_lon IS NOT NULL
      AND point_lon BETWEEN ${bounds.minX} AND ${bounds.maxX} AND point_lat BETWEEN ${bounds.minY} AND ${bounds.maxY})`;
  return [candidates, sql`in_area(geom, point_lon, point_lat)`];
}

/** Stops a long scan at its deadline (store/land-store.ts); called on one row in 256, because a call costs 0.1 µs. */
const deadlineTerm: Sql = sql`((property_id & 255) <> 0 OR tick())`;

/** Filters and searches exclude parcels that left the county's file. */
export const currentTerm: Sql = sql`status = 'current'`;

/**
 * Every condition of a request, cheap ones first; all must be true.
 * @param mailingKey the normalized mailing address for `owner_parcel_id`
 */
export function filterTerms(request: FilterRequest, mailingKey: string | null): Sql[] {
  const county = countyTerm(request);
  return [
    ...(county ? [county] : []),
    currentTerm,
    ...(mailingKey === null ? [] : [sql`mailing_key = ${mailingKey}`]),
    deadlineTerm,
    ...filterTests(request).map((one) => withUnknown(one, request.includeUnknown)),
    ...(request.area ? areaTerms(request.area.bounds) : []),
  ];
}

/** The tests of a request, except counties, area and portfolio. */
export function filterTests(request: FilterRequest): FilterTest[] {
  const tests = request.criteria.flatMap(
    ({ row, criterion }) => simpleTest(row, criterion) ?? slopeTest(row, criterion) ?? [],
  );
  const frontage = frontageTest(request);
  return frontage ? [...tests, frontage] : tests;
}

/** For each filter that excludes, whether it keeps a parcel only because the value is unknown. */
export const keptUnknownTests = (request: FilterRequest): KeptUnknownTest[] =>
  filterTests(request)
    .filter(({ row }) => filterKinds[row.kind].unknown === 'keep')
    .map(({ row, test }) => ({ filter: row.name, test: sql`(${test}) IS NULL` }));

const withUnknown = ({ row, test }: FilterTest, includeUnknown: ReadonlySet<string>): Sql =>
  includeUnknown.has(row.name) || filterKinds[row.kind].unknown === 'keep' ? sql`(${test}) IS NOT FALSE` : test;

/** Whether results can be ordered by this column: it has one value per parcel. */
export const isOrderable = (column: string): boolean => {
  const type = parcelColumnsByName.get(column)?.type;
  return type !== 'point' && type !== 'shape' && type !== 'percents';
};
