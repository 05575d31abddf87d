/** GeoPackages (OGC 12-128r18): a SQLite file whose tables hold features. */
import { FlatGeometry } from '../../../geo/ring-geometry.ts';
import { EngineError } from '../../../spec/errors.ts';
import { isPlainTable, openForeignSqlite } from '../../../store/foreign-sqlite.ts';
import type { SqliteFile, SqlRow } from '../../../store/sqlite.ts';
import { type ReferenceSystem, systemOfCode, systemOfText, wgs84 } from '../crs/reference-system.ts';
import type { ParcelFeature } from '../parcel-feature.ts';
import type { LayerColumn, ParcelLayer, ParcelSource, ReadOptions } from '../parcel-source.ts';
import { readWkb } from '../shapes/wkb.ts';

interface LayerRow {
  readonly table_name: string;
  readonly column_name: string;
  readonly srs_id: number;
  readonly min_x: number | null;
  readonly min_y: number | null;
  readonly max_x: number | null;
  readonly max_y: number | null;
}

interface ColumnRow {
  readonly name: string;
  readonly type: string;
  readonly pk: number;
}

/** The tables of the standard that list layers, with the columns read here. */
const layerTables = {
  gpkg_contents: ['table_name', 'data_type', 'min_x', 'min_y', 'max_x', 'max_y'],
  gpkg_geometry_columns: ['table_name', 'column_name', 'srs_id'],
} as const;
const systemColumns = ['srs_id', 'organization', 'organization_coordsys_id', 'definition'];

export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export function openGeoPackage(filePath: string, options: ReadOptions): ParcelSource {
  const file = openForeignSqlite(filePath);
  try {
    const layers = findLayers(file);
    return {
      layerNames: layers.map(({ table_name }) => table_name),
      openLayer: (name) => {
        const layer = layers.find(({ table_name }) => table_name === name);
        if (!layer) throw new EngineError('import_refused', `${filePath}: it has no layer ${JSON.stringify(name)}.`);
        return openLayer(file, layer, options);
      },
      close: () => file.close(),
    };
  } catch (error) {
    file.close();
    throw error;
  }
}

function findLayers(file: SqliteFile): LayerRow[] {
  if (!Object.entries(layerTables).every(([table, columns]) => isPlainTable(file, table, columns))) {
    throw new EngineError(
      'import_refused',
      `${file.path}: expected a GeoPackage or a land.sqlite of Platbook, found another kind of SQLite database. Export its layer as GeoPackage or GeoJSON.`,
    );
  }
  return file.all<LayerRow>(
    `SELECT c.table_name, g.column_name, g.srs_id, c.min_x, c.min_y, c.max_x, c.max_y
     FROM gpkg_contents c JOIN gpkg_geometry_columns g USING (table_name)
     WHERE c.data_type = 'features' ORDER BY c.table_name`,
  );
}

function openLayer(file: SqliteFile, layer: LayerRow, options: ReadOptions): ParcelLayer {
  const { table_name: name, column_name: geometryColumn } = layer;
  expectPlainTable(file, name);
  // Without computed columns.
  const all = file.all<ColumnRow>(`SELECT name, type, pk FROM pragma_table_info(?)`, name);
  if (!all.some((column) => column.name === geometryColumn)) {
    throw new EngineError(
      'import_refused',
      `${file.path}: expected the geometry column ${geometryColumn} in the layer ${name}, found ${all.map((c) => c.name).join(', ')}.`,
    );
  }
  const columns = all.filter((column) => column.name !== geometryColumn && column.pk === 0);
  const key = all.find(({ pk }) => pk > 0)?.name ?? null;
  const { min_x: west, min_y: south, max_x: east, max_y: north } = layer;
  const isBounded = west !== null && south !== null && east !== null && north !== null;
  const system = () => findSystem(file, layer, options);
  return {
    name,
    format: 'geopackage',
    columns: columns.map(columnOf),
    rowCount: countOf(file, name),
    bounds: isBounded ? [west, south, east, north] : null,
    encoding: 'UTF-8',
    system,
    features: () => readRows(file, { name, columns, key, geometryColumn }, system()),
  };
}

/** A view could run forever, and a virtual table could run another program's code. */
function expectPlainTable(file: SqliteFile, name: string): void {
  const found = file.get<{ type: string; sql: string }>('SELECT type, sql FROM sqlite_schema WHERE name = ?', name);
  if (found?.type === 'table' && !/^\s*CREATE\s+VIRTUAL/i.test(found.sql)) return;
  const what = found === undefined ? 'nothing' : found.type === 'view' ? 'a view' : 'a virtual table';
  throw new EngineError(
    'import_refused',
    `${file.path}: expected the layer ${name} to be a table, found ${what}. Export it into a GeoPackage of its own.`,
  );
}

function columnOf({ name, type }: ColumnRow): LayerColumn {
  const declared = type.toUpperCase();
  if (declared === 'BOOLEAN') return { name, type: 'boolean' };
  if (/INT/.test(declared)) return { name, type: 'integer' };
  if (/REAL|FLOAT|DOUBLE/.test(declared)) return { name, type: 'number' };
  return { name, type: /^DATE/.test(declared) ? 'date' : 'text' };
}

/** GDAL's own count, kept beside the layer; counting a million polygons would read the whole file. */
function countOf(file: SqliteFile, name: string): number | null {
  if (!isPlainTable(file, 'gpkg_ogr_contents', ['table_name', 'feature_count'])) return null;
  const found = file.get<{ feature_count: number | null }>(
    'SELECT feature_count FROM gpkg_ogr_contents WHERE lower(table_name) = lower(?)',
    name,
  );
  return found?.feature_count ?? null;
}

function findSystem(file: SqliteFile, { srs_id, table_name }: LayerRow, { crs }: ReadOptions): ReferenceSystem {
  const where = `${file.path} (${table_name})`;
  if (crs !== undefined) return systemOfText(crs, where);
  if (srs_id === 0) return { ...wgs84, name: 'WGS 84 (assumed: the layer names no system)' };
  const found = isPlainTable(file, 'gpkg_spatial_ref_sys', systemColumns)
    ? file.get<{ organization: string; code: number; definition: string }>(
        `SELECT organization, organization_coordsys_id AS code, definition FROM gpkg_spatial_ref_sys WHERE srs_id = ?`,
        srs_id,
      )
    : undefined;
  if (found === undefined || srs_id < 0) {
    throw new EngineError(
      'import_refused',
      `${where}: expected a coordinate system, found none (srs_id ${srs_id}). Name it (--crs EPSG:…).`,
    );
  }
  if (!/^(?:EPSG|ESRI)$/i.test(found.organization)) return systemOfText(found.definition, where);
  try {
    return systemOfCode(found.code, where);
  } catch (error) {
    // The file describes a number that is missing from our table.
    if (!found.definition || found.definition === 'undefined') throw error;
    return systemOfText(found.definition, where);
  }
}

interface Selection {
  readonly name: string;
  readonly columns: readonly ColumnRow[];
  readonly key: string | null;
  readonly geometryColumn: string;
}

/** Integers beyond 2⁵³ as text, so that a long APN keeps its digits. */
const exactly = (column: string): string =>
  `CASE WHEN typeof(${column}) = 'integer' AND abs(${column} / 2) > 4503599627370495 THEN CAST(${column} AS TEXT) ELSE ${column} END`;

function* readRows(
  file: SqliteFile,
  { name, columns, key, geometryColumn }: Selection,
  system: ReferenceSystem,
): Generator<ParcelFeature> {
  const names = columns.map((column) => column.name);
  const selected = columns.map(({ name: column, type }) =>
    /INT/i.test(type) ? exactly(quoteName(column)) : quoteName(column),
  );
  const parts = [...selected, key === null ? 'NULL' : exactly(quoteName(key)), quoteName(geometryColumn)];
  const sql = `SELECT ${parts.map((part, index) => `${part} AS c${index}`).join(', ')} FROM ${quoteName(name)}`;
  const aliases = parts.map((_, index) => `c${index}`);
  const [idAlias = '', geometryAlias = ''] = aliases.slice(-2);
  let row = 0;
  for (const found of file.iterate(sql)) {
    row++;
    const id = found[idAlias];
    yield {
      geometry: readBlob(found[geometryAlias], system),
      properties: propertiesOf(found, names, aliases),
      ...(typeof id === 'number' || typeof id === 'string' ? { id } : {}),
      position: { row, byteOffset: 0 },
    };
  }
}

function propertiesOf(found: SqlRow, names: readonly string[], aliases: readonly string[]): Record<string, unknown> {
  const properties: Record<string, unknown> = {};
  for (let index = 0; index < names.length; index++) {
    const value = found[aliases[index] as string];
    properties[names[index] as string] = value instanceof Uint8Array ? null : value;
  }
  return properties;
}

/** Bytes of the envelope, by its code in the flags. */
const envelopeBytes = [0, 32, 48, 48, 64] as const;

/** `GP`, version, flags, srs id, envelope; then WKB. */
function readBlob(blob: unknown, system: ReferenceSystem): FlatGeometry | null {
  if (blob === null || blob === undefined) return null;
  if (!Buffer.isBuffer(blob) || blob.length < 8 || blob[0] !== 0x47 || blob[1] !== 0x50) {
    return FlatGeometry.ofProblem('Damaged geometry: expected a GeoPackage geometry (GP …), found other bytes.');
  }
  const flags = blob[3] as number;
  const isEmpty = (flags & 0x10) !== 0;
  if (isEmpty) return null;
  const envelope = envelopeBytes[(flags >> 1) & 7];
  if ((flags & 0x20) !== 0 || envelope === undefined) {
    return FlatGeometry.ofProblem('Expected a plain GeoPackage geometry, found an extended one.');
  }
  return readWkb(blob.subarray(8 + envelope), system);
}
