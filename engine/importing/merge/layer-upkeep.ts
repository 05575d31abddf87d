/**
 * Maintenance around the rows of the parcels layer: triggers and indexes that would cost more per row than the row
 * itself, and SpatiaLite's metadata of the layer, without which QGIS shows an empty extent.
 */
import type { SqliteFile } from '../../store/sqlite.ts';

interface SchemaObject {
  readonly type: 'trigger' | 'index';
  readonly name: string;
  readonly sql: string;
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/**
 * Drops the triggers of the parcels table, and on request its indexes; returns a function that restores them. Only in a
 * transaction.
 */
export function dropTriggersAndIndexes(file: SqliteFile, alsoIndexes: boolean): () => void {
  if (!file.inTransaction)
    throw new Error('triggers may be dropped only in a transaction, whose rollback restores them');
  const objects = file
    .all<SchemaObject>(
      "SELECT type, name, sql FROM main.sqlite_schema WHERE tbl_name = 'parcels' AND type IN ('trigger', 'index') AND sql IS NOT NULL ORDER BY rowid",
    )
    .filter(({ type }) => type === 'trigger' || alsoIndexes);
  for (const { type, name } of objects) file.exec(`DROP ${type} main.${quoted(name)}`);
  return () => {
    for (const { sql } of objects) file.exec(sql);
  };
}

/**
 * Call it with the triggers restored. Their statement for one row stands for all rows of the import: everything that
 * watches the table (a stale column index, another program) sees the change.
 */
export function announceChange(file: SqliteFile, anyPropertyId: number | null): void {
  if (anyPropertyId !== null) file.run('UPDATE parcels SET status = status WHERE property_id = ?', anyPropertyId);
}

export function refreshLayerStatistics(file: SqliteFile, at: Date): void {
  const stamp = at.toISOString();
  file.run(
    `UPDATE geometry_columns_statistics SET last_verified = :stamp, row_count = (SELECT count(*) FROM parcels),
       (extent_min_x, extent_min_y, extent_max_x, extent_max_y) =
         (SELECT min(xmin), min(ymin), max(xmax), max(ymax) FROM idx_parcels_geom)
     WHERE f_table_name = 'parcels' AND f_geometry_column = 'geom'`,
    { stamp },
  );
  file.run(
    `UPDATE geometry_columns_time SET last_insert = :stamp, last_update = :stamp
     WHERE f_table_name = 'parcels' AND f_geometry_column = 'geom'`,
    { stamp },
  );
}
