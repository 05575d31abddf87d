/** Well Known Binary (OGC 06-103r4), little endian as every machine that the database driver supports. */
import type { MultiPolygon } from '../geo/geometry.ts';

const [pointType, polygonType, multiPolygonType] = [1, 3, 6];
const headBytes = 9;

function writeHead(bytes: Buffer, at: number, type: number, count: number): number {
  bytes.writeUInt8(1, at);
  bytes.writeUInt32LE(type, at + 1);
  return bytes.writeUInt32LE(count, at + 5);
}

export function multiPolygonWkb(shape: MultiPolygon): Buffer {
  let size = headBytes * (1 + shape.length);
  for (const rings of shape) for (const ring of rings) size += 4 + ring.length * 8;
  const bytes = Buffer.alloc(size);
  let at = writeHead(bytes, 0, multiPolygonType, shape.length);
  for (const rings of shape) {
    at = writeHead(bytes, at, polygonType, rings.length);
    for (const ring of rings) {
      at = bytes.writeUInt32LE(ring.length / 2, at);
      bytes.set(new Uint8Array(ring.buffer, ring.byteOffset, ring.byteLength), at);
      at += ring.byteLength;
    }
  }
  return bytes;
}

export function pointWkb([longitude, latitude]: readonly [number, number]): Buffer {
  const bytes = Buffer.alloc(21);
  bytes.writeUInt8(1, 0);
  bytes.writeUInt32LE(pointType, 1);
  bytes.writeDoubleLE(longitude, 5);
  bytes.writeDoubleLE(latitude, 13);
  return bytes;
}
