/**
 * A short hash of the state of the land data: it stays the same until an import, an enrichment or an edit. It is made from
 * marks that imports write and that triggers write when QGIS edits parcels; the file's own counters would also change with
 * a new index or a copy of the file.
 */
import { createHash } from 'node:crypto';
import type { LandStore } from '../store/land-store.ts';

const marksSql = `SELECT json_array(
  (SELECT json_group_array(json_array(dataset_id, source_date, imported_at)) FROM (SELECT * FROM datasets ORDER BY dataset_id)),
  (SELECT json_array(last_insert, last_update, last_delete) FROM geometry_columns_time WHERE f_table_name = 'parcels'),
  (SELECT json_group_array(json_array(fips, generation)) FROM (SELECT * FROM comp_generations ORDER BY fips)),
  (SELECT json_group_array(json_array(layer_id, loaded_at)) FROM (SELECT * FROM layers ORDER BY layer_id))) AS marks`;

/** @returns 16 hexadecimal digits */
export function dataGeneration({ file }: LandStore): string {
  const marks = file.get<{ marks: string }>(marksSql)?.marks ?? '';
  return createHash('sha256').update(marks).digest('hex').slice(0, 16);
}
