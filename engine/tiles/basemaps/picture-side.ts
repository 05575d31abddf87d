/** How many pixels a picture tile has across: its header says so. */
import { jpegSize } from '../../photos/photo-format.ts';

/** Tiles of 256 pixels, unless a file's own say that they are finer. */
export const usualSide = 256;

/** 256, or 512 where the tile has 512 pixels or more across; 256 for AVIF, whose header is not read. */
export function tileSideOf(bytes: Uint8Array | null): 256 | 512 {
  return bytes !== null && (sideOf(Buffer.from(bytes)) ?? 0) >= 512 ? 512 : usualSide;
}

function sideOf(bytes: Buffer): number | null {
  if (bytes.length < 30) return null;
  if (bytes.toString('latin1', 12, 16) === 'IHDR') return bytes.readUInt32BE(16);
  if (bytes[0] === 0xff) return jpegSize(bytes)?.width ?? null;
  const part = bytes.toString('latin1', 12, 16);
  if (part === 'VP8 ') return bytes.readUInt16LE(26) & 0x3fff;
  if (part === 'VP8L') return (bytes.readUInt32LE(21) & 0x3fff) + 1;
  return part === 'VP8X' ? bytes.readUIntLE(24, 3) + 1 : null;
}
