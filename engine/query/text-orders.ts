/**
 * Pages in the order of a text that the column index does not hold. SQLite sorts a county once and the order stays in the
 * county's memory.
 */
import type { CountyColumns } from '../columns/county-columns.ts';
import type { TextOrders } from '../columns/pages.ts';
import type { LandStore } from '../store/land-store.ts';

/** Rows that SQLite hands over; the texts themselves are not kept. */
interface SortedRow {
  readonly id: number;
  /** 1 where the text differs from that of the row before. */
  readonly begins: number;
}

const valuesSql = (column: string): string =>
  `SELECT property_id, "${column}" FROM parcels WHERE property_id IN (SELECT value FROM json_each(?))`;

export function textOrders({ file }: LandStore): TextOrders {
  return {
    sortedRows: (county, column) => {
      const rows = new Uint32Array(county.rows);
      const starts = new Uint8Array(county.words * 8);
      let known = 0;
      const sorted = file.iterate<SortedRow>(
        `SELECT property_id AS id, "${column}" IS NOT lag("${column}") OVER (ORDER BY "${column}", property_id) AS begins
         FROM parcels WHERE fips IS :fips AND status = 'current' AND "${column}" IS NOT NULL
         ORDER BY "${column}", property_id`,
        { fips: fipsOf(county) },
      );
      for (const { id, begins } of sorted) {
        if (begins === 1) starts[known >> 3] = (starts[known >> 3] as number) | (1 << (known & 7));
        rows[known++] = county.rowOf(id);
      }
      return { rows: appendOthers(rows, known), known, starts };
    },
    values: (ids, column) => {
      const found = file.rawRows(valuesSql(column), JSON.stringify(ids)) as [number, string | null][];
      return new Map(found);
    },
  };
}

/** Parcels without a county are kept under no code. */
const fipsOf = ({ fips }: CountyColumns): string | null => (fips === '' ? null : fips);

/** The rows that are not among the first, ascending, behind them. */
function appendOthers(rows: Uint32Array, known: number): Uint32Array {
  const isListed = new Uint8Array(rows.length);
  for (const row of rows.subarray(0, known)) isListed[row] = 1;
  let at = known;
  for (let row = 0; row < rows.length; row++) if (isListed[row] === 0) rows[at++] = row;
  return rows;
}
