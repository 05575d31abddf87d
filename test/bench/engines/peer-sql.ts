/**
 * A query as SQL for the compared engines: two statements, the count and the page. A dialect holds their differences;
 * each uses what is fastest there.
 */
import type { Area, Predicate, Question } from '../questions.ts';

export interface Statement {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** Gives the placeholder of a bound value. */
export type Bind = (value: unknown) => string;

export interface Dialect {
  placeholder(position: number): string;
  oneOf(column: string, values: readonly string[], bind: Bind): string;
  withoutWords(column: string, words: readonly string[], bind: Bind): string;
  withTokens(column: string, tokens: readonly string[], bind: Bind): string;
  intersects(area: Area, bind: Bind): string;
}

const pageColumns =
  'property_id, apn, fips, point_lon, point_lat, effective_acres AS acres, calculated_acres, owner_name, situs_address, situs_city, situs_state, situs_zip';

function conditionOf(predicate: Predicate, dialect: Dialect, bind: Bind): string {
  switch (predicate.type) {
    case 'oneOf':
      if (predicate.values.length === 1) return `${predicate.column} = ${bind(predicate.values[0])}`;
      return dialect.oneOf(predicate.column, predicate.values, bind);
    case 'range':
      return rangeOf(predicate, bind);
    case 'equals':
      return predicate.value === true ? predicate.column : `${predicate.column} = ${bind(predicate.value)}`;
    case 'unless':
      if (predicate.value === true) return `${predicate.column} IS NOT TRUE`;
      return `${predicate.column} IS DISTINCT FROM ${bind(predicate.value)}`;
    case 'withoutWords':
      return dialect.withoutWords(predicate.column, predicate.words, bind);
    case 'withTokens':
      return dialect.withTokens(predicate.column, predicate.tokens, bind);
    case 'intersects':
      return dialect.intersects(predicate.area, bind);
  }
}

function rangeOf({ column, min, max }: Extract<Predicate, { type: 'range' }>, bind: Bind): string {
  if (min === undefined) return `${column} <= ${bind(max)}`;
  if (max === undefined) return `${column} >= ${bind(min)}`;
  return `${column} BETWEEN ${bind(min)} AND ${bind(max)}`;
}

export function statementsOf(question: Question, dialect: Dialect): { count: Statement; page: Statement } {
  const values: unknown[] = [];
  const bind: Bind = (value) => {
    values.push(value);
    return dialect.placeholder(values.length);
  };
  const where = question.predicates.map((predicate) => conditionOf(predicate, dialect, bind)).join(' AND ');
  return {
    count: { sql: `SELECT count(*) FROM parcels WHERE ${where}`, values },
    page: { sql: pageSql(question, where), values },
  };
}

/** A deep page finds its ids first: no engine then carries whole rows through the sort. */
function pageSql({ isByAcresDescending, page, pageSize }: Question, where: string): string {
  const limit = `LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`;
  const select = `SELECT ${pageColumns} FROM parcels WHERE`;
  if (!isByAcresDescending) return `${select} ${where} ORDER BY property_id ${limit}`;
  const order = 'ORDER BY effective_acres DESC NULLS LAST, property_id';
  return `${select} property_id IN (SELECT property_id FROM parcels WHERE ${where} ${order} ${limit}) ${order}`;
}

/** `100%_` of a LIKE pattern, taken literally; the escape is a backslash. */
export const likePart = (part: string): string => `%${part.replace(/[\\%_]/g, '\\$&')}%`;
