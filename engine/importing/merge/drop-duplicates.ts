/** One parcel that the files hold several times, as an export of overlapping sheets does, comes in once. */
import { importColumns } from '../../spec/parcel-columns.ts';
import type { SqliteFile } from '../../store/sqlite.ts';

/** Everything that the files say of a row beside its APN and shape: another account on one lot is no duplicate. */
const content = `json_array(${importColumns.map(({ name }) => `s.${name}`).join(', ')}, w.json)`;

const doublesSql = `CREATE TEMP TABLE staged_same AS
  SELECT stage_id FROM (
    SELECT s.stage_id,
      row_number() OVER (PARTITION BY s.identity, s.geometry_hash, ${content} ORDER BY s.stage_id) AS rank
    FROM (SELECT identity, geometry_hash FROM staging.staged_parcels GROUP BY 1, 2 HAVING count(*) > 1) d
    CROSS JOIN staging.staged_parcels s ON s.identity = d.identity AND s.geometry_hash IS d.geometry_hash
    LEFT JOIN staging.staged_raw w ON w.stage_id = s.stage_id
    WHERE s.identity <> '' OR s.geometry_hash IS NOT NULL)
  WHERE rank > 1`;

interface Dropped {
  readonly count: number;
  /** By column, how many of them have a value. */
  readonly filled: Readonly<Record<string, number>>;
}

const droppedSql = `SELECT ${importColumns.map(({ name }) => `count(${name}) AS ${name}`).join(', ')}
  FROM staging.staged_parcels WHERE stage_id IN (SELECT stage_id FROM temp.staged_same)`;

/** Keeps the first of staged parcels that are equal in everything. @returns the others */
export function dropDuplicates(file: SqliteFile): Dropped {
  file.exec('DROP TABLE IF EXISTS temp.staged_same');
  file.exec(doublesSql);
  try {
    const count = file.get<{ n: number }>('SELECT count(*) AS n FROM temp.staged_same')?.n ?? 0;
    if (count === 0) return { count, filled: {} };
    const filled = file.get<Record<string, number>>(droppedSql) ?? {};
    for (const table of ['parcels', 'raw']) {
      file.exec(`DELETE FROM staging.staged_${table} WHERE stage_id IN (SELECT stage_id FROM temp.staged_same)`);
    }
    return { count, filled };
  } finally {
    file.exec('DROP TABLE temp.staged_same');
  }
}
