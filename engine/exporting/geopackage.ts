/**
 * Writes a GeoPackage 1.3 (OGC 12-128r17): one layer of multipolygons in WGS84 with its R-tree. A parcel that has only a
 * point keeps its row without geometry, since a layer has one geometry type.
 */
import fs from 'node:fs';
import { boundsOfMultiPolygon, type MultiPolygon } from '../geo/geometry.ts';
import { notASurvey } from '../spec/not-a-survey.ts';
import { applicationId, openSqliteFile, type SqliteFile } from '../store/sqlite.ts';
import type { ExportColumn, ExportValue, ValueKind } from './export-columns.ts';
import { type ExportSource, headingOf } from './export-source.ts';
import { multiPolygonWkb } from './wkb.ts';

const layer = 'parcels';
const srid = 4326;
/** Version 1.3.0, for the file header. */
const userVersion = 10_300;

const types: Record<ValueKind, string> = {
  text: 'TEXT',
  integer: 'INTEGER',
  number: 'DOUBLE',
  date: 'DATE',
  boolean: 'BOOLEAN',
};

const wgs84 =
  'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563,AUTHORITY["EPSG","7030"]],AUTHORITY["EPSG","6326"]],PRIMEM["Greenwich",0,AUTHORITY["EPSG","8901"]],UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],AXIS["Latitude",NORTH],AXIS["Longitude",EAST],AUTHORITY["EPSG","4326"]]';

const tablesSql = `
CREATE TABLE gpkg_spatial_ref_sys (
  srs_name TEXT NOT NULL, srs_id INTEGER NOT NULL PRIMARY KEY, organization TEXT NOT NULL,
  organization_coordsys_id INTEGER NOT NULL, definition TEXT NOT NULL, description TEXT);
INSERT INTO gpkg_spatial_ref_sys VALUES
  ('Undefined cartesian SRS', -1, 'NONE', -1, 'undefined', 'undefined cartesian coordinate reference system'),
  ('Undefined geographic SRS', 0, 'NONE', 0, 'undefined', 'undefined geographic coordinate reference system'),
  ('WGS 84 geodetic', ${srid}, 'EPSG', ${srid}, '${wgs84}', 'longitude/latitude coordinates in decimal degrees on the WGS 84 spheroid');
CREATE TABLE gpkg_contents (
  table_name TEXT NOT NULL PRIMARY KEY, data_type TEXT NOT NULL, identifier TEXT UNIQUE, description TEXT DEFAULT '',
  last_change DATETIME NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
  min_x DOUBLE, min_y DOUBLE, max_x DOUBLE, max_y DOUBLE, srs_id INTEGER,
  CONSTRAINT fk_gc_r_srs_id FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id));
CREATE TABLE gpkg_geometry_columns (
  table_name TEXT NOT NULL, column_name TEXT NOT NULL, geometry_type_name TEXT NOT NULL, srs_id INTEGER NOT NULL,
  z TINYINT NOT NULL, m TINYINT NOT NULL,
  CONSTRAINT pk_geom_cols PRIMARY KEY (table_name, column_name), CONSTRAINT uk_gc_table_name UNIQUE (table_name),
  CONSTRAINT fk_gc_tn FOREIGN KEY (table_name) REFERENCES gpkg_contents(table_name),
  CONSTRAINT fk_gc_srs FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys (srs_id));
CREATE TABLE gpkg_extensions (
  table_name TEXT, column_name TEXT, extension_name TEXT NOT NULL, definition TEXT NOT NULL, scope TEXT NOT NULL,
  CONSTRAINT ge_tce UNIQUE (table_name, column_name, extension_name));
INSERT INTO gpkg_extensions VALUES
  ('${layer}', 'geom', 'gpkg_rtree_index', 'http://www.geopackage.org/spec/#extension_rtree', 'write-only'),
  ('gpkg_data_columns', NULL, 'gpkg_schema', 'http://www.geopackage.org/spec/#extension_schema', 'read-write'),
  ('gpkg_data_column_constraints', NULL, 'gpkg_schema', 'http://www.geopackage.org/spec/#extension_schema', 'read-write');
CREATE TABLE gpkg_data_columns (
  table_name TEXT NOT NULL, column_name TEXT NOT NULL, name TEXT, title TEXT, description TEXT, mime_type TEXT, constraint_name TEXT,
  CONSTRAINT pk_gdc PRIMARY KEY (table_name, column_name), CONSTRAINT gdc_tn UNIQUE (table_name, name));
CREATE TABLE gpkg_data_column_constraints (
  constraint_name TEXT NOT NULL, constraint_type TEXT NOT NULL, value TEXT, min NUMERIC, min_is_inclusive BOOLEAN,
  max NUMERIC, max_is_inclusive BOOLEAN, description TEXT,
  CONSTRAINT gdcc_ntv UNIQUE (constraint_name, constraint_type, value));
CREATE VIRTUAL TABLE "rtree_${layer}_geom" USING rtree(id, minx, maxx, miny, maxy);
`;

/** The triggers of the R-tree extension in version 1.3; validators require all of them. */
const triggersSql = `
CREATE TRIGGER "rtree_${layer}_geom_insert" AFTER INSERT ON "${layer}" WHEN (new."geom" NOT NULL AND NOT ST_IsEmpty(NEW."geom"))
BEGIN INSERT OR REPLACE INTO "rtree_${layer}_geom" VALUES (NEW."fid", ST_MinX(NEW."geom"), ST_MaxX(NEW."geom"), ST_MinY(NEW."geom"), ST_MaxY(NEW."geom")); END;
CREATE TRIGGER "rtree_${layer}_geom_update1" AFTER UPDATE OF "geom" ON "${layer}" WHEN OLD."fid" = NEW."fid" AND (NEW."geom" NOTNULL AND NOT ST_IsEmpty(NEW."geom"))
BEGIN INSERT OR REPLACE INTO "rtree_${layer}_geom" VALUES (NEW."fid", ST_MinX(NEW."geom"), ST_MaxX(NEW."geom"), ST_MinY(NEW."geom"), ST_MaxY(NEW."geom")); END;
CREATE TRIGGER "rtree_${layer}_geom_update2" AFTER UPDATE OF "geom" ON "${layer}" WHEN OLD."fid" = NEW."fid" AND (NEW."geom" ISNULL OR ST_IsEmpty(NEW."geom"))
BEGIN DELETE FROM "rtree_${layer}_geom" WHERE id = OLD."fid"; END;
CREATE TRIGGER "rtree_${layer}_geom_update3" AFTER UPDATE ON "${layer}" WHEN OLD."fid" != NEW."fid" AND (NEW."geom" NOTNULL AND NOT ST_IsEmpty(NEW."geom"))
BEGIN DELETE FROM "rtree_${layer}_geom" WHERE id = OLD."fid"; INSERT OR REPLACE INTO "rtree_${layer}_geom" VALUES (NEW."fid", ST_MinX(NEW."geom"), ST_MaxX(NEW."geom"), ST_MinY(NEW."geom"), ST_MaxY(NEW."geom")); END;
CREATE TRIGGER "rtree_${layer}_geom_update4" AFTER UPDATE ON "${layer}" WHEN OLD."fid" != NEW."fid" AND (NEW."geom" ISNULL OR ST_IsEmpty(NEW."geom"))
BEGIN DELETE FROM "rtree_${layer}_geom" WHERE id IN (OLD."fid", NEW."fid"); END;
CREATE TRIGGER "rtree_${layer}_geom_delete" AFTER DELETE ON "${layer}" WHEN old."geom" NOT NULL
BEGIN DELETE FROM "rtree_${layer}_geom" WHERE id = OLD."fid"; END;
`;

/** Header `GP`, version 0, little endian with an envelope of four, then WKB. */
function geoPackageGeometry(shape: MultiPolygon): Buffer {
  const head = Buffer.alloc(40);
  head.write('GP', 0, 'latin1');
  head.writeUInt8(3, 3);
  head.writeInt32LE(srid, 4);
  const { minX, maxX, minY, maxY } = boundsOfMultiPolygon(shape);
  for (const [i, value] of [minX, maxX, minY, maxY].entries()) head.writeDoubleLE(value, 8 + 8 * i);
  return Buffer.concat([head, multiPolygonWkb(shape)]);
}

/** `fid` is the property_id, so that joins hold; if requested, `property_id` is a column as well. */
const layerSql = (columns: readonly ExportColumn[]): string =>
  `CREATE TABLE "${layer}" (${['"fid" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL', '"geom" MULTIPOLYGON', ...columns.map(({ name, kind }) => `"${name}" ${types[kind]}`)].join(', ')})`;

const stored = (value: ExportValue): string | number | null => (typeof value === 'boolean' ? Number(value) : value);

interface Extent {
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
}

async function fillLayer(file: SqliteFile, source: ExportSource): Promise<{ extent: Extent; shapeless: number }> {
  const extent: Extent = {
    minX: Number.POSITIVE_INFINITY,
    minY: Number.POSITIVE_INFINITY,
    maxX: Number.NEGATIVE_INFINITY,
    maxY: Number.NEGATIVE_INFINITY,
  };
  let shapeless = 0;
  const insertRow = `INSERT INTO "${layer}" VALUES (${['fid', 'geom', ...source.columns].map(() => '?').join(', ')})`;
  const insertBox = `INSERT INTO "rtree_${layer}_geom" VALUES (?, ?, ?, ?, ?)`;
  for await (const rows of source.batches()) {
    for (const { id, shape, values } of rows) {
      file.run(insertRow, id, shape ? geoPackageGeometry(shape) : null, ...values.map(stored));
      if (!shape) {
        shapeless++;
        continue;
      }
      const { minX, minY, maxX, maxY } = boundsOfMultiPolygon(shape);
      file.run(insertBox, id, minX, maxX, minY, maxY);
      extent.minX = Math.min(extent.minX, minX);
      extent.minY = Math.min(extent.minY, minY);
      extent.maxX = Math.max(extent.maxX, maxX);
      extent.maxY = Math.max(extent.maxY, maxY);
    }
  }
  return { extent, shapeless };
}

function registerLayer(file: SqliteFile, source: ExportSource, { minX, minY, maxX, maxY }: Extent): void {
  const isEmpty = minX > maxX;
  file.run(
    'INSERT INTO gpkg_contents VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ...[layer, 'features', source.title, notASurvey, source.madeAt.toISOString()],
    ...[minX, minY, maxX, maxY].map((value) => (isEmpty ? null : value)),
    srid,
  );
  file.run('INSERT INTO gpkg_geometry_columns VALUES (?, ?, ?, ?, 0, 0)', layer, 'geom', 'MULTIPOLYGON', srid);
  for (const column of source.columns) {
    const { name, docs } = column;
    file.run(
      'INSERT INTO gpkg_data_columns VALUES (?, ?, ?, ?, ?, NULL, NULL)',
      ...[layer, name, name, headingOf(column), docs],
    );
  }
}

export async function writeGeoPackage(source: ExportSource, filePath: string): Promise<string[]> {
  const file = openSqliteFile(filePath, {
    fileName: 'GeoPackage',
    applicationId: applicationId('GPKG'),
    migrations: [tablesSql],
    synchronous: 'NORMAL',
    functions: () => ({}),
  });
  try {
    // One file, without a log beside it.
    file.pragma('journal_mode = DELETE');
    file.exec(layerSql(source.columns));
    file.exec('BEGIN IMMEDIATE');
    const { extent, shapeless } = await fillLayer(file, source);
    registerLayer(file, source, extent);
    file.exec(triggersSql);
    file.pragma(`user_version = ${userVersion}`);
    file.exec('COMMIT');
    return shapeless === 0
      ? []
      : [`${shapeless} of ${source.count} parcels have no boundary; their rows have no shape.`];
  } finally {
    file.close();
    for (const ending of ['-journal', '-wal', '-shm']) fs.rmSync(filePath + ending, { force: true });
  }
}
