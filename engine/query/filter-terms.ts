/**
 * The predicate of every filter kind, in the words of a dialect (sqlite-dialect.ts, and that of the server). User text
 * never reaches the SQL text: columns come from the filter table, values are bound. A predicate is true, false, or NULL
 * where the county did not publish the value; NULL drops the parcel (`WHERE`), unless the filter excludes, or
 * `include_unknown` names it.
 */
import { type RawBuilder, sql } from 'kysely';
import type { QueryGeometry } from '../geo/geometry.ts';
import { type Criterion, filterKinds } from '../spec/filter-kinds.ts';
import { type ColumnTest, type FilterKindName, type FilterRow, filters } from '../spec/filters.ts';
import { parcelColumnsByName } from '../spec/parcel-columns.ts';
import { apnKey, foldText, foldWords } from '../spec/text-fold.ts';
import { countiesOf, type FilterRequest } from './filter-request.ts';
import type { LookedUp } from './looked-up.ts';

export type Sql = RawBuilder<unknown>;

/** What SQLite and PostgreSQL say otherwise. Columns are named as in the dictionary, or as those that only filters have. */
export interface FilterDialect {
  readonly column: (name: string) => Sql;
  readonly value: (value: string | number | boolean) => Sql;
  /** @param iso `2024-05-31` */
  readonly day: (iso: string) => Sql;
  readonly isIn: (column: Sql, values: readonly string[]) => Sql;
  /** Parcels by property_id. */
  readonly isOneOf: (ids: readonly number[]) => Sql;
  /** @param folded by `foldText` */
  readonly equalsAny: (column: string, folded: readonly string[]) => Sql;
  /** Holds one of the phrases as whole words. @param folded by `foldWords` */
  readonly hasAnyWord: (column: string, folded: readonly string[]) => Sql;
  /** Holds every token as a part. @param tokens by `foldText` */
  readonly hasEveryToken: (column: string, tokens: readonly string[]) => Sql;
  /** An entry of a list of numbers, from 0. */
  readonly element: (column: string, index: number) => Sql;
  readonly area: (area: QueryGeometry) => readonly Sql[];
  /** Stops a long scan at its deadline. */
  readonly deadline: readonly Sql[];
}

/** Filters and searches exclude parcels that left the county's file. */
export const currentTerm: Sql = sql`status = 'current'`;

export interface KeptUnknownTest {
  readonly filter: string;
  readonly test: Sql;
}

/** The test of one filter: true, false, or NULL where the value is unknown. */
export interface FilterTest {
  readonly row: FilterRow;
  readonly test: Sql;
}

const not = (test: Sql): Sql => sql`NOT (${test})`;

const valuesOf = (criterion: Criterion): readonly string[] => (criterion.type === 'values' ? criterion.values : []);
const textOf = (criterion: Criterion): string => (criterion.type === 'text' ? criterion.text : '');
const numberOf = (criterion: Criterion): number => (criterion.type === 'number' ? criterion.number : 0);
const flagOf = (criterion: Criterion): boolean => criterion.type === 'flag' && criterion.flag;

/** White space separates the words of a search; each must occur in the name. */
export const searchTokens = (text: string): string[] =>
  foldText(text)
    .split(' ')
    .filter((token) => token !== '');

function testOf(row: FilterRow): ColumnTest {
  if (row.kind !== 'only' && row.kind !== 'exclude') throw new TypeError(`${row.name} has no column test`);
  return row.test;
}

const frontageTypes = filters.filter((row) => row.kind === 'frontage_type').length;

type Predicate = (row: FilterRow, criterion: Criterion, column: string) => Sql;

/** Predicates by kind. Absent kinds are handled elsewhere: counties, area, portfolio, slope, frontage (see below). */
function predicatesOf(dialect: FilterDialect): Partial<Record<FilterKindName, Predicate>> {
  const { column: named, value, isIn } = dialect;
  const among: Predicate = (_row, criterion, column) => isIn(named(column), valuesOf(criterion));
  const inRange: Predicate = (_row, criterion, column) => rangeOf(dialect, named(column), criterion);
  const isFlag: Predicate = (_row, criterion, column) => sql`${named(column)} = ${value(flagOf(criterion))}`;
  const words: Predicate = (_row, criterion, column) => dialect.hasAnyWord(column, valuesOf(criterion).map(foldWords));
  /** Text comparisons fold both sides: the values here, the column in SQL. */
  const equalsAny = (column: string, values: readonly string[]): Sql => dialect.equalsAny(column, values.map(foldText));
  const columnTest: Predicate = (row, _criterion, column) => {
    const test = testOf(row);
    return 'equals' in test
      ? sql`${named(column)} = ${value(test.equals)}`
      : sql`${dialect.element(column, test.element)} > ${value(test.above)}`;
  };
  return {
    state: among,
    zips: among,
    exclude_zips: (...given) => not(among(...given)),
    id: (_row, criterion) => sql`property_id = ${value(numberOf(criterion))}`,
    apn: (_row, criterion) => sql`apn_key = ${apnKey(textOf(criterion))}`,
    range: inRange,
    date_range: inRange,
    min: inRange,
    max: inRange,
    list: (_row, criterion, column) => equalsAny(column, valuesOf(criterion)),
    text: (_row, criterion, column) => equalsAny(column, [textOf(criterion)]),
    words,
    exclude_words: (...given) => not(words(...given)),
    plss: words,
    is: isFlag,
    choice: isFlag,
    only: columnTest,
    exclude: (...given) => not(columnTest(...given)),
  };
}

function rangeOf({ value, day }: FilterDialect, column: Sql, criterion: Criterion): Sql {
  if (criterion.type !== 'range') throw new TypeError(`a range criterion is expected, found ${criterion.type}`);
  const { min, max } = criterion;
  const bound = (given: number | string) => (typeof given === 'string' ? day(given) : value(given));
  if (min !== undefined && max !== undefined) return sql`${column} BETWEEN ${bound(min)} AND ${bound(max)}`;
  if (min !== undefined) return sql`${column} >= ${bound(min)}`;
  return sql`${column} <= ${bound(max as string | number)}`;
}

/** The filters of requests as SQL of one dialect. */
export function filterSql(dialect: FilterDialect) {
  const predicates = predicatesOf(dialect);

  function simpleTest(row: FilterRow, criterion: Criterion): FilterTest | null {
    const predicate = predicates[row.kind];
    if (!predicate) return null;
    return { row, test: predicate(row, criterion, 'column' in row ? row.column : 'property_id') };
  }

  function slopeTest(row: FilterRow, criterion: Criterion): FilterTest | null {
    if (criterion.type !== 'slope') return null;
    const share = dialect.element('slope_area_percent', criterion.index);
    return { row, test: sql`${share} <= ${dialect.value(criterion.percent)}` };
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
    return { row: frontage.row, test: rangeOf(dialect, value, frontage.criterion) };
  }

  function countyTerm(request: FilterRequest): Sql | null {
    const codes = countiesOf(request);
    if (codes.length === 0) return null;
    return codes.length === 1 ? sql`fips = ${codes[0]}` : dialect.isIn(sql.ref('fips'), codes);
  }

  /** The tests of a request, except counties, area and portfolio. */
  function filterTests(request: FilterRequest): FilterTest[] {
    const tests = request.criteria.flatMap(
      ({ row, criterion }) => simpleTest(row, criterion) ?? slopeTest(row, criterion) ?? [],
    );
    const frontage = frontageTest(request);
    return frontage ? [...tests, frontage] : tests;
  }

  return {
    filterTests,
    /** Every condition of a request, cheap ones first; all must be true. */
    filterTerms(request: FilterRequest, { mailingKey, around }: LookedUp): Sql[] {
      const county = countyTerm(request);
      return [
        ...(county ? [county] : []),
        currentTerm,
        ...(mailingKey === null ? [] : [sql`mailing_key = ${mailingKey}`]),
        ...(around === null ? [] : [dialect.isOneOf(around)]),
        ...dialect.deadline,
        ...filterTests(request).map((one) => withUnknown(one, request.includeUnknown)),
        ...(request.area ? dialect.area(request.area) : []),
      ];
    },
    /** For each filter that excludes, whether it keeps a parcel only because the value is unknown. */
    keptUnknownTests: (request: FilterRequest): KeptUnknownTest[] =>
      filterTests(request)
        .filter(({ row }) => filterKinds[row.kind].unknown === 'keep')
        .map(({ row, test }) => ({ filter: row.name, test: sql`(${test}) IS NULL` })),
    /** A name contains every token, each as a substring of the folded name (property search). */
    hasEveryToken: (column: string, text: string): Sql => dialect.hasEveryToken(column, searchTokens(text)),
  };
}

const withUnknown = ({ row, test }: FilterTest, includeUnknown: ReadonlySet<string>): Sql =>
  includeUnknown.has(row.name) || filterKinds[row.kind].unknown === 'keep' ? sql`(${test}) IS NOT FALSE` : test;

/** Whether results can be ordered by this column: it has one value per parcel. */
export const isOrderable = (column: string): boolean => {
  const type = parcelColumnsByName.get(column)?.type;
  return type !== 'point' && type !== 'shape' && type !== 'percents';
};
