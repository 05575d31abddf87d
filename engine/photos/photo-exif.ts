/**
 * The place and the time that a camera wrote into a photo (EXIF 2.32, in a TIFF 6.0 of at most 64 kB). The package
 * exifr 7.1.3 was tried: it never ends on a HEIC with a box of length 0, and reserves gigabytes where a damaged count says so.
 */
import { jpegSegments, type PhotoKind } from './photo-format.ts';

export interface PhotoFacts {
  /** Null: the photo holds none. */
  readonly place: { readonly longitude: number; readonly latitude: number } | null;
  /** `2026-11-25T14:05:30`, by the camera's clock. */
  readonly takenAt: string | null;
  /** Minutes of that clock's zone east of UTC, if the camera says it. */
  readonly offsetMinutes: number | null;
  /** UTC of the satellites' clock at the last fix, ISO. */
  readonly fixedAt: string | null;
  /** Degrees that the camera looked to. */
  readonly heading: number | null;
  /** By its compass, not from true north. */
  readonly isMagnetic: boolean;
  /** `Canon EOS R7` */
  readonly camera: string | null;
  /** How the picture is turned to be seen upright, 1 to 8. */
  readonly orientation: number;
}

/** Damaged facts count as none. */
export function readPhotoFacts(bytes: Buffer, kind: PhotoKind): PhotoFacts {
  const tiff = openTiff(exifBlock(bytes, kind));
  const first = tiff?.directory(tiff.start);
  const [exif, gps] = [0x8769, 0x8825].map((tag) => tiff?.directory(first?.get(tag)?.pointer ?? 0));
  const heading = gps?.get(17)?.rationals[0];
  const turn = first?.get(0x0112)?.short ?? 1;
  return {
    place: placeOf(gps),
    takenAt: timeOf(exif?.get(0x9003)?.text),
    offsetMinutes: minutesOf(exif?.get(0x9011)?.text),
    fixedAt: fixedAtOf(gps),
    heading: heading !== undefined && heading >= 0 && heading <= 360 ? Math.round(heading * 10) / 10 : null,
    isMagnetic: gps?.get(16)?.text === 'M',
    camera: cameraOf(first?.get(0x010f)?.text ?? '', first?.get(0x0110)?.text ?? ''),
    orientation: turn >= 1 && turn <= 8 ? turn : 1,
  };
}

const exifMark = Buffer.from('Exif\0\0');
const mostBlockBytes = 0xffff;

/** The TIFF in the photo; empty if there is none. */
function exifBlock(bytes: Buffer, kind: PhotoKind): Buffer {
  if (kind === 'jpeg') {
    for (const { marker, content } of jpegSegments(bytes))
      if (marker === 0xe1 && content.subarray(0, exifMark.length).equals(exifMark))
        return content.subarray(exifMark.length);
  }
  // A HEIC keeps the same block in an item of its own; no PNG of a camera has one.
  if (kind === 'heic') {
    for (const order of ['II*\0', 'MM\0*']) {
      const at = bytes.indexOf(Buffer.concat([exifMark, Buffer.from(order)]));
      if (at >= 0) return bytes.subarray(at + exifMark.length, at + mostBlockBytes);
    }
  }
  return Buffer.alloc(0);
}

/** An entry of a directory, read in the ways that the wanted tags have. */
interface Entry {
  /** To another directory. */
  readonly pointer: number;
  readonly short: number;
  readonly text: string;
  readonly rationals: readonly number[];
}

type Directory = ReadonlyMap<number, Entry>;

interface Tiff {
  /** Offset of the first directory. */
  readonly start: number;
  /** Empty where none lies at this offset. */
  directory(offset: number): Directory;
}

const entryBytes = 12;
/** Longer than any wanted text, and more than the parts of an angle. */
const mostText = 32;
const mostRationals = 3;

/** Null: the bytes are no TIFF. */
function openTiff(bytes: Buffer): Tiff | null {
  const order = bytes.toString('latin1', 0, 4);
  if (order !== 'II*\0' && order !== 'MM\0*') return null;
  const isLittle = order.startsWith('I');
  // Beyond the end everything is 0.
  const number = (at: number, size: 2 | 4): number => {
    if (at + size > bytes.length) return 0;
    return isLittle ? bytes.readUIntLE(at, size) : bytes.readUIntBE(at, size);
  };
  const entryAt = (at: number): Entry => {
    const [type, count, value] = [number(at + 2, 2), number(at + 4, 4), number(at + 8, 4)];
    const textAt = count <= 4 ? at + 8 : value;
    const length = type === 2 ? Math.min(count, mostText) : 0;
    const rationals = type === 5 ? Math.min(count, mostRationals) : 0;
    return {
      pointer: value,
      short: number(at + 8, 2),
      text: bytes.toString('latin1', textAt, textAt + length).replace(/\0.*$/s, ''),
      rationals: Array.from({ length: rationals }, (_, n) => number(value + 8 * n, 4) / number(value + 8 * n + 4, 4)),
    };
  };
  const directory = (offset: number): Directory => {
    const room = Math.max(0, Math.floor((bytes.length - offset - 2) / entryBytes));
    const length = offset < 8 ? 0 : Math.min(number(offset, 2), room);
    const places = Array.from({ length }, (_, n) => offset + 2 + n * entryBytes);
    return new Map(places.map((at) => [number(at, 2), entryAt(at)]));
  };
  return { start: number(4, 4), directory };
}

/** Degrees, minutes and seconds; null for anything else. */
function degreesOf(entry: Entry | undefined, limit: number): number | null {
  const [degrees, minutes = 0, seconds = 0] = entry?.rationals ?? [];
  const sum = (degrees ?? Number.NaN) + minutes / 60 + seconds / 3600;
  return sum <= limit ? sum : null;
}

function placeOf(gps: Directory | undefined): PhotoFacts['place'] {
  const [north, latitude] = [gps?.get(1)?.text ?? '', degreesOf(gps?.get(2), 90)];
  const [east, longitude] = [gps?.get(3)?.text ?? '', degreesOf(gps?.get(4), 180)];
  if (latitude === null || longitude === null || !/^[NS]$/.test(north) || !/^[EW]$/.test(east)) return null;
  // V: the receiver had no fix. Some cameras then write zeros.
  if (gps?.get(9)?.text === 'V' || (latitude === 0 && longitude === 0)) return null;
  return { longitude: east === 'W' ? -longitude : longitude, latitude: north === 'S' ? -latitude : latitude };
}

function timeOf(text: string | undefined): string | null {
  const [, year, month, day, time] = /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)$/.exec(text ?? '') ?? [];
  const taken = `${year}-${month}-${day}T${time}`;
  return time !== undefined && !Number.isNaN(Date.parse(`${taken}Z`)) ? taken : null;
}

/** `-05:00` → -300 */
function minutesOf(text: string | undefined): number | null {
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(text ?? '') ?? [];
  if (sign === undefined || Number(hours) > 14 || Number(minutes) > 59) return null;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

function fixedAtOf(gps: Directory | undefined): string | null {
  const [hours = Number.NaN, minutes = 0, seconds = 0] = gps?.get(7)?.rationals ?? [];
  const day = Date.parse(`${(gps?.get(29)?.text ?? '').replaceAll(':', '-')}T00:00:00Z`);
  const at = day + ((hours * 60 + minutes) * 60 + seconds) * 1000;
  return Number.isFinite(at) && hours < 24 && gps?.get(9)?.text !== 'V' ? new Date(at).toISOString() : null;
}

/** The maker's name once. Control characters are no name. */
function cameraOf(make: string, model: string): string | null {
  const [maker, name] = [make, model].map((text) => text.replace(/[^ -~]/g, ' ').trim()) as [string, string];
  const [first = ''] = maker.split(' ');
  const isTold = first !== '' && name.toLowerCase().startsWith(first.toLowerCase());
  return [isTold ? '' : maker, name].filter((part) => part !== '').join(' ') || null;
}
