/** Another home's land.sqlite: its parcels with their shapes, under the dictionary's names; each county is a layer. */
import { FlatGeometry } from '../../../geo/ring-geometry.ts';
import { decodeMultiPolygon } from '../../../geo/spatialite-blob.ts';
import { EngineError } from '../../../spec/errors.ts';
import { importColumns } from '../../../spec/parcel-columns.ts';
import { isPlainTable, openForeignSqlite } from '../../../store/foreign-sqlite.ts';
import type { SqliteFile } from '../../../store/sqlite.ts';
import { wgs84 } from '../crs/reference-system.ts';
import type { ParcelFeature } from '../parcel-feature.ts';
import type { ParcelLayer, ParcelSource } from '../parcel-source.ts';
import { quoteName } from './geopackage-reader.ts';

const needed = ['property_id', 'fips', 'status', 'geom', 'point_lon', 'point_lat'];

export function openLand(filePath: string): ParcelSource {
  const file = openForeignSqlite(filePath);
  try {
    const columns = file.column<string>("SELECT name FROM pragma_table_info('parcels')");
    if (!isPlainTable(file, 'parcels', needed)) {
      throw new EngineError(
        'import_refused',
        `${filePath}: expected the parcels of a land.sqlite, a table with the columns ${needed.join(', ')}; found none.`,
      );
    }
    const kept = importColumns.map(({ name }) => name).filter((name) => columns.includes(name));
    return {
      layerNames: file.column<string>("SELECT DISTINCT fips FROM parcels WHERE status = 'current' ORDER BY fips"),
      openLayer: (fips) => openCounty(file, fips, kept),
      close: () => file.close(),
    };
  } catch (error) {
    file.close();
    throw error;
  }
}

function openCounty(file: SqliteFile, fips: string, columns: readonly string[]): ParcelLayer {
  const count = file.get<{ n: number }>(
    "SELECT count(*) AS n FROM parcels WHERE fips = ? AND status = 'current'",
    fips,
  );
  return {
    name: fips,
    format: 'land',
    columns: columns.map((name) => ({ name, type: null })),
    rowCount: count?.n ?? 0,
    bounds: null,
    encoding: 'UTF-8',
    system: () => wgs84,
    features: () => readParcels(file, fips, columns),
  };
}

function* readParcels(file: SqliteFile, fips: string, columns: readonly string[]): Generator<ParcelFeature> {
  const names = [...columns, 'point_lon', 'point_lat', 'geom'].map(quoteName).join(', ');
  const sql = `SELECT ${names} FROM parcels WHERE fips = ? AND status = 'current' ORDER BY property_id`;
  let row = 0;
  for (const found of file.iterate(sql, fips)) {
    row++;
    const { geom, point_lon: longitude, point_lat: latitude, ...properties } = found;
    yield { geometry: geometryOf(geom, longitude, latitude), properties, position: { row, byteOffset: 0 } };
  }
}

/** The point of a parcel with a shape is derived again. */
function geometryOf(geom: unknown, longitude: unknown, latitude: unknown): FlatGeometry | null {
  if (!Buffer.isBuffer(geom)) {
    const isKnown = typeof longitude === 'number' && typeof latitude === 'number';
    return isKnown ? FlatGeometry.ofPoint(longitude, latitude) : null;
  }
  try {
    return FlatGeometry.ofPolygons(decodeMultiPolygon(geom));
  } catch (error) {
    return FlatGeometry.ofProblem(error instanceof Error ? error.message : String(error));
  }
}
