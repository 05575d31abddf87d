/**
 * The .shp and .shx of a Shapefile (ESRI Shapefile Technical Description, July 1998), streamed. Most readers silently
 * lose rows of damaged Shapefiles; here every length and count must agree, or the file is refused with the offset of
 * the mismatch.
 */
import { FlatGeometry } from '../../../geo/ring-geometry.ts';
import { EngineError } from '../../../spec/errors.ts';
import { FileCursor } from '../bytes/file-cursor.ts';
import type { ReferenceSystem } from '../crs/reference-system.ts';
import type { FileBounds, ReadPurpose } from '../parcel-source.ts';
import { groupRings } from './polygon-rings.ts';

export interface ShapeHeader {
  readonly type: number;
  readonly bounds: FileBounds;
  readonly size: number;
}

interface ShapeRecord {
  readonly geometry: FlatGeometry | null;
  readonly byteOffset: number;
}

const fileCode = 9994;
const headerBytes = 100;
const recordHeaderBytes = 8;
const partsHeaderBytes = 44;

const typeNames: Readonly<Record<number, string>> = {
  0: 'nothing',
  1: 'points',
  3: 'lines',
  5: 'polygons',
  8: 'point sets',
  11: 'points with heights',
  13: 'lines with heights',
  15: 'polygons with heights',
  18: 'point sets with heights',
  21: 'points with measures',
  23: 'lines with measures',
  25: 'polygons with measures',
  28: 'point sets with measures',
  31: 'patches in space',
};
const polygonTypes: readonly number[] = [5, 15, 25];
const lineTypes: readonly number[] = [3, 13, 23];
const pointTypes: readonly number[] = [1, 11, 21];

const shapeRefusal = (filePath: string, problem: string, offset: number) =>
  new EngineError('import_refused', `${filePath}: ${problem}, at byte ${offset}.`);

/** Whether bytes begin like a .shp or a .shx. */
export const isShapeHeader = (head: Buffer): boolean =>
  head.length >= 32 && head.readInt32BE(0) === fileCode && head.readInt32LE(28) === 1000;

/** The header of a .shp or .shx, if the file is as long as it says. */
export function readShapeHeader(cursor: FileCursor): ShapeHeader {
  const head = cursor.read(0, headerBytes);
  const { path, size } = cursor;
  if (head.length < headerBytes || !isShapeHeader(head)) {
    throw shapeRefusal(path, 'expected the header of a Shapefile (100 bytes), found something else', 0);
  }
  const length = head.readUInt32BE(24) * 2;
  if (length !== size) {
    const words = length > size ? 'the file was cut off' : 'more data follows';
    throw shapeRefusal(
      path,
      `expected ${length} bytes as the header says, found ${size}: ${words}`,
      Math.min(length, size),
    );
  }
  const type = head.readInt32LE(32);
  if (typeNames[type] === undefined) throw shapeRefusal(path, `expected a known type of shape, found ${type}`, 32);
  const bounds = [36, 44, 52, 60].map((at) => head.readDoubleLE(at)) as unknown as FileBounds;
  return { type, bounds, size };
}

/** The number of records that a .shx lists. */
export function countIndex(path: string, { size }: ShapeHeader): number {
  const count = (size - headerBytes) / 8;
  if (Number.isInteger(count)) return count;
  throw shapeRefusal(path, 'expected entries of 8 bytes, found a part of one at the end of the file', size);
}

/** @param purpose a layer may hold lines too; the code that reads them checks whether they suit its kind */
export function expectShapes(path: string, { type }: ShapeHeader, purpose: ReadPurpose): void {
  if (type === 0 || polygonTypes.includes(type) || pointTypes.includes(type)) return;
  if (purpose === 'layer' && lineTypes.includes(type)) return;
  const words =
    purpose === 'layer'
      ? `expected polygons or lines, found ${typeNames[type]}`
      : `expected polygons (or points), found ${typeNames[type]}. Name the layer of parcels`;
  throw shapeRefusal(path, words, 32);
}

/**
 * The records in the order of the .shx, which is that of the .dbf.
 */
export function* readShapes(shp: string, shx: string, count: number, system: ReferenceSystem): Generator<ShapeRecord> {
  const shapes = new FileCursor(shp);
  const index = new FileCursor(shx);
  try {
    let covered = headerBytes;
    for (let row = 0; row < count; row++) {
      const at = headerBytes + row * 8;
      const entry = index.read(at, 8);
      if (entry.length < 8) throw shapeRefusal(shx, `expected ${count} entries, found the end of the file`, at);
      const byteOffset = entry.readUInt32BE(0) * 2;
      const length = entry.readUInt32BE(4) * 2;
      covered += recordHeaderBytes + length;
      const content = readContent(shapes, byteOffset, length, row);
      yield { geometry: readGeometry(content, shp, byteOffset + recordHeaderBytes, system), byteOffset };
    }
    if (covered !== shapes.size) expectNoOthers(shapes, count);
  } finally {
    index.close();
    shapes.close();
  }
}

/**
 * Where the .shx does not account for every byte, the .shp may hold records that would be lost. Programs that edit in
 * place leave old versions of a record under its number: those do not count.
 */
function expectNoOthers(shapes: FileCursor, count: number): void {
  for (let offset = headerBytes; offset + recordHeaderBytes <= shapes.size; ) {
    const head = shapes.read(offset, recordHeaderBytes);
    const number = head.readUInt32BE(0);
    if (number > count) {
      throw shapeRefusal(shapes.path, `expected ${count} shapes as the .shx says, found record ${number}`, offset);
    }
    offset += recordHeaderBytes + head.readUInt32BE(4) * 2;
  }
}

function readContent(shapes: FileCursor, offset: number, length: number, row: number): Buffer {
  const name = `record ${row + 1}`;
  if (offset < headerBytes || offset + recordHeaderBytes + length > shapes.size) {
    throw shapeRefusal(
      shapes.path,
      `expected ${name} (${length} bytes) within the file of ${shapes.size} bytes, found it outside`,
      offset,
    );
  }
  const record = shapes.read(offset, recordHeaderBytes + length);
  const own = record.length >= recordHeaderBytes ? record.readUInt32BE(4) * 2 : -1;
  if (own !== length) {
    throw shapeRefusal(
      shapes.path,
      `expected ${name} of ${length} bytes as the .shx says, found one of ${own}`,
      offset,
    );
  }
  return record.subarray(recordHeaderBytes);
}

function readGeometry(content: Buffer, path: string, offset: number, system: ReferenceSystem): FlatGeometry | null {
  const type = content.length >= 4 ? content.readInt32LE(0) : -1;
  if (type === 0) return null;
  if (polygonTypes.includes(type)) return readPolygon(content, path, offset, system);
  if (lineTypes.includes(type)) return readLines(content, path, offset, system);
  if (pointTypes.includes(type)) return readPoint(content, path, offset, system);
  const name = typeNames[type];
  if (name === undefined) throw shapeRefusal(path, `expected a known type of shape, found ${type}`, offset);
  return FlatGeometry.ofProblem(`Expected a polygon, a line or a point, found ${name}.`);
}

function readPoint(content: Buffer, path: string, offset: number, system: ReferenceSystem): FlatGeometry {
  if (content.length < 20) throw shapeRefusal(path, `expected a point of 20 bytes, found ${content.length}`, offset);
  const point = Float64Array.of(content.readDoubleLE(4), content.readDoubleLE(12));
  system.toWgs84(point);
  return FlatGeometry.ofPoint(point[0] as number, point[1] as number);
}

function readPolygon(content: Buffer, path: string, offset: number, system: ReferenceSystem): FlatGeometry | null {
  const rings = readParts(content, path, offset, 'polygon');
  if (rings.length === 0) return null;
  const polygons = groupRings(rings);
  for (const ring of rings) system.toWgs84(ring);
  return FlatGeometry.ofPolygons(polygons);
}

function readLines(content: Buffer, path: string, offset: number, system: ReferenceSystem): FlatGeometry | null {
  const lines = readParts(content, path, offset, 'line');
  if (lines.length === 0) return null;
  for (const line of lines) system.toWgs84(line);
  return FlatGeometry.ofLines(lines);
}

/** Polygons and lines share a layout: heights and measures follow the points. */
function readParts(content: Buffer, path: string, offset: number, what: 'polygon' | 'line'): Float64Array[] {
  const partCount = content.length >= partsHeaderBytes ? content.readUInt32LE(36) : -1;
  const pointCount = partCount === -1 ? 0 : content.readUInt32LE(40);
  const pointsAt = partsHeaderBytes + 4 * partCount;
  if (partCount === -1 || pointsAt + 16 * pointCount > content.length) {
    throw shapeRefusal(
      path,
      `expected a ${what} of ${partCount} parts and ${pointCount} points, found ${content.length} bytes`,
      offset,
    );
  }
  const parts: Float64Array[] = [];
  for (let part = 0; part < partCount; part++) {
    const at = partsHeaderBytes + 4 * part;
    const first = content.readUInt32LE(at);
    const end = part + 1 < partCount ? content.readUInt32LE(at + 4) : pointCount;
    if (first > end || end > pointCount || (part === 0 && first !== 0)) {
      throw shapeRefusal(
        path,
        `expected part ${part + 1} within ${pointCount} points, found ${first} to ${end}`,
        offset,
      );
    }
    parts.push(copyPoints(content, pointsAt + 16 * first, end - first));
  }
  return parts;
}

/** One by one: a copy of the bytes costs more for the few corners of a lot. */
function copyPoints(content: Buffer, at: number, count: number): Float64Array {
  const points = new Float64Array(count * 2);
  const view = new DataView(content.buffer, content.byteOffset + at, count * 16);
  for (let index = 0; index < points.length; index++) points[index] = view.getFloat64(index * 8, true);
  return points;
}
