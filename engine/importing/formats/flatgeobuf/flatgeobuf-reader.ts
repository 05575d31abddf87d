/**
 * Reads FlatGeobuf (https://flatgeobuf.org), feature by feature. The package of that name reads asynchronously and
 * trusts every offset of the file; the format needs two small tables, so this reader parses them itself and checks
 * every offset.
 */
import path from 'node:path';
import { FlatGeometry, type ShapeParts } from '../../../geo/ring-geometry.ts';
import { EngineError } from '../../../spec/errors.ts';
import { FileCursor } from '../bytes/file-cursor.ts';
import { type ReferenceSystem, systemOfCode, systemOfText, wgs84 } from '../crs/reference-system.ts';
import type { ParcelFeature } from '../parcel-feature.ts';
import type { FileBounds, LayerColumn, ParcelLayer, ReadOptions } from '../parcel-source.ts';
import { FlatDamage, FlatTable } from './flat-buffer.ts';

const magic = [0x66, 0x67, 0x62, 0x03, 0x66, 0x67, 0x62];
const magicBytes = 8;
const nodeBytes = 40;
const maxHeaderBytes = 64 * 1024 * 1024;
/** Limit of one feature, as for GeoJSON. */
const maxFeatureBytes = 64 * 1024 * 1024;

export const isFlatGeobuf = (head: Buffer): boolean =>
  head.length >= magicBytes && magic.every((byte, i) => head[i] === byte);

const refusal = (filePath: string, problem: string, offset: number) =>
  new EngineError('import_refused', `${filePath}: ${problem}, at byte ${offset}.`);

interface Column {
  readonly name: string;
  readonly type: number;
}

interface Header {
  readonly name: string;
  readonly columns: readonly Column[];
  /** 0: unknown. */
  readonly count: number;
  readonly bounds: FileBounds | null;
  readonly geometryType: number;
  readonly crs: { readonly org: string; readonly code: number; readonly name: string; readonly wkt: string } | null;
  readonly featuresAt: number;
}

/** @param unnamed what to throw if the file names no system; without it, WGS 84 is assumed */
export function openFlatGeobuf(filePath: string, options: ReadOptions, unnamed?: () => Error): ParcelLayer {
  const cursor = new FileCursor(filePath);
  const header = closing(cursor, () => readHeader(cursor));
  const system = () => findSystem(filePath, header, options, unnamed);
  return {
    name: header.name || path.basename(filePath, path.extname(filePath)),
    format: 'flatgeobuf',
    columns: header.columns.map(columnOf),
    rowCount: header.count || null,
    bounds: header.bounds,
    encoding: 'UTF-8',
    system,
    features: () => readFeatures(filePath, header, system()),
  };
}

function closing<Result>(cursor: FileCursor, work: () => Result): Result {
  try {
    return work();
  } finally {
    cursor.close();
  }
}

/** Reports damage by its offset in the file; `start` is the offset of the buffer. */
function guarded<Result>(filePath: string, start: number, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof FlatDamage)) throw error;
    throw refusal(filePath, `damaged FlatGeobuf: ${error.message}`, start + error.offset);
  }
}

function readHeader(cursor: FileCursor): Header {
  const { path: filePath, size } = cursor;
  const length = cursor.read(magicBytes, 4);
  const headerBytes = length.length === 4 ? length.readUInt32LE(0) : -1;
  const at = magicBytes + 4;
  if (headerBytes < 8 || headerBytes > maxHeaderBytes || at + headerBytes > size) {
    throw refusal(filePath, `expected a header that fits into ${size} bytes, found one of ${headerBytes}`, magicBytes);
  }
  return guarded(filePath, at, () => {
    const table = FlatTable.root(cursor.read(at, headerBytes));
    const count = table.long(8);
    const treeBytes = treeSize(count, table.short(9, 16));
    const featuresAt = at + headerBytes + treeBytes;
    if (featuresAt > size)
      throw refusal(filePath, `expected an index of ${treeBytes} bytes, found the end of the file`, size);
    const [west, south, east, north] = table.doubles(1) ?? [];
    const isBounded = west !== undefined && south !== undefined && east !== undefined && north !== undefined;
    const crs = table.table(10);
    return {
      name: table.text(0) ?? '',
      columns: table.tables(7).map((column) => ({ name: column.text(0) ?? '', type: column.byte(1, 0) })),
      count,
      bounds: isBounded ? [west, south, east, north] : null,
      geometryType: table.byte(2, 0),
      crs: crs && { org: crs.text(0) ?? 'EPSG', code: crs.int(1, 0), name: crs.text(2) ?? '', wkt: crs.text(4) ?? '' },
      featuresAt,
    };
  });
}

/** Bytes of the packed R-tree: a node per feature, and one per `nodeSize` nodes of the level below. */
function treeSize(count: number, nodeSize: number): number {
  if (count === 0 || nodeSize === 0) return 0;
  let nodes = count;
  for (let level = count; level > 1; nodes += level) level = Math.ceil(level / Math.max(nodeSize, 2));
  return nodes * nodeBytes;
}

function findSystem(
  filePath: string,
  { crs }: Header,
  options: ReadOptions,
  unnamed: (() => Error) | undefined,
): ReferenceSystem {
  if (options.crs !== undefined) return systemOfText(options.crs, filePath);
  if (crs === null && unnamed) throw unnamed();
  if (crs === null) return { ...wgs84, name: 'WGS 84 (assumed: the file names none)' };
  if (crs.wkt !== '' && (crs.code === 0 || !/^(?:EPSG|ESRI)$/i.test(crs.org))) return systemOfText(crs.wkt, filePath);
  try {
    return systemOfCode(crs.code, filePath);
  } catch (error) {
    if (crs.wkt === '') throw error;
    return systemOfText(crs.wkt, filePath);
  }
}

function* readFeatures(filePath: string, header: Header, system: ReferenceSystem): Generator<ParcelFeature> {
  const cursor = new FileCursor(filePath);
  try {
    let row = 0;
    let at = header.featuresAt;
    for (; at < cursor.size; row++) {
      const length = cursor.read(at, 4);
      const bytes = length.length === 4 ? length.readUInt32LE(0) : -1;
      if (bytes < 8 || bytes > maxFeatureBytes || at + 4 + bytes > cursor.size) {
        throw refusal(filePath, `expected feature ${row + 1} to fit into the file, found a length of ${bytes}`, at);
      }
      const start = at + 4;
      const table = guarded(filePath, start, () => FlatTable.root(cursor.read(start, bytes)));
      yield guarded(filePath, start, () => readFeature(table, header, system, { row: row + 1, byteOffset: at }));
      at = start + bytes;
    }
    if (header.count > 0 && row !== header.count) {
      throw refusal(filePath, `expected ${header.count} features as the header says, found ${row}`, at);
    }
  } finally {
    cursor.close();
  }
}

function readFeature(
  table: FlatTable,
  header: Header,
  system: ReferenceSystem,
  position: ParcelFeature['position'],
): ParcelFeature {
  const own = table.tables(2);
  const columns =
    own.length > 0 ? own.map((column) => ({ name: column.text(0) ?? '', type: column.byte(1, 0) })) : header.columns;
  const geometry = table.table(0);
  return {
    geometry: geometry && readGeometry(geometry, header.geometryType, system),
    properties: readProperties(table.bytes(1), columns),
    position,
  };
}

const typeNames = ['Unknown', 'Point', 'LineString', 'Polygon', 'MultiPoint', 'MultiLineString', 'MultiPolygon'];
const collectionType = 7;

/** Groups within groups. */
const deepest = 8;

function readGeometry(geometry: FlatTable, layerType: number, system: ReferenceSystem): FlatGeometry | null {
  const parts: ShapeParts = { polygons: [], lines: [], points: [] };
  const unread = readInto(parts, geometry, layerType, system, 0);
  if (unread === null) return FlatGeometry.ofParts(parts);
  const name = typeNames[unread] ?? `geometry type ${unread} (a curve or a surface)`;
  return FlatGeometry.ofProblem(`Expected a polygon, a line or a point, found ${name}.`);
}

/** Returns a type that is not read; null: all is. */
function readInto(
  parts: ShapeParts,
  geometry: FlatTable,
  layerType: number,
  system: ReferenceSystem,
  depth: number,
): number | null {
  const type = layerType === 0 ? geometry.byte(6, 0) : layerType;
  if (type === collectionType && depth < deepest) {
    const unread = geometry.tables(7).map((part) => readInto(parts, part, 0, system, depth + 1));
    return unread.find((one) => one !== null) ?? null;
  }
  const paths = type === 6 ? [] : readPaths(geometry, system);
  if (type === 1 || type === 4) parts.points.push(...paths.flatMap(verticesOf));
  else if (type === 2 || type === 5) parts.lines.push(...paths);
  else if (type === 3) parts.polygons.push(paths);
  else if (type === 6) parts.polygons.push(...geometry.tables(7).map((part) => readPaths(part, system)));
  else return type;
  parts.polygons = parts.polygons.filter((rings) => rings.length > 0);
  return null;
}

const verticesOf = (path: Float64Array): Float64Array[] =>
  Array.from({ length: path.length / 2 }, (_, index) => path.subarray(2 * index, 2 * index + 2));

/** Rings or lines: `ends` gives the vertex after each one's last; a single one needs none. */
function readPaths(geometry: FlatTable, system: ReferenceSystem): Float64Array[] {
  const xy = geometry.doubles(1);
  if (xy === null || xy.length === 0) return [];
  system.toWgs84(xy);
  const ends = geometry.uints(0);
  if (ends.length === 0) return [xy];
  let start = 0;
  return ends.map((end) => {
    if (end * 2 < start || end * 2 > xy.length)
      throw new FlatDamage(`expected a ring or line within ${xy.length / 2} points`, 0);
    const ring = xy.slice(start, end * 2);
    start = end * 2;
    return ring;
  });
}

type ReadScalar = (bytes: Buffer, at: number) => unknown;

const exact = (value: bigint): number | string =>
  value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER ? String(value) : Number(value);

/** By column type: bytes, reader, name. */
const scalars: readonly (readonly [bytes: number, read: ReadScalar, name: LayerColumn['type']])[] = [
  [1, (bytes, at) => bytes.readInt8(at), 'integer'],
  [1, (bytes, at) => bytes[at], 'integer'],
  [1, (bytes, at) => bytes[at] !== 0, 'boolean'],
  [2, (bytes, at) => bytes.readInt16LE(at), 'integer'],
  [2, (bytes, at) => bytes.readUInt16LE(at), 'integer'],
  [4, (bytes, at) => bytes.readInt32LE(at), 'integer'],
  [4, (bytes, at) => bytes.readUInt32LE(at), 'integer'],
  [8, (bytes, at) => exact(bytes.readBigInt64LE(at)), 'integer'],
  [8, (bytes, at) => exact(bytes.readBigUInt64LE(at)), 'integer'],
  [4, (bytes, at) => bytes.readFloatLE(at), 'number'],
  [8, (bytes, at) => bytes.readDoubleLE(at), 'number'],
];
const dateTimeType = 13;
const binaryType = 14;

const columnOf = ({ name, type }: Column): LayerColumn => ({
  name,
  type: scalars[type]?.[2] ?? (type === dateTimeType ? 'date' : 'text'),
});

/** Pairs of a column number and its value; an absent column is null. */
function readProperties(bytes: Buffer | null, columns: readonly Column[]): Record<string, unknown> {
  const properties: Record<string, unknown> = {};
  for (const { name } of columns) properties[name] = null;
  if (bytes === null) return properties;
  for (let at = 0; at < bytes.length; ) {
    const column = at + 2 <= bytes.length ? columns[bytes.readUInt16LE(at)] : undefined;
    if (column === undefined) throw new FlatDamage(`expected the number of one of ${columns.length} columns`, 0);
    at += 2 + readValue(bytes, at + 2, column, properties);
  }
  return properties;
}

/** Returns the value's length in bytes. Texts follow their length. */
function readValue(bytes: Buffer, at: number, { name, type }: Column, properties: Record<string, unknown>): number {
  const scalar = scalars[type];
  const isWhole = at + (scalar ? scalar[0] : 4) <= bytes.length;
  const length = scalar ? scalar[0] : isWhole ? 4 + bytes.readUInt32LE(at) : 4;
  if (at + length > bytes.length) throw new FlatDamage(`expected a value of the column ${name}, found the end`, 0);
  if (scalar) properties[name] = scalar[1](bytes, at);
  else if (type !== binaryType) properties[name] = bytes.toString('utf8', at + 4, at + length);
  return length;
}
