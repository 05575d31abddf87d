/** The chosen photos of a shared page, small enough for all of them to fit. */
import { readPhotoFile } from '../photos/photo-files.ts';
import { tellPhoto } from '../photos/photo-format.ts';
import { type SmallPhoto, smallPhoto } from '../photos/small-photo.ts';
import { counted } from '../spec/counted.ts';
import { EngineError, validationError } from '../spec/errors.ts';
import type { ShareChoice, ShareHome } from './share-choice.ts';
import type { ShareContent } from './share-content.ts';

export interface ShownPhoto extends SmallPhoto {
  readonly id: number;
  /** Of the photo, and of its parcel. */
  readonly number: number;
  readonly parcel: number;
  readonly apn: string;
  /** ISO day; null: unknown. */
  readonly day: string | null;
}

/** Bytes of all photos, as text: with ground and facts the file stays below 5 MB. */
export const mostPhotoBytes = 2_800_000;
const textBytes = ({ bytes }: SmallPhoto): number => Math.ceil(bytes.length / 3) * 4;
/** Tried one after another, until the photos fit. */
const sizes = [
  { side: 1280, quality: 72 },
  { side: 960, quality: 64 },
  { side: 640, quality: 56 },
] as const;
type Size = (typeof sizes)[number];

/** Those that cannot be decoded or do not fit are left out and counted. @throws EngineError validation_error for an unknown one */
export async function shownPhotos(
  engine: ShareHome,
  { photos, parcels }: ShareContent,
  { photos: wanted = [] }: ShareChoice,
): Promise<{ readonly shown: readonly ShownPhoto[]; readonly notes: readonly string[] }> {
  const chosen = photos.filter(({ photo_id: id }) => wanted === 'all' || wanted.includes(id));
  const unknown = wanted === 'all' ? [] : wanted.filter((id) => !photos.some((photo) => photo.photo_id === id));
  if (unknown.length > 0)
    throw validationError({ photos: [`these parcels have no photo ${unknown.slice(0, 3).join(', ')}`] });
  if (chosen.length === 0) return { shown: [], notes: [] };
  const { made, left } = await fitting(
    engine,
    chosen.map(({ photo_id: id }) => id),
  );
  const shown = chosen
    .flatMap((photo) => {
      const small = made.get(photo.photo_id);
      return small ? [{ photo, small }] : [];
    })
    .map(({ photo: { photo_id: id, number: parcel, taken_at: taken }, small }, at) => ({
      ...{ ...small, id, parcel, number: at + 1, day: taken?.slice(0, 10) ?? null },
      apn: parcels[parcel - 1]?.apn ?? '',
    }));
  const failed = chosen.length - shown.length - left;
  const notes = [
    ...(failed > 0 ? [`${counted(failed, 'photo', 'photos')} left out: HEIC or damaged. Add it again as JPEG.`] : []),
    ...(left > 0 ? [`${counted(left, 'photo', 'photos')} left out: too much for one file.`] : []),
  ];
  return { shown, notes };
}

/** In the largest size in which all fit; in the smallest as many as fit. */
async function fitting(engine: ShareHome, ids: readonly number[]) {
  let found = { made: new Map<number, SmallPhoto>(), left: 0 };
  for (const size of sizes) {
    found = await inSize(engine, ids, size);
    if (found.left === 0) break;
  }
  return found;
}

/** @returns those that fit, and how many are left when the room is used up */
async function inSize(engine: ShareHome, ids: readonly number[], size: Size) {
  const made = new Map<number, SmallPhoto>();
  let bytes = 0;
  for (const [at, id] of ids.entries()) {
    const small = await smallOf(engine, id, size);
    if (!small) continue;
    bytes += textBytes(small);
    if (bytes > mostPhotoBytes) return { made, left: ids.length - at };
    made.set(id, small);
  }
  return { made, left: 0 };
}

/** Null: it is gone, or no JPEG or PNG that can be decoded. */
async function smallOf(engine: ShareHome, id: number, size: Size) {
  const bytes = originalOf(engine, id);
  const told = bytes && tellPhoto(bytes);
  if (!bytes || !told || 'problem' in told || told.kind === 'heic') return null;
  return smallPhoto(bytes, size);
}

function originalOf({ home, account }: ShareHome, id: number): Buffer | null {
  try {
    return readPhotoFile(home, account, id).bytes;
  } catch (error) {
    if (error instanceof EngineError) return null;
    throw error;
  }
}
