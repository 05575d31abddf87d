/** One parcel with every column of the dictionary, and some columns of several parcels. */
import type { MultiPolygon } from '../geo/geometry.ts';
import { decodeMultiPolygon, multiPolygonToGeoJson } from '../geo/spatialite-blob.ts';
import { wktOfPolygons } from '../geo/wkt.ts';
import { type ParcelColumn, parcelColumns, parcelColumnsByName } from '../spec/parcel-columns.ts';
import type { AddedFields, ParcelField } from '../spec/parcel-fields.ts';
import type { ParcelDetail } from '../spec/wire-types.ts';
import type { LandStore } from '../store/land-store.ts';
import type { SqlRow } from '../store/sqlite.ts';
import { shapeOf } from './find-neighbours.ts';
import { parcelUrl, pointOf } from './parcel-query.ts';

export const allColumns = parcelColumns.map(({ name }) => name as ParcelField);

/** Looked up one by one: as joins they make the query ten times as slow. */
const ofDataset = (column: string, as = column): string =>
  `(SELECT ${column} FROM datasets d WHERE d.dataset_id = p.dataset_id) AS ${as}`;

/** What is read for a column that parcels do not store. */
const computedSql: Readonly<Record<string, string>> = {
  url: 'p.property_id',
  point: 'p.point_lon, p.point_lat',
  shape: 'p.geom',
  shape_wkt: 'p.geom',
  county_name: '(SELECT name FROM counties c WHERE c.fips = p.fips) AS county_name',
  jurisdiction: ofDataset("nullif(jurisdiction, '')", 'jurisdiction'),
  ...Object.fromEntries(['source_name', 'source_date', 'imported_at'].map((name) => [name, ofDataset(name)])),
};

const selectSql = (fields: readonly ParcelField[]): string =>
  `SELECT ${[...new Set(['p.property_id', ...fields.map((name) => computedSql[name] ?? `p.${name}`)])].join(', ')} FROM parcels p`;

const detailSql = `${selectSql(allColumns)} WHERE p.property_id = ?`;

/** Null if there is no such parcel. Also finds retired parcels: their notes link here. */
export function findParcel(land: LandStore, propertyId: number): ParcelDetail | null {
  const row = land.file.get(detailSql, propertyId);
  if (!row) return null;
  const shape = row.geom instanceof Uint8Array ? decodeMultiPolygon(row.geom) : null;
  return fieldsOf(allColumns, row, shape, wireValue) as ParcelDetail;
}

/** Some columns of parcels, by id; a shape that is damaged is null. */
export function findFields(
  { file }: LandStore,
  ids: readonly number[],
  fields: readonly ParcelField[],
): ReadonlyMap<number, AddedFields> {
  const rows = file.all(
    `${selectSql(fields)} WHERE p.property_id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(ids),
  );
  return new Map(
    rows.map((row) => {
      const polygons = row.geom instanceof Uint8Array ? shapeOf(row.geom) : [];
      return [row.property_id as number, fieldsOf(fields, row, polygons.length > 0 ? polygons : null, wireValue)];
    }),
  );
}

type Placed = SqlRow & { point_lon: number | null; point_lat: number | null };

/** How a column that parcels do not store is made of a row and its shape; the others of `computedSql` are read. */
const made: Readonly<Record<string, (row: SqlRow, shape: MultiPolygon | null) => unknown>> = {
  url: (row) => parcelUrl(row.property_id as number),
  point: (row) => pointOf(row as Placed),
  shape: (_row, shape) => shape && multiPolygonToGeoJson(shape),
  shape_wkt: (_row, shape) => shape && wktOfPolygons(multiPolygonToGeoJson(shape).coordinates),
};

/** @param wire a stored value as answers show it */
export const fieldsOf = (
  fields: readonly ParcelField[],
  row: SqlRow,
  shape: MultiPolygon | null,
  wire: (column: ParcelColumn, stored: unknown) => unknown,
): AddedFields =>
  Object.fromEntries(
    fields.map((name) => [
      name,
      made[name] ? made[name](row, shape) : wire(parcelColumnsByName.get(name) as ParcelColumn, row[name]),
    ]),
  );

/** SQLite stores booleans as 0 and 1 and arrays as JSON text. */
function wireValue(column: ParcelColumn, stored: unknown): unknown {
  if (stored === null || stored === undefined) return null;
  if (column.type === 'boolean') return stored === 1;
  if (column.type === 'percents') return JSON.parse(stored as string) as number[];
  return stored;
}
