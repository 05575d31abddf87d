/** What is kept of a photo when it is added: sizes, place, bounds, date, the stretch of its values, its frame. */
import path from 'node:path';
import { findFrame } from './frame.ts';
import { dateIn, type OpenPhoto } from './open-photo.ts';
import type { Frame, PhotoLevel, PhotoPlace } from './photo.ts';
import { PhotoGround } from './photo-ground.ts';
import { placeOf } from './photo-place.ts';
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
export async function lookAtPhoto(
  filePath: string,
  photo: OpenPhoto,
  crs: string | undefined,
  known: PhotoPlace | null,
): Promise<LookedPhoto> {
  const [tags] = photo.tiff.all;
  const place = known ?? placeOf(filePath, tags ?? null, crs);
  const { width, height, levels } = photo;
  const base = levels.at(-1) as PhotoLevel;
  const firstLevel = firstStored(photo);
  return {
    ...{ width, height, place, firstLevel },
    base: { width: base.width, height: base.height },
    steps: stepCount(base.width, base.height, firstLevel),
    frame: await frameOf(levels, photo.finest.layout.compression === 7 ? 12 : 2),
    flown: dateIn(path.basename(filePath)) ?? photo.date,
    bounds: new PhotoGround(place, width, height, filePath).bounds(),
  };
}

/** A level of so many pixels is looked at whole in a moment. */
const mostLookedPixels = 4096 * 4096;

const frameOf = (levels: readonly PhotoLevel[], margin: number): Promise<Frame | null> => {
  const level = levels.find(({ width, height }) => width * height <= mostLookedPixels) ?? (levels.at(-1) as PhotoLevel);
  return findFrame(level, margin);
};
