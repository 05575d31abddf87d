/** Filters as SQL of PostgreSQL: folded texts are stored beside the texts (server-columns.ts), every value is cast. */
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely';
import type { QueryGeometry } from '../geo/geometry.ts';
import { type FilterDialect, filterSql, type Sql } from '../query/filter-terms.ts';
import { foldColumns, foldedSql } from './server-columns.ts';

/** Compiles only; connect.ts runs. */
const compiler = new Kysely<Record<string, never>>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

export const compiled = (query: RawBuilder<unknown>) => query.compile(compiler);

const vacant = (column: string): string => `("${column}" ILIKE '%vacant%' AND "${column}" NOT ILIKE 'no%vacant%')`;

/** The columns that exist only for filters and ordering, as in store/parcel-expressions.ts. */
const expressions: Readonly<Record<string, string>> = {
  effective_acres: 'coalesce(acres, calculated_acres)',
  vacant: `CASE
  WHEN structure_count > 0 OR assessed_improvement_value > 0 OR market_improvement_value > 0 THEN 0
  WHEN structure_count = 0 OR assessed_improvement_value = 0 OR market_improvement_value = 0
    OR ${vacant('land_use_code')} OR ${vacant('property_class_id')} THEN 1
  END`,
  plss: `(coalesce(principal_meridian || ' ', '') || township || ' ' || "range" || coalesce(' S' || section, ''))`,
};

export const columnSql = (column: string): Sql => {
  const expression = expressions[column];
  return expression ? sql`(${sql.raw(expression)})` : sql.ref(column);
};

const folded = (column: string): Sql =>
  expressions[column] ? sql`upper(${columnSql(column)})` : sql.raw(foldedSql(column));

const columnsWithWords = new Set(foldColumns.filter(({ name }) => name.endsWith('_words')).map(({ of }) => of));

/** Whole numbers as such: a column of ids then answers by its index. */
function cast(value: string | number | boolean): Sql {
  if (typeof value === 'boolean') return sql`${value}::boolean`;
  if (typeof value === 'string') return sql`${value}::text`;
  return Number.isSafeInteger(value) ? sql`${value}::bigint` : sql`${value}::double precision`;
}

const isAny = (column: Sql, values: readonly string[]): Sql => sql`${column} = ANY(${[...values]}::text[])`;

/** Matches no text. */
const never = '(?!x)x';

/** Folded phrases of ASCII hold letters, digits and spaces alone; others occur in no text of ASCII. */
const asciiPhrases = (phrases: readonly string[]): string[] =>
  phrases.map((phrase) => phrase.trim()).filter((phrase) => /^[A-Z0-9 ]+$/.test(phrase));

function phrasePattern(phrases: readonly string[]): string {
  const plain = asciiPhrases(phrases);
  if (plain.length === 0) return never;
  return `(^|[^A-Z0-9])(${plain.map((phrase) => phrase.replaceAll(' ', '[^A-Z0-9]+')).join('|')})([^A-Z0-9]|$)`;
}

const longestWord = (phrase: string): string =>
  phrase.split(' ').reduce((longest, word) => (word.length > longest.length ? word : longest), '');

const holdsAny = (text: Sql, parts: readonly string[]): Sql =>
  sql`${text} LIKE ANY(${parts.map((part) => `%${part}%`)}::text[])`;

function hasAnyWord(column: string, phrases: readonly string[]): Sql {
  const ofAscii = sql`${folded(column)} ~ ${phrasePattern(phrases)}::text`;
  if (!columnsWithWords.has(column)) return ofAscii;
  const words = sql.ref(`${column}_words`);
  const ofWords = holdsAny(words, phrases);
  // True wherever the rest is: indexes answer it, and without one it costs less than the pattern.
  const maybe = sql`(${holdsAny(folded(column), asciiPhrases(phrases).map(longestWord))} OR ${ofWords})`;
  return sql`(${maybe} AND CASE WHEN ${words} IS NULL THEN ${ofAscii} ELSE ${ofWords} END)`;
}

/** `x y, x y …` of a flat list of coordinates. */
function pairs(coordinates: Float64Array): string {
  const texts: string[] = [];
  for (let i = 0; i < coordinates.length; i += 2) texts.push(`${coordinates[i]} ${coordinates[i + 1]}`);
  return texts.join(', ');
}

function partsOf({ points, lines, polygons }: QueryGeometry): string[] {
  const pointTexts: string[] = [];
  for (let i = 0; i < points.length; i += 2) pointTexts.push(`POINT(${points[i]} ${points[i + 1]})`);
  return [
    ...pointTexts,
    ...lines.map((line) => `LINESTRING(${pairs(line)})`),
    ...polygons.map((rings) => `POLYGON(${rings.map((ring) => `(${pairs(ring)})`).join(', ')})`),
  ];
}

/** Part by part: parts of an area may overlap, which the geometries of a collection may not. */
function area(geometry: QueryGeometry): readonly Sql[] {
  const tests = partsOf(geometry).map((part) => sql`ST_Intersects(geom, ST_GeomFromText(${part}::text, 4326))`);
  return [sql`(${tests.length === 0 ? sql`false` : sql.join(tests, sql` OR `)})`];
}

const dialect: FilterDialect = {
  column: columnSql,
  value: cast,
  day: (iso) => sql`${iso}::date`,
  isIn: isAny,
  isOneOf: (ids) => sql`property_id = ANY(${[...ids]}::bigint[])`,
  equalsAny: (column, values) => isAny(folded(column), values),
  hasAnyWord,
  hasEveryToken: (column, tokens) =>
    sql`(${sql.join(
      // unlike strpos, answered by the index of names
      tokens.map((token) => sql`${folded(column)} LIKE ${`%${token.replace(/[\\%_]/g, '\\$&')}%`}::text`),
      sql` AND `,
    )})`,
  element: (column, index) => sql`(${sql.ref(column)})[${sql.lit(index + 1)}]`,
  area,
  // statement_timeout is the deadline
  deadline: [],
};

export const { filterTerms, filterTests, keptUnknownTests, hasEveryToken } = filterSql(dialect);
