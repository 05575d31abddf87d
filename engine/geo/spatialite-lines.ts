/**
 * SpatiaLite's geometry BLOB for lines and points of layers; polygons are in spatialite-blob.ts, with the format.
 *
 *     POINT data (class 1):            doubles x y
 *     MULTILINESTRING data (class 5):  int32 lines; per line 0x69, int32 2, int32 points, then doubles x y
 */
import { boundsOfCoordinates, geographicSrid } from './geometry.ts';
import { blobGeometryType } from './spatialite-blob.ts';

const pointClass = 1;
const multiLineClass = 5;
const dataOffset = 43;
const lineHeaderBytes = 9;
const vertexBytes = 16;

/** Throws if there is no line: such a shape cannot be stored. */
export function encodeMultiLine(lines: readonly Float64Array[]): Buffer {
  if (lines.length === 0) throw new Error('Expected at least one line to store, found none.');
  const size = dataOffset + 4 + lines.reduce((sum, line) => sum + lineHeaderBytes + line.length * 8, 0) + 1;
  const buffer = Buffer.alloc(size);
  const { minX, minY, maxX, maxY } = boundsOfCoordinates(lines);
  buffer[1] = 1;
  buffer.writeInt32LE(geographicSrid, 2);
  for (const [index, value] of [minX, minY, maxX, maxY].entries()) buffer.writeDoubleLE(value, 6 + index * 8);
  buffer[38] = 0x7c;
  buffer.writeInt32LE(multiLineClass, 39);
  buffer.writeInt32LE(lines.length, dataOffset);
  let offset = dataOffset + 4;
  for (const line of lines) {
    buffer[offset] = 0x69;
    buffer.writeInt32LE(2, offset + 1);
    buffer.writeInt32LE(line.length / 2, offset + 5);
    offset += lineHeaderBytes;
    for (const value of line) offset = buffer.writeDoubleLE(value, offset);
  }
  buffer[offset] = 0xfe;
  return buffer;
}

export function encodePoint(longitude: number, latitude: number): Buffer {
  const buffer = Buffer.alloc(dataOffset + vertexBytes + 1);
  const place = [longitude, latitude, longitude, latitude];
  buffer[1] = 1;
  buffer.writeInt32LE(geographicSrid, 2);
  for (const [index, value] of place.entries()) buffer.writeDoubleLE(value, 6 + index * 8);
  buffer[38] = 0x7c;
  buffer.writeInt32LE(pointClass, 39);
  buffer.writeDoubleLE(longitude, dataOffset);
  buffer.writeDoubleLE(latitude, dataOffset + 8);
  buffer[buffer.length - 1] = 0xfe;
  return buffer;
}

/** The place of a stored POINT, little endian; null for any other bytes. */
export function decodePoint(blob: Uint8Array): readonly [longitude: number, latitude: number] | null {
  if (blob[1] !== 1 || blob.length !== dataOffset + vertexBytes + 1) return null;
  if (blobGeometryType(blob)?.type !== pointClass) return null;
  const view = new DataView(blob.buffer, blob.byteOffset, blob.length);
  const [x, y] = [view.getFloat64(dataOffset, true), view.getFloat64(dataOffset + 8, true)];
  return Number.isFinite(x) && Number.isFinite(y) ? [x, y] : null;
}

/** The lines of a stored MULTILINESTRING, little endian. Throws an Error with a sentence for any other bytes. */
export function decodeMultiLine(blob: Uint8Array): Float64Array[] {
  const type = blobGeometryType(blob);
  if (type?.type !== multiLineClass || blob[1] !== 1) throw new Error('Damaged geometry: expected a MULTILINESTRING.');
  const view = new DataView(blob.buffer, blob.byteOffset, blob.length);
  const lines: Float64Array[] = [];
  let offset = dataOffset + 4;
  for (let left = view.getInt32(dataOffset, true); left > 0; left--) {
    const isHead = offset + lineHeaderBytes < blob.length && blob[offset] === 0x69;
    const count = isHead ? view.getInt32(offset + 5, true) : -1;
    offset += lineHeaderBytes;
    if (count < 2 || offset + count * vertexBytes >= blob.length) {
      throw new Error(`Damaged geometry: expected a line that fits, at byte ${offset} of ${blob.length}.`);
    }
    const line = new Float64Array(count * 2);
    for (let index = 0; index < line.length; index++, offset += 8) line[index] = view.getFloat64(offset, true);
    lines.push(line);
  }
  return lines;
}
