/** Filters as SQL of SQLite, with the functions of store/land-store.ts. */
import { sql } from 'kysely';
import { parcelExpressions } from '../store/parcel-expressions.ts';
import { type FilterDialect, filterSql, type Sql } from './filter-terms.ts';

/** A dictionary or filter-only column as SQL. */
export const columnSql = (column: string): Sql => {
  const expression = parcelExpressions[column];
  return expression ? sql.raw(expression) : sql.ref(column);
};

/** Plain ASCII: there SQLite's `upper` and LIKE fold as we do, in a third of the time of a call into JavaScript. */
const isAscii = (column: Sql): Sql => sql`length(${column}) = octet_length(${column})`;

/** Printable ASCII without repeated blanks is folded without such a call. */
const folded = (column: Sql): Sql =>
  sql`CASE WHEN ${column} NOT GLOB '*[^ -~]*' AND instr(${column}, '  ') = 0 THEN upper(trim(${column})) ELSE fold_text(${column}) END`;

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

const longestWord = (words: string): string =>
  words
    .trim()
    .split(' ')
    .reduce((a, b) => (b.length > a.length ? b : a));

/**
 * Whole words: for plain ASCII, a cheap search for the longest part of each phrase decides most rows without a call
 * into JavaScript.
 */
function hasAnyWord(name: string, phrases: readonly string[]): Sql {
  const column = columnSql(name);
  const exact = sql`has_any_words(${column}, ${JSON.stringify(phrases)})`;
  if (phrases.length > mostCheapWords) return exact;
  const cheap = sql.join(
    phrases.map((words) => like(column, longestWord(words))),
    sql` OR `,
  );
  return sql`CASE WHEN ${isAscii(column)} AND NOT (${cheap}) THEN 0 ELSE ${exact} END`;
}

function everyToken(name: string, tokens: readonly string[]): Sql {
  const column = columnSql(name);
  const every = (test: (token: string) => Sql) => sql.join(tokens.map(test), sql` AND `);
  return sql`CASE WHEN ${isAscii(column)} THEN (${every((token) => like(column, token))}) ELSE (${every((token) => sql`instr(fold_text(${column}), ${token}) > 0`)}) END`;
}

/**
 * Parcels in the box of the area, by the R-tree (whose 32-bit bounds are rounded outwards), and parcels with only a
 * point, by their index; then the exact test.
 */
const area: FilterDialect['area'] = ({ bounds }) => [
  sql`property_id IN (
    SELECT pkid FROM idx_parcels_geom
      WHERE xmax >= ${bounds.minX} AND xmin <= ${bounds.maxX} AND ymax >= ${bounds.minY} AND ymin <= ${bounds.maxY}
    UNION ALL
    SELECT property_id FROM parcels WHERE geom IS NULL AND point_lon IS NOT NULL
      AND point_lon BETWEEN ${bounds.minX} AND ${bounds.maxX} AND point_lat BETWEEN ${bounds.minY} AND ${bounds.maxY})`,
  sql`in_area(geom, point_lon, point_lat)`,
];

/** Called on one row in 256, because a call costs 0.1 µs. */
const deadline: Sql = sql`((property_id & 255) <> 0 OR tick())`;

export const { filterTerms, filterTests, keptUnknownTests, hasEveryToken } = filterSql({
  column: columnSql,
  value: (value) => sql`${typeof value === 'boolean' ? Number(value) : value}`,
  day: (iso) => sql`${iso}`,
  isIn,
  isOneOf: (ids) => sql`property_id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
  equalsAny: (name, values) => isIn(folded(columnSql(name)), values),
  hasAnyWord,
  hasEveryToken: everyToken,
  element: (name, index) => sql`json_extract(${columnSql(name)}, ${`$[${index}]`})`,
  area,
  deadline: [deadline],
});
