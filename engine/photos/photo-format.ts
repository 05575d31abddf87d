/**
 * Tells a photo by its bytes, never by its name, and refuses what only looks like one: a window that draws it must not run
 * out of memory.
 */

import { endOfImage, isFrame, jpegParts, startOfScan } from './jpeg-parts.ts';

export type PhotoKind = 'jpeg' | 'png' | 'heic';

interface PhotoFormat {
  readonly mediaType: string;
  /** Ending of the kept file. */
  readonly ending: string;
}

export const photoFormats: Readonly<Record<PhotoKind, PhotoFormat>> = {
  jpeg: { mediaType: 'image/jpeg', ending: '.jpg' },
  png: { mediaType: 'image/png', ending: '.png' },
  heic: { mediaType: 'image/heic', ending: '.heic' },
};

/** Cameras have up to 200 million pixels; drawn, each takes four bytes. */
export const mostPixels = 200_000_000;

const heicBrands: readonly string[] = ['heic', 'heix', 'hevc', 'heim', 'heis', 'mif1', 'msf1'];
const pngBeginning = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * More pixels than a byte of a whole file can hold: of JPEG four blocks of 64 with two bits each, of PNG deflate's 1,032
 * bytes of eight pixels. A header that claims more is damaged or made to fill the memory of who draws it.
 */
const mostPixelsPerByte = { jpeg: 512, png: 8 * 1032 } as const;

type Told = { readonly kind: PhotoKind } | { readonly problem: string };

/** @returns the kind, or why the bytes are no photo, as a clause */
export function tellPhoto(bytes: Buffer): Told {
  if (bytes.length === 0) return { problem: 'it is empty' };
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])))
    return judged('jpeg', jpegSize(bytes), bytes.length);
  if (bytes.subarray(0, 8).equals(pngBeginning)) return judged('png', pngSize(bytes), bytes.length);
  const isHeic = bytes.toString('latin1', 4, 8) === 'ftyp' && heicBrands.includes(bytes.toString('latin1', 8, 12));
  return isHeic ? { kind: 'heic' } : { problem: 'it is neither JPEG, HEIC nor PNG' };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

function judged(kind: keyof typeof mostPixelsPerByte, size: Size | null, bytes: number): Told {
  if (size === null || size.width === 0 || size.height === 0) return { problem: 'it is damaged or cut off' };
  if (size.width * size.height > mostPixels)
    return { problem: `it would have ${size.width} × ${size.height} pixels, more than any camera` };
  if (size.width * size.height > bytes * mostPixelsPerByte[kind])
    return { problem: `its header claims ${size.width} × ${size.height} pixels, more than its bytes can hold` };
  return { kind };
}

/** The segments of a JPEG up to its picture. */
export function* jpegSegments(bytes: Buffer): Generator<{ readonly marker: number; readonly content: Buffer }> {
  for (const { marker, bytes: part } of jpegParts(bytes)) {
    const length = (part[2] as number) * 256 + (part[3] as number);
    if (marker === endOfImage || length < 2) return;
    yield { marker, content: bytes.subarray(part.byteOffset - bytes.byteOffset + 4).subarray(0, length - 2) };
    if (marker === startOfScan) return;
  }
}

/** Null unless the picture is there to its end. */
export function jpegSize(bytes: Buffer): Size | null {
  let size: Size | null = null;
  for (const { marker, content } of jpegSegments(bytes)) {
    if (isFrame(marker) && content.length >= 5)
      size = { height: content.readUInt16BE(1), width: content.readUInt16BE(3) };
    if (marker === startOfScan)
      return bytes.indexOf(Buffer.from([0xff, 0xd9]), content.byteOffset - bytes.byteOffset) > 0 ? size : null;
  }
  return null;
}

function pngSize(bytes: Buffer): Size | null {
  const isWhole = bytes.toString('latin1', 12, 16) === 'IHDR' && bytes.includes(Buffer.from('IEND'));
  return isWhole ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) } : null;
}
