/** A GeoTIFF of hills with noise of half a meter, as surveyed ground has: floats in deflated tiles, as counties publish them. */
import fs from 'node:fs';
import { deflateSync } from 'node:zlib';
import { createRandom } from '../sample-maker/random.ts';

export const roughCorner = { west: -72.3, north: 44.4 };
/** Of a cell. */
export const roughDegrees = 0.0001;

const tileSide = 512;

/** Types of TIFF. */
const [short, long, double] = [3, 4, 12];

type Tag = readonly [tag: number, type: number, values: readonly number[]];

/** @param side cells across and down */
export function writeRoughGround(file: string, side: number): void {
  const descriptor = fs.openSync(file, 'w');
  const heightAt = hills();
  const across = Math.ceil(side / tileSide);
  const [offsets, lengths]: [number[], number[]] = [[], []];
  const cells = new Float32Array(tileSide * tileSide);
  let end = 8;
  for (let tile = 0; tile < across * across; tile++) {
    const [left, top] = [(tile % across) * tileSide, Math.floor(tile / across) * tileSide];
    for (let at = 0; at < cells.length; at++)
      cells[at] = heightAt(left + (at % tileSide), top + Math.floor(at / tileSide));
    const bytes = deflateSync(new Uint8Array(cells.buffer), { level: 1 });
    fs.writeSync(descriptor, bytes, 0, bytes.length, end);
    offsets.push(end);
    lengths.push(bytes.length);
    end += bytes.length + (bytes.length % 2);
  }
  const directory = directoryOf(tagsOf(side, offsets, lengths), end);
  fs.writeSync(descriptor, directory, 0, directory.length, end);
  const head = Buffer.from('49492a0000000000', 'hex');
  head.writeUInt32LE(end, 4);
  fs.writeSync(descriptor, head, 0, head.length, 0);
  fs.closeSync(descriptor);
}

function hills(): (column: number, row: number) => number {
  const random = createRandom(36);
  const noise = Float32Array.from({ length: 1 << 16 }, () => random.integer(0, 1000) / 2000);
  return (column, row) =>
    300 +
    180 * Math.sin(column / 900) * Math.cos(row / 700) +
    40 * Math.sin(column / 110 + row / 170) +
    6 * Math.cos(column / 23 - row / 31) +
    (noise[(column * 7919 + row * 104_729) & 0xffff] as number);
}

const tagsOf = (side: number, offsets: readonly number[], lengths: readonly number[]): readonly Tag[] => [
  [256, long, [side]],
  [257, long, [side]],
  [258, short, [32]],
  // Deflate.
  [259, short, [8]],
  [262, short, [1]],
  [277, short, [1]],
  [322, short, [tileSide]],
  [323, short, [tileSide]],
  [324, long, offsets],
  [325, long, lengths],
  // Floats.
  [339, short, [3]],
  [33550, double, [roughDegrees, roughDegrees, 0]],
  [33922, double, [0, 0, 0, roughCorner.west, roughCorner.north, 0]],
  // WGS 84 in degrees, by areas; heights in meters.
  [34735, short, [1, 1, 0, 4, 1024, 0, 1, 2, 1025, 0, 1, 1, 2048, 0, 1, 4326, 4099, 0, 1, 9001]],
];

/** A directory at `start`, its longer values behind it. */
function directoryOf(tags: readonly Tag[], start: number): Buffer {
  const head = Buffer.alloc(2 + 12 * tags.length + 4);
  head.writeUInt16LE(tags.length, 0);
  const parts: Buffer[] = [head];
  let end = start + head.length;
  for (const [index, [tag, type, values]] of tags.entries()) {
    const at = 2 + 12 * index;
    head.writeUInt16LE(tag, at);
    head.writeUInt16LE(type, at + 2);
    head.writeUInt32LE(values.length, at + 4);
    const bytes = bytesOf(type, values);
    if (bytes.length <= 4) {
      bytes.copy(head, at + 8);
      continue;
    }
    head.writeUInt32LE(end, at + 8);
    parts.push(bytes);
    end += bytes.length;
  }
  return Buffer.concat(parts);
}

function bytesOf(type: number, values: readonly number[]): Buffer {
  const arrays = { [short]: Uint16Array, [long]: Uint32Array, [double]: Float64Array };
  const Numbers = arrays[type] as typeof Uint16Array;
  return Buffer.from(Numbers.from(values).buffer);
}
