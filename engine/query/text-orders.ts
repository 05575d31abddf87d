/**
 * Pages in the order of a text outside the column index. A county is sorted once, a million rows in one to two seconds,
 * and the order stays in the county's memory.
 */
import type { CountyColumns } from '../columns/county-columns.ts';
import { countySource } from '../columns/county-source.ts';
import type { TextOrders } from '../columns/pages.ts';
import { type TextOrder, TextOrderBuilder } from '../columns/text-order.ts';
import type { LandStore } from '../store/land-store.ts';
import { parcelExpressions } from '../store/parcel-expressions.ts';
import type { SqliteFile } from '../store/sqlite.ts';

/** Rows from SQLite; the texts themselves are not stored. */
interface SortedRow {
  readonly id: number;
  /** 1 where the text differs from that of the row before. */
  readonly begins: number;
}

const sqlOf = (column: string): string => parcelExpressions[column] ?? `"${column}"`;

const valuesSql = (column: string): string =>
  `SELECT property_id, ${sqlOf(column)} FROM parcels WHERE property_id IN (SELECT value FROM json_each(?))`;

export function textOrders({ file }: LandStore): TextOrders {
  return {
    sortedRows: (county, column) =>
      column === 'fips'
        ? orderOfOne(county)
        : (orderByTexts(file, county, column) ?? orderBySqlite(file, county, column)),
    values: (ids, column) => {
      const found = file.rawRows(valuesSql(column), JSON.stringify(ids)) as [number, string | null][];
      return new Map(found);
    },
  };
}

/** '' stands for parcels without a county. */
const fipsOf = ({ fips }: CountyColumns): string | null => (fips === '' ? null : fips);

/** The remaining rows, ascending, after the first. */
function appendOthers(rows: Uint32Array, known: number): Uint32Array {
  const isListed = new Uint8Array(rows.length);
  for (const row of rows.subarray(0, known)) isListed[row] = 1;
  let at = known;
  for (let row = 0; row < rows.length; row++) if (isListed[row] === 0) rows[at++] = row;
  return rows;
}

/** By the county's code alone. */
function orderOfOne({ fips, rows, words }: CountyColumns): TextOrder {
  const starts = new Uint8Array(words * 8);
  starts[0] = 1;
  return { rows: Uint32Array.from({ length: rows }, (_, row) => row), known: fips === '' ? 0 : rows, starts };
}

/** Null if only SQLite can order a value: other programs may write anything. */
function orderByTexts(file: SqliteFile, county: CountyColumns, column: string): TextOrder | null {
  const builder = new TextOrderBuilder(county.rows);
  for (const rows of countySource(file, fipsOf(county)).scan([column], false))
    if (!builder.addAll(rows, 0)) return null;
  return builder.finish();
}

function orderBySqlite(file: SqliteFile, county: CountyColumns, column: string): TextOrder {
  const rows = new Uint32Array(county.rows);
  const starts = new Uint8Array(county.words * 8);
  let known = 0;
  const value = sqlOf(column);
  const sorted = file.iterate<SortedRow>(
    `SELECT property_id AS id, ${value} IS NOT lag(${value}) OVER (ORDER BY ${value}, property_id) AS begins
       FROM parcels WHERE fips IS :fips AND status = 'current' AND ${value} IS NOT NULL
       ORDER BY ${value}, property_id`,
    { fips: fipsOf(county) },
  );
  for (const { id, begins } of sorted) {
    if (begins === 1) starts[known >> 3] = (starts[known >> 3] as number) | (1 << (known & 7));
    rows[known++] = county.rowOf(id);
  }
  return { rows: appendOthers(rows, known), known, starts };
}
