/** What is kept of a photo when it is added: sizes, place, bounds, date, the stretch of its values, its frame. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { collarReader, findFrame } from './frame.ts';
import { dateIn, type OpenPhoto } from './open-photo.ts';
import type { Frame, PhotoLevel, PhotoPlace } from './photo.ts';
import { placeOf } from './photo-place.ts';
import { PhotoGround } from './photo-ground.ts';
import { firstStored, stepCount } from './pyramid-steps.ts';

export interface LookedPhoto {
  readonly width: number;
  readonly height: number;
  readonly place: PhotoPlace;
  readonly frame: Frame | null;
  readonly flown: string | null;
  readonly bounds: readonly [west: number, south: number, east: number, north: number];
  readonly base: { readonly width: number; readonly height: number };
  readonly firstLevel: 0 | 1;
  readonly steps: number;
}

/** @param known the place, where the user's own file is no TIFF */
export async function lookAtPhoto(filePath: string, photo: OpenPhoto, crs: string | undefined, known: PhotoPlace | null): Promise<LookedPhoto> {
  const [tags] = photo.tiff.all;
  const place = known ?? placeOf(filePath, tags ?? null, crs);
  const { width, height, levels } = photo;
  const base = levels.at(-1) as PhotoLevel;
  const firstLevel = firstStored(photo);
  return {
    ...{ width, height, place, firstLevel },
    base: { width: base.width, height: base.height },
    steps: stepCount(base.width, base.height, firstLevel),
    frame: await frameOf(levels),
    flown: dateIn(path.basename(filePath)) ?? photo.date,
    bounds: new PhotoGround(place, width, height, filePath).bounds(),
  };
}

/** A level of so many pixels is looked at whole in a moment. */
const mostLookedPixels = 4096 * 4096;

const frameOf = (levels: readonly PhotoLevel[]): Promise<Frame | null> => {
  const level = levels.find(({ width, height }) => width * height <= mostLookedPixels) ?? (levels.at(-1) as PhotoLevel);
  return findFrame(level, collarReader(level));
};

export interface FileMark {
  readonly bytes: number;
  readonly writtenMs: number;
  /** Of its head, its tail and its length. */
  readonly fingerprint: string;
}

const markBytes = 64 * 1024;

export function markOf(filePath: string): FileMark {
  const { size, mtimeMs } = fs.statSync(filePath);
  const hash = createHash('sha256').update(String(size));
  const descriptor = fs.openSync(filePath, 'r');
  try {
    for (const at of [0, Math.max(0, size - markBytes)]) {
      const bytes = Buffer.alloc(Math.min(size, markBytes));
      fs.readSync(descriptor, bytes, 0, bytes.length, at);
      hash.update(bytes);
    }
  } finally {
    fs.closeSync(descriptor);
  }
  return { bytes: size, writtenMs: mtimeMs, fingerprint: hash.digest('hex') };
}

const quarterHour = 15 * 60 * 1000;

/** Whether the file is the one that was added. Times on a stick move with the time zone, by quarters of an hour. */
export function isSameFile(filePath: string, { bytes, writtenMs, fingerprint }: FileMark): boolean {
  const found = fs.statSync(filePath, { throwIfNoEntry: false });
  if (!found?.isFile() || found.size !== bytes) return false;
  const away = Math.abs(found.mtimeMs - writtenMs);
  return away < 2500 || (away % quarterHour < 2500 && away < 57 * quarterHour) || markOf(filePath).fingerprint === fingerprint;
}
