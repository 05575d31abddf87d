/** The parts of a JPEG (ITU-T T.81, annex B), for who reads its headers and for who takes it without its metadata. */

export interface JpegPart {
  readonly marker: number;
  /** With its marker, its length, and the coded data that follow a start of scan. */
  readonly bytes: Uint8Array;
}

/** Start of frame: all of C0 to CF but tables and arithmetic conditioning. */
export const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

export const [endOfImage, startOfScan] = [0xd9, 0xda];
const [restartFirst, restartLast] = [0xd0, 0xd7];

/** Up to the end of the first picture; where one is damaged or cut off, they end before it. */
export function* jpegParts(bytes: Uint8Array): Generator<JpegPart> {
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

/** Where the next marker lies behind coded data, in which FF is followed by 0 or a restart. */
function scanEnd(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] as number;
    if (next !== 0 && next !== 0xff && !(next >= restartFirst && next <= restartLast)) return at;
  }
  return bytes.length;
}
