/** A county's current parcels in the land file, for its column index. */

import { parcelExpressions } from '../store/parcel-expressions.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import type { CountySource } from './build-county.ts';

/** Rows per call to SQLite: a call costs as much as a row. */
const rowsPerRead = 500;

const isOurs = "fips IS :fips AND status = 'current'";

/**
 * Read it within one snapshot or transaction.
 * @param fips null for parcels without a county
 * @param beforeRead called before each read of a few hundred rows; an error it throws ends the scan
 */
export function countySource(file: SqliteFile, fips: string | null, beforeRead?: () => void): CountySource {
  // The extent comes from the county's index, which holds the ids; the scan then follows the table, where a county's
  // rows are mostly adjacent.
  const extent = file.get<{ first: number | null; last: number | null }>(
    'SELECT min(property_id) AS first, max(property_id) AS last FROM parcels WHERE fips IS :fips',
    { fips },
  );
  const { first = null, last = null } = extent ?? {};
  const counted = file.get<{ n: number }>(
    `SELECT count(*) AS n FROM parcels NOT INDEXED WHERE property_id BETWEEN :first AND :last AND ${isOurs}`,
    { fips, first, last },
  );
  return {
    rows: counted?.n ?? 0,
    *scan(columns, withPlaces) {
      const values = columns.map((column) => parcelExpressions[column] ?? `"${column}"`);
      if (withPlaces) values.push('property_id', 'geom', 'point_lon', 'point_lat');
      const read = `SELECT ${[...values, 'property_id'].join(', ')}
        FROM parcels NOT INDEXED WHERE property_id BETWEEN :from AND :last AND ${isOurs}
        ORDER BY property_id LIMIT ${rowsPerRead}`;
      let from = first;
      while (from !== null) {
        beforeRead?.();
        const rows = file.rawRows(read, { fips, from, last });
        yield rows;
        from = rows.length < rowsPerRead ? null : ((rows.at(-1)?.at(-1) as number) ?? 0) + 1;
      }
    },
  };
}
