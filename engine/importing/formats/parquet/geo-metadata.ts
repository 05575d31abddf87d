/** Which column of a Parquet file is the geometry, and its system: GeoParquet 1 (https://geoparquet.org), and types of Parquet itself. */
import type { FileMetaData, SchemaElement } from 'hyparquet';
import { codeOfName, type ReferenceSystem, systemOfCode, systemOfText, wgs84 } from '../crs/reference-system.ts';
import type { FileBounds, ReadOptions } from '../parcel-source.ts';
import { refusal } from './parquet-damage.ts';

export interface GeometryColumn {
  readonly name: string;
  readonly bounds: FileBounds | null;
  /** Paths of the columns with west, south, east and north of each row. */
  readonly covering: readonly string[] | null;
  readonly system: (options: ReadOptions) => ReferenceSystem;
}

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Names of geometry columns that nothing declares. */
const usualNames = /^(?:geometry|geom|wkb|wkb_geometry|shape)$/i;

/** @throws EngineError import_refused if there is none that can be read */
export function findGeometry(filePath: string, meta: FileMetaData, top: readonly SchemaElement[]): GeometryColumn {
  const { file, columns } = readGeo(filePath, meta);
  const declared = file ? declaredColumn(filePath, file, columns) : null;
  if (declared) return fromGeo(filePath, ...declared, top);
  const native = top.find(({ logical_type: logical }) => logical?.type === 'GEOMETRY' || logical?.type === 'GEOGRAPHY');
  if (native) return fromType(filePath, native, meta);
  const usual = top.find(
    ({ name, type, converted_type: text }) => usualNames.test(name) && type === 'BYTE_ARRAY' && !text,
  );
  if (usual) return column(usual.name, () => ({ ...wgs84, name: 'WGS 84 (assumed: the file names none)' }), filePath);
  throw refusal(
    filePath,
    `expected GeoParquet, found Parquet without a geometry column; it has ${top
      .slice(0, 40)
      .map(({ name }) => name)
      .join(', ')}. Export a table without shapes as CSV, and join it or import its rows (--without-shapes)`,
  );
}

const column = (name: string, own: () => ReferenceSystem, filePath: string): GeometryColumn => ({
  name,
  bounds: null,
  covering: null,
  system: ({ crs }) => (crs === undefined ? own() : systemOfText(crs, filePath)),
});

function readGeo(
  filePath: string,
  { key_value_metadata: texts = [] }: FileMetaData,
): { file: Json | null; columns: Json } {
  const text = texts.find(({ key }) => key === 'geo')?.value;
  if (text === undefined) return { file: null, columns: {} };
  const broken = () => refusal(filePath, 'damaged GeoParquet: expected metadata of its columns in JSON ("geo")');
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    throw broken();
  }
  if (!isObject(file) || !isObject(file.columns)) throw broken();
  return { file, columns: file.columns };
}

function declaredColumn(filePath: string, { primary_column: primary }: Json, columns: Json): [string, Json] | null {
  const names = Object.keys(columns);
  const name = typeof primary === 'string' && primary in columns ? primary : names[0];
  const found = name === undefined ? undefined : columns[name];
  if (name === undefined || !isObject(found)) return null;
  if (found.encoding !== 'WKB')
    throw refusal(
      filePath,
      `expected geometries in WKB, found the encoding ${JSON.stringify(found.encoding ?? null)} in the column ${name}: write them again as WKB`,
    );
  return [name, found];
}

function fromGeo(filePath: string, name: string, geo: Json, top: readonly SchemaElement[]): GeometryColumn {
  const element = top.find((each) => each.name === name);
  if (element?.type !== 'BYTE_ARRAY' || element.repetition_type === 'REPEATED')
    throw refusal(filePath, `expected the geometry column ${name}, as its metadata names it, found none`);
  return {
    ...column(name, () => systemOfGeo(filePath, geo), filePath),
    bounds: boundsOf(geo.bbox),
    covering: coveringOf(geo.covering),
  };
}

/** Four numbers, or six with heights. */
function boundsOf(box: unknown): FileBounds | null {
  if (!Array.isArray(box) || !box.every(Number.isFinite)) return null;
  if (box.length === 4) return [box[0], box[1], box[2], box[3]];
  return box.length === 6 ? [box[0], box[1], box[3], box[4]] : null;
}

function coveringOf(covering: unknown): readonly string[] | null {
  const box = isObject(covering) ? covering.bbox : null;
  if (!isObject(box)) return null;
  const paths = [box.xmin, box.ymin, box.xmax, box.ymax];
  return paths.every((path) => Array.isArray(path)) ? paths.map((path) => (path as string[]).join('.')) : null;
}

/** Without a system it is longitude and latitude; a null one is unknown. */
function systemOfGeo(filePath: string, geo: Json): ReferenceSystem {
  if (geo.crs === undefined) return wgs84;
  if (!isObject(geo.crs))
    throw refusal(filePath, 'expected a coordinate system, found none (crs: null). Name it (--crs EPSG:…)');
  return systemOfJson(filePath, geo.crs);
}

function systemOfJson(filePath: string, crs: Json): ReferenceSystem {
  const { authority, code } = isObject(crs.id) ? crs.id : {};
  if (authority === 'OGC' && /^CRS(?:84|83)h?$/.test(String(code))) return wgs84;
  const described = () => systemOfText(JSON.stringify(crs), filePath);
  if (!/^(?:EPSG|ESRI)$/i.test(String(authority)) || !/^\d+$/.test(String(code))) return described();
  try {
    return systemOfCode(Number(code), filePath);
  } catch {
    return described();
  }
}

/** Parquet's own type: `OGC:CRS84`, `EPSG:26919`, `srid:4326`, `projjson:KEY` of the file's texts, or the PROJJSON itself. */
function fromType(
  filePath: string,
  { name, logical_type: logical }: SchemaElement,
  meta: FileMetaData,
): GeometryColumn {
  const text = logical && 'crs' in logical ? logical.crs : undefined;
  return column(name, () => systemOfType(filePath, text, meta), filePath);
}

function systemOfType(filePath: string, text: string | undefined, meta: FileMetaData): ReferenceSystem {
  if (text === undefined || text === '') return wgs84;
  const key = /^projjson:(.*)$/s.exec(text)?.[1];
  const known = key === undefined ? text : (meta.key_value_metadata?.find((each) => each.key === key)?.value ?? key);
  const code = codeOfName(known.replace(/^srid:/i, 'EPSG:'));
  if (code !== null) return systemOfCode(code, filePath);
  try {
    const parsed: unknown = JSON.parse(known);
    if (isObject(parsed)) return systemOfJson(filePath, parsed);
  } catch {
    // Not JSON: a description of another form.
  }
  return systemOfText(known, filePath);
}
