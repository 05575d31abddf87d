/** One parcel with every column of the dictionary. */
import { blobToGeoJson, type GeoJsonMultiPolygon } from '../geo/spatialite-blob.ts';
import { type ParcelColumn, parcelColumns, storedColumns } from '../spec/parcel-columns.ts';
import type { ParcelDetail } from '../spec/wire-types.ts';
import type { LandStore } from '../store/land-store.ts';
import type { SqlRow } from '../store/sqlite.ts';
import { parcelUrl, pointOf } from './parcel-query.ts';

/** Looked up one by one: as joins they make the query ten times as slow. */
const ofDataset = (column: string, as = column): string =>
  `(SELECT ${column} FROM datasets d WHERE d.dataset_id = p.dataset_id) AS ${as}`;

const detailSql = `
SELECT ${storedColumns.map((column) => `p.${column.name}`).join(', ')}, p.point_lon, p.point_lat, p.geom,
  (SELECT name FROM counties c WHERE c.fips = p.fips) AS county_name, ${ofDataset("nullif(jurisdiction, '')", 'jurisdiction')},
  ${['source_name', 'source_date', 'imported_at'].map((column) => ofDataset(column)).join(', ')}
FROM parcels p WHERE p.property_id = ?`;

/** Null if there is no such parcel. Also finds retired parcels: their notes link here. */
export function findParcel(land: LandStore, propertyId: number): ParcelDetail | null {
  const row = land.file.get(detailSql, propertyId);
  if (!row) return null;
  return detailOf(row, row.geom instanceof Uint8Array ? blobToGeoJson(row.geom) : null, wireValue);
}

/** @param wire a stored value as answers show it */
export function detailOf(
  row: SqlRow,
  shape: GeoJsonMultiPolygon | null,
  wire: (column: ParcelColumn, stored: unknown) => unknown,
): ParcelDetail {
  const propertyId = row.property_id as number;
  const computed: SqlRow = {
    url: parcelUrl(propertyId),
    point: pointOf(row as { point_lon: number | null; point_lat: number | null }),
    shape,
  };
  const values = parcelColumns.map((column) => [column.name, computed[column.name] ?? wire(column, row[column.name])]);
  return Object.fromEntries(values) as unknown as ParcelDetail;
}

/** SQLite stores booleans as 0 and 1 and arrays as JSON text. */
function wireValue(column: ParcelColumn, stored: unknown): unknown {
  if (stored === null || stored === undefined) return null;
  if (column.type === 'boolean') return stored === 1;
  if (column.type === 'percents') return JSON.parse(stored as string) as number[];
  return stored;
}
