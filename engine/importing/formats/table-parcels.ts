/** A roll without shapes, read as parcels: only where the user says so, because a table is mostly joined to shapes. */
import path from 'node:path';
import { wgs84 } from './crs/reference-system.ts';
import type { ParcelFeature } from './parcel-feature.ts';
import type { ParcelLayer, ReadOptions } from './parcel-source.ts';
import { openTableFile } from './table-file.ts';

/** @throws EngineError import_refused, file_missing, file_damaged */
export function openTableParcels(filePath: string, options: ReadOptions): ParcelLayer {
  const table = openTableFile(filePath, options);
  const { columns, format } = table;
  const all = columns.map((_, index) => index);
  return {
    name: path.basename(filePath, path.extname(filePath)),
    format,
    columns: columns.map((name) => ({ name, type: null })),
    rowCount: null,
    bounds: null,
    encoding: table.encoding?.() ?? '',
    system: () => wgs84,
    *features() {
      for (const { row, values } of table.rows(all)) {
        const properties = Object.fromEntries(columns.map((name, index) => [name, values[index] ?? null]));
        yield { geometry: null, properties, position: { row, byteOffset: 0 } } satisfies ParcelFeature;
      }
    },
  };
}
