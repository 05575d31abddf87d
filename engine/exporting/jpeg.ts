/**
 * JPEGs as a PDF takes them (DCTDecode): their bytes go in without being decoded, and without what cameras write into them.
 * Places, times, serial numbers, comments and second pictures behind the end stay out.
 */

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

/** Start of frame: all of C0 to CF but tables and arithmetic conditioning. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** JFIF, and Adobe's, which says how colors are meant; all other APPn and comments are a camera's words. */
const isKept = (marker: number): boolean =>
  marker === 0xe0 || marker === 0xee || !((marker >= 0xe1 && marker <= 0xef) || marker === 0xfe);

const [restartFirst, restartLast, endOfImage, startOfScan] = [0xd0, 0xd7, 0xd9, 0xda];

interface Stripped extends Omit<Jpeg, 'bytes' | 'orientation'> {
  readonly bytes: Uint8Array;
}

interface Part {
  readonly marker: number;
  /** With its marker, its length, and the coded data that follow a start of scan. */
  readonly bytes: Uint8Array;
}

/** The parts of a JPEG up to the end of its first picture; where one is damaged or cut off, they end before it. */
function* partsOf(bytes: Uint8Array): Generator<Part> {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return;
  for (let at = 2; at + 1 < bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] as number;
    // A filling byte.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const length = marker === endOfImage ? 0 : (bytes[at + 2] as number) * 256 + (bytes[at + 3] as number);
    const end = at + 2 + length;
    if (!(end <= bytes.length)) return;
    const next = marker === startOfScan ? scanEnd(bytes, end) : end;
    yield { marker, bytes: bytes.subarray(at, next) };
    if (marker === endOfImage || length < 2) return;
    at = next;
  }
}

/** Null: PDF viewers do not draw it. They know Huffman and 8 bits. */
function frameOf({ marker, bytes }: Part): Omit<Stripped, 'bytes'> | null {
  const [bits, high = 0, low = 0, left = 0, right = 0, channels = 0] = bytes.subarray(4, 10);
  const [width, height] = [left * 256 + right, high * 256 + low];
  const isKnown = marker <= 0xc2 && bits === 8 && [1, 3, 4].includes(channels);
  return isKnown && width > 0 && height > 0 ? { width, height, channels } : null;
}

/** The picture alone; null if the bytes are no whole JPEG that PDF viewers draw. */
export function strippedJpeg(bytes: Uint8Array): Stripped | null {
  const parts = [...partsOf(bytes)];
  const frame = parts.find(({ marker }) => isFrame(marker));
  const facts = frame ? frameOf(frame) : null;
  if (!facts || parts.at(-1)?.marker !== endOfImage) return null;
  const kept = parts.filter(({ marker }) => isKept(marker)).map((part) => part.bytes);
  return { ...facts, bytes: Buffer.concat([bytes.subarray(0, 2), ...kept]) };
}

/** Where the next marker lies behind coded data, in which FF is followed by 0 or a restart. */
function scanEnd(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] as number;
    if (next !== 0 && next !== 0xff && !(next >= restartFirst && next <= restartLast)) return at;
  }
  return bytes.length;
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
