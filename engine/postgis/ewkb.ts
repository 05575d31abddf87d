/**
 * SpatiaLite's geometry as the EWKB of PostGIS, and back. Both hold a multipolygon alike, but for the mark before each
 * polygon; so the coordinates are copied as they are.
 */
import type { MultiPolygon, PolygonRings } from '../geo/geometry.ts';
import { decodeMultiPolygon, encodeMultiPolygon } from '../geo/spatialite-blob.ts';

const headBytes = 9;
const hasSrid = 0x20000000;
const srid = 4326;
const [pointType, polygonType, multiPolygonType] = [1, 3, 6];
const isLittleEndian = 1;

function startOf(type: number, bytes: number): Buffer {
  const made = Buffer.allocUnsafe(headBytes + bytes);
  made.writeUInt8(isLittleEndian, 0);
  made.writeUInt32LE(type + hasSrid, 1);
  made.writeUInt32LE(srid, 5);
  return made;
}

/** Throws an Error with a sentence for a damaged geometry. */
export function ewkbOfBlob(blob: Uint8Array): Buffer {
  const shape = decodeMultiPolygon(blob);
  let size = 4;
  for (const rings of shape) {
    size += headBytes;
    for (const ring of rings) size += 4 + ring.byteLength;
  }
  const bytes = startOf(multiPolygonType, size);
  let at = bytes.writeUInt32LE(shape.length, headBytes);
  for (const rings of shape) at = writePolygon(bytes, at, rings);
  return bytes;
}

function writePolygon(bytes: Buffer, start: number, rings: PolygonRings): number {
  let at = bytes.writeUInt8(isLittleEndian, start);
  at = bytes.writeUInt32LE(polygonType, at);
  at = bytes.writeUInt32LE(rings.length, at);
  for (const ring of rings) {
    at = bytes.writeUInt32LE(ring.length / 2, at);
    bytes.set(new Uint8Array(ring.buffer, ring.byteOffset, ring.byteLength), at);
    at += ring.byteLength;
  }
  return at;
}

export function ewkbOfPoint(longitude: number, latitude: number): Buffer {
  const bytes = startOf(pointType, 16);
  bytes.writeDoubleLE(longitude, headBytes);
  bytes.writeDoubleLE(latitude, headBytes + 8);
  return bytes;
}

/** The boundary in little-endian EWKB; null for a point. Throws an Error with a sentence for another geometry. */
export function shapeOfEwkb(bytes: Buffer): MultiPolygon | null {
  const type = bytes.readUInt32LE(1);
  if (type === pointType + hasSrid) return null;
  if (type !== multiPolygonType + hasSrid || bytes.readUInt32LE(5) !== srid)
    throw new Error(`Expected a MultiPolygon or a point in SRID ${srid}, found type ${type}.`);
  let at = headBytes + 4;
  return Array.from({ length: bytes.readUInt32LE(headBytes) }, () => {
    const rings = bytes.readUInt32LE(at + 5);
    at += headBytes;
    return Array.from({ length: rings }, () => {
      const points = bytes.readUInt32LE(at);
      at += 4;
      if (points * 16 > bytes.length - at) throw new Error(`Expected ${points} points, found the end of the shape.`);
      const ring = new Float64Array(points * 2);
      for (let index = 0; index < ring.length; index++, at += 8) ring[index] = bytes.readDoubleLE(at);
      return ring;
    });
  });
}

/** For tests and for rows that go back into land.sqlite. */
export const blobOfEwkb = (bytes: Buffer): Buffer | null => {
  const shape = shapeOfEwkb(bytes);
  return shape && encodeMultiPolygon(shape);
};
