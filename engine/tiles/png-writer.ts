/** Writes pictures of gray and alpha, or of three channels, eight bits each, as PNG (https://www.w3.org/TR/png-3/). */
import { crc32, deflateSync } from 'node:zlib';

const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const bitDepth = 8;
const colorTypes = { 2: 4, 3: 2 } as const;
type Channels = keyof typeof colorTypes;
/** Each byte is stored as the difference to the same channel of the pixel before it. */
const subFilter = 1;

/** @param picture gray and alpha, or red, green and blue of every pixel, in rows of `side` */
export function writePng(picture: Uint8Array, side: number, channels: Channels = 2): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([bitDepth, colorTypes[channels]], 8);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(filtered(picture, side * channels, channels), { level: 6 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function filtered(picture: Uint8Array, rowBytes: number, channels: Channels): Uint8Array {
  const rows = picture.length / rowBytes;
  const bytes = new Uint8Array(rows * (rowBytes + 1));
  for (let row = 0; row < rows; row++) {
    const to = row * (rowBytes + 1);
    bytes[to] = subFilter;
    for (let at = 0; at < rowBytes; at++) {
      const value = picture[row * rowBytes + at] as number;
      const before = at < channels ? 0 : (picture[row * rowBytes + at - channels] as number);
      bytes[to + 1 + at] = value - before;
    }
  }
  return bytes;
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(data.length + 12);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(type, 4, 'latin1');
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, data.length + 8)), data.length + 8);
  return bytes;
}
