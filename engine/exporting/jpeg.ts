/**
 * JPEGs as a PDF takes them (DCTDecode): their bytes go in without being decoded, and without what cameras write into them.
 * Places, times, serial numbers, comments and second pictures behind the end stay out.
 */
import { endOfImage, isFrame, type JpegPart, jpegParts } from '../photos/jpeg-parts.ts';

export interface Jpeg {
  readonly width: number;
  readonly height: number;
  /** 1 gray, 3 color, 4 CMYK. */
  readonly channels: number;
  /** Read when its page is added to the file, so that many photos need the memory of one. */
  readonly bytes: () => Uint8Array;
  /** EXIF's orientation, 1 to 8: how the picture is turned to be seen upright. Default 1. */
  readonly orientation?: number;
}

/** JFIF, and Adobe's, which says how colors are meant; all other APPn and comments are a camera's words. */
const isKept = (marker: number): boolean =>
  marker === 0xe0 || marker === 0xee || !((marker >= 0xe1 && marker <= 0xef) || marker === 0xfe);

interface Stripped extends Omit<Jpeg, 'bytes' | 'orientation'> {
  readonly bytes: Uint8Array;
}

/** Null: PDF viewers do not draw it. They know Huffman and 8 bits. */
function frameOf({ marker, bytes }: JpegPart): Omit<Stripped, 'bytes'> | null {
  const [bits, high = 0, low = 0, left = 0, right = 0, channels = 0] = bytes.subarray(4, 10);
  const [width, height] = [left * 256 + right, high * 256 + low];
  const isKnown = marker <= 0xc2 && bits === 8 && [1, 3, 4].includes(channels);
  return isKnown && width > 0 && height > 0 ? { width, height, channels } : null;
}

/** The picture alone; null if the bytes are no whole JPEG that PDF viewers draw. */
export function strippedJpeg(bytes: Uint8Array): Stripped | null {
  const parts = [...jpegParts(bytes)];
  const frame = parts.find(({ marker }) => isFrame(marker));
  const facts = frame ? frameOf(frame) : null;
  if (!facts || parts.at(-1)?.marker !== endOfImage) return null;
  const kept = parts.filter(({ marker }) => isKept(marker)).map((part) => part.bytes);
  return { ...facts, bytes: Buffer.concat([bytes.subarray(0, 2), ...kept]) };
}

/** Whether it lies on its side, so that width and height change places. */
export const isTurned = ({ orientation = 1 }: Pick<Jpeg, 'orientation'>): boolean => orientation >= 5;

/** Where its corners come to lie in the unit square, as a matrix of PDF, by EXIF's orientation. */
const turns: Readonly<Record<number, readonly [number, number, number, number, number, number]>> = {
  2: [-1, 0, 0, 1, 1, 0],
  3: [-1, 0, 0, -1, 1, 1],
  4: [1, 0, 0, -1, 0, 1],
  5: [0, -1, -1, 0, 1, 1],
  6: [0, -1, 1, 0, 0, 1],
  7: [0, 1, 1, 0, 0, 0],
  8: [0, 1, -1, 0, 1, 0],
};

export const turnOf = ({ orientation = 1 }: Pick<Jpeg, 'orientation'>): readonly number[] | null =>
  turns[orientation] ?? null;
