/** Photos for tests, byte by byte from the standards: JPEG (ITU-T T.81), EXIF 2.32 (TIFF 6.0), PNG, HEIF (ISO 14496-12). */
import { crc32, deflateSync } from 'node:zlib';

export interface PhotoMake {
  /** Degrees, written as degrees, minutes and seconds of a hundred thousandth. */
  readonly place?: readonly [longitude: number, latitude: number] | undefined;
  /** `2026:11:25 14:05:30` */
  readonly takenAt?: string | undefined;
  /** `V`: without a fix. */
  readonly status?: 'A' | 'V' | undefined;
  /** `-05:00` */
  readonly offset?: string | undefined;
  /** Degrees, with the north that they are from. */
  readonly heading?: readonly [degrees: number, north: 'T' | 'M'] | undefined;
  readonly camera?: readonly [make: string, model: string] | undefined;
  /** UTC of the satellites, ISO. */
  readonly fixedAt?: string | undefined;
  readonly orientation?: number | undefined;
  readonly width?: number;
  readonly height?: number;
  /** Bytes of the picture. */
  readonly picture?: number;
}

const u16 = (value: number): Buffer => Buffer.from([value & 0xff, value >> 8]);
const u16Big = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const u32Big = (value: number): Buffer => u32(value).reverse();

type Entry = readonly [tag: number, type: number, count: number, value: Buffer];

const text = (tag: number, value: string): Entry => [tag, 2, value.length + 1, Buffer.from(`${value}\0`, 'latin1')];

function angle(tag: number, degrees: number): Entry {
  const whole = Math.floor(degrees);
  const minutes = Math.floor((degrees - whole) * 60);
  const seconds = Math.round(((degrees - whole) * 60 - minutes) * 60 * 100_000);
  return [tag, 5, 3, Buffer.concat([whole, 1, minutes, 1, seconds, 100_000].map(u32))];
}

/** A directory of a TIFF at an offset: values longer than four bytes lie behind it. */
function directory(entries: readonly Entry[], offset: number): Buffer {
  const head: Buffer[] = [u16(entries.length)];
  const values: Buffer[] = [];
  let at = offset + 2 + entries.length * 12 + 4;
  for (const [tag, type, count, value] of entries) {
    const isShort = value.length <= 4;
    head.push(u16(tag), u16(type), u32(count), isShort ? Buffer.concat([value, Buffer.alloc(4)], 4) : u32(at));
    if (isShort) continue;
    values.push(value);
    at += value.length;
  }
  return Buffer.concat([...head, u32(0), ...values]);
}

function gpsEntries({ place, status, heading, fixedAt }: PhotoMake): Entry[] {
  const [longitude = 0, latitude = 0] = place ?? [];
  const [hours = 0, minutes = 0, seconds = 0] = (fixedAt?.slice(11, 19) ?? '').split(':').map(Number);
  return [
    ...(place
      ? [
          text(1, latitude < 0 ? 'S' : 'N'),
          angle(2, Math.abs(latitude)),
          text(3, longitude < 0 ? 'W' : 'E'),
          angle(4, Math.abs(longitude)),
        ]
      : []),
    ...(fixedAt ? [[7, 5, 3, Buffer.concat([hours, 1, minutes, 1, seconds, 1].map(u32))] as const] : []),
    ...(place && status ? [text(9, status)] : []),
    ...(heading
      ? [text(16, heading[1]), [17, 5, 1, Buffer.concat([Math.round(heading[0] * 100), 100].map(u32))] as const]
      : []),
    ...(fixedAt ? [text(29, fixedAt.slice(0, 10).replaceAll('-', ':'))] : []),
  ];
}

function firstEntries({ camera, orientation }: PhotoMake): Entry[] {
  const [make, model] = camera ?? [];
  return [
    ...(make === undefined ? [] : [text(0x010f, make)]),
    ...(model === undefined ? [] : [text(0x0110, model)]),
    ...(orientation === undefined ? [] : [[0x0112, 3, 1, u16(orientation)] as const]),
  ];
}

/** `Exif\0\0` and its TIFF. */
export function exifBlock(make: PhotoMake): Buffer {
  const { takenAt, offset } = make;
  const gps = gpsEntries(make);
  const exif = [...(takenAt ? [text(0x9003, takenAt)] : []), ...(offset ? [text(0x9011, offset)] : [])];
  const named = firstEntries(make);
  const namedBytes = named.reduce((sum, [, , , value]) => sum + (value.length <= 4 ? 0 : value.length), 0);
  const exifAt = 8 + 2 + (named.length + 2) * 12 + 4 + namedBytes;
  const exifPart = directory(exif, exifAt);
  const gpsAt = exifAt + exifPart.length;
  const first = directory([...named, [0x8769, 4, 1, u32(exifAt)], [0x8825, 4, 1, u32(gpsAt)]], 8);
  return Buffer.concat([Buffer.from('Exif\0\0II*\0', 'latin1'), u32(8), first, exifPart, directory(gps, gpsAt)]);
}

const segment = (marker: number, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0xff, marker]), u16Big(content.length + 2), content]);

/** It has the form of a JPEG; its picture is noise. */
export function makeJpeg(make: PhotoMake = {}): Buffer {
  const { width = 4000, height = 3000 } = make;
  // As many bytes as that many pixels need at least.
  const { picture = Math.min(100_000, Math.ceil((width * height) / 512)) } = make;
  const hasExif = [make.place, make.takenAt, make.heading, make.camera, make.orientation].some(
    (part) => part !== undefined,
  );
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...(hasExif ? [segment(0xe1, exifBlock(make))] : []),
    segment(0xc0, Buffer.concat([Buffer.from([8]), u16Big(height), u16Big(width), Buffer.from([1, 1, 0x11, 0])])),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.alloc(picture, 0x5a),
    Buffer.from([0xff, 0xd9]),
  ]);
}

const chunk = (name: string, content: Buffer): Buffer =>
  Buffer.concat([u32Big(content.length), Buffer.from(name, 'latin1'), content, u32Big(0)]);

export const makePng = ({ width = 400, height = 300 }: PhotoMake = {}): Buffer =>
  Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', Buffer.concat([u32Big(width), u32Big(height), Buffer.from([8, 2, 0, 0, 0])])),
    chunk('IEND', Buffer.alloc(0)),
  ]);

/** A square that a browser draws. @param grayAt 0 to 255, of each pixel in its turn */
export function drawnPng(size = 64, grayAt: () => number = () => 0x90): Buffer {
  const whole = (name: string, content: Buffer): Buffer => {
    const named = Buffer.concat([Buffer.from(name, 'latin1'), content]);
    return Buffer.concat([u32Big(content.length), named, u32Big(crc32(named))]);
  };
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    whole('IHDR', Buffer.concat([u32Big(size), u32Big(size), Buffer.from([8, 0, 0, 0, 0])])),
    // Each row: no filter, then a byte for each pixel.
    whole(
      'IDAT',
      deflateSync(
        Buffer.from(Array.from({ length: (size + 1) * size }, (_, at) => (at % (size + 1) === 0 ? 0 : grayAt()))),
      ),
    ),
    whole('IEND', Buffer.alloc(0)),
  ]);
}

const box = (name: string, ...content: readonly Buffer[]): Buffer => {
  const whole = Buffer.concat(content);
  return Buffer.concat([u32Big(whole.length + 8), Buffer.from(name, 'latin1'), whole]);
};

/** A HEIC as a phone writes it, with the block of EXIF in its media data; a box of length 0 before it stops exifr's reader. */
export const makeHeic = (make: PhotoMake = {}): Buffer =>
  Buffer.concat([
    box('ftyp', Buffer.from('heic\0\0\0\0mif1heic', 'latin1')),
    u32Big(0),
    Buffer.from('free'),
    box('mdat', u32Big(6), exifBlock(make), Buffer.alloc(400, 0x5a)),
  ]);
