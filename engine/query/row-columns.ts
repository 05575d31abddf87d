/** Columns of the results table, as SQL. */
import { type RawBuilder, sql } from 'kysely';
import { storedColumns } from '../spec/parcel-columns.ts';
import { isOrderable } from './filter-terms.ts';
import { ratioColumns } from './ids-by-ratio.ts';
import { columnSql } from './sqlite-dialect.ts';

/** Those that the dictionary lacks. */
const tableExpressions: Readonly<Record<string, RawBuilder<unknown>>> = {
  effective_acres: columnSql('effective_acres'),
  ...Object.fromEntries(
    Object.entries(ratioColumns).map(([name, { value, by }]) => [
      name,
      sql`${columnSql(value)} / nullif(${columnSql(by)}, 0)`,
    ]),
  ),
  has_shape: sql`geom IS NOT NULL`,
};

/** The columns of a row; all but the lists of numbers can be sort keys. */
export const rowColumns: readonly string[] = [
  ...storedColumns.map((column) => column.name),
  ...Object.keys(tableExpressions),
];
export const rowOrderings: readonly string[] = rowColumns.filter(isOrderable);

export const expressionOf = (column: string): RawBuilder<unknown> => tableExpressions[column] ?? columnSql(column);
