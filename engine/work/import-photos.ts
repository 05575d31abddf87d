/**
 * Many photos at once: each is first kept by itself (`stage_photo`), so that a window shows progress and a large folder needs the
 * memory of one photo; then all of them get their places by one change, with one undo.
 */
import fs from 'node:fs';
import path from 'node:path';
import Type from 'typebox';
import type { Engine } from '../engine.ts';
import type { PhotoFacts } from '../photos/photo-exif.ts';
import { forgetPhotoFiles, keepPhotoFile, photoFileForm, photoFilePath } from '../photos/photo-files.ts';
import { parcelsAt } from '../query/parcels-at.ts';
import { counted } from '../spec/counted.ts';
import { EngineError, validationError } from '../spec/errors.ts';
import { mostPhotoBytes, mostPhotos } from '../spec/field-limits.ts';
import {
  count,
  latitudeSchema,
  longitudeSchema,
  oneOf,
  orNull,
  strict,
  textSchema,
  type ValueOf,
} from '../spec/value-schemas.ts';
import { type CameraClock, type ClockFound, clockOf, type TimedPhoto, unnamedCamera } from './camera-clocks.ts';
import { type ChangeContext, defineChange, writeJournaled } from './change.ts';
import { idSchema, requireParcels } from './chosen-parcels.ts';
import { insertPhoto, type NewPhoto, photoFileFields, readChosenPhoto, requireRoom, utcOf } from './photos.ts';
import { tellLocal } from './tell-local.ts';
import { longestGapSeconds, placeAt, readTimedTracks, type TimedTrack, type Unplaced } from './timed-tracks.ts';
import { keptDegrees } from './waypoints.ts';

const stagedHours = 24;
/** More are counted, not listed. */
const listedNames = 20;

const kept = Type.String({ pattern: photoFileForm.source, 'x-expected': 'the `file` that stage_photo answered' });

export const stagePhoto = defineChange({
  name: 'stage_photo',
  docs: `Keeps the original of a photo (JPEG, HEIC or PNG, at most ${mostPhotoBytes / 2 ** 20} MB) without a place, for plan_photos and import_photos within ${stagedHours} hours. The given file stays as it is.`,
  input: Type.Object(photoFileFields, strict),
  output: Type.Object({ file: Type.String(), name: Type.String(), is_here: Type.Boolean() }, strict),
  run: (given, engine) =>
    tellLocal(async () => {
      const { name, bytes, facts, mediaType, ending } = readChosenPhoto(given);
      const { account, home, now } = engine;
      const at = now();
      return account.file.transaction(() => {
        const before = new Date(at.getTime() - stagedHours * 3_600_000).toISOString();
        account.file.run('DELETE FROM staged_photos WHERE staged_at < ?', before);
        const file = keepPhotoFile(home, account, { bytes, ending, at: at.toISOString() });
        account.file.run(
          `INSERT INTO staged_photos (file, name, media_type, bytes, facts, staged_at) VALUES (?, ?, ?, ?, ?, ?)
           ON CONFLICT DO UPDATE SET name = excluded.name, staged_at = excluded.staged_at`,
          ...[file, name.slice(0, 200), mediaType, bytes.length, JSON.stringify(facts), at.toISOString()],
        );
        const isHere = account.file.get('SELECT 1 FROM photos WHERE file = ?', file) !== undefined;
        return { data: { file, name, is_here: isHere } };
      });
    }),
});

const seconds = Type.Number({ minimum: -4e9, maximum: 4e9, 'x-expected': 'seconds, negative west of Greenwich' });

export const placingFields = {
  photos: Type.Array(kept, { minItems: 1, maxItems: mostPhotos, 'x-expected': `a list of 1 to ${mostPhotos} files` }),
  clocks: Type.Optional(
    Type.Array(Type.Object({ camera: Type.Optional(textSchema()), seconds }, strict), {
      description: 'What each camera’s clock shows less UTC; without `camera` for all.',
    }),
  ),
  known: Type.Optional(
    Type.Array(
      Type.Object(
        {
          photo: textSchema(),
          at: Type.Optional(Type.String({ format: 'date-time', 'x-expected': 'a date and time with its zone' })),
          longitude: Type.Optional(longitudeSchema),
          latitude: Type.Optional(latitudeSchema),
        },
        strict,
      ),
      { description: 'Photos of which the right time (a photo of a clock) or the place is known, by file or name.' },
    ),
  ),
  tracks: Type.Optional(Type.Array(idSchema, { description: 'Only these; without it, all.' })),
};

export const placingInput = Type.Object(placingFields, strict);
type Asked = ValueOf<typeof placingInput>;

const named = { count: count(), names: Type.Array(Type.String(), { description: `The first ${listedNames}.` }) };
const reasons = ['here', 'no time', 'outside', 'gap', 'ambiguous', 'clock'] as const;

export const planSchema = Type.Object(
  {
    by_time: count('Placed on a track by their time.'),
    own_place: count('Their place is written in them.'),
    farthest_error_m: count('The largest of what places by time may be off.'),
    clocks: Type.Array(
      Type.Object(
        {
          camera: Type.String(),
          photos: count(),
          seconds: Type.Integer(),
          from: oneOf(['given', 'clock', 'satellites', 'places']),
        },
        strict,
      ),
    ),
    asked: Type.Array(
      Type.Object(
        {
          camera: Type.String(),
          why: oneOf(['nothing', 'several', 'still', 'contradiction']),
          last_seconds: orNull(Type.Integer(), { description: 'What this camera’s clock was off last time.' }),
          first_at: Type.String({ description: 'By the camera’s clock.' }),
          last_at: Type.String(),
          ...named,
        },
        strict,
      ),
      { description: 'Cameras whose clock nothing tells.' },
    ),
    left: Type.Array(Type.Object({ why: oneOf(reasons), words: Type.String(), ...named }, strict)),
  },
  strict,
);
type Plan = ValueOf<typeof planSchema>;
type Reason = (typeof reasons)[number];

const words: Readonly<Record<Reason, string>> = {
  here: 'are here already',
  'no time': 'hold no time: a HEIC or PNG that lost it, or a picture that was sent',
  outside: 'were taken while no track was recorded',
  gap: `were taken where the track has a gap of more than ${longestGapSeconds} seconds`,
  ambiguous: 'fit two tracks at different places: name the track',
  clock: 'wait for their camera’s clock',
};

interface Staged extends TimedPhoto {
  readonly mediaType: string;
  readonly bytes: number;
}

/** @throws EngineError validation_error for one that is not staged */
function readStaged({ account }: Pick<Engine, 'account'>, files: readonly string[]): Staged[] {
  type Row = { file: string; name: string; media_type: string; bytes: number; facts: string };
  const rows = account.file.all<Row>(
    'SELECT s.* FROM json_each(?) e JOIN staged_photos s ON s.file = e.value ORDER BY e.key',
    JSON.stringify([...new Set(files)]),
  );
  const missing = files.filter((file) => !rows.some((row) => row.file === file));
  if (missing.length > 0)
    throw validationError({
      photos: [`expected files that were staged in the last ${stagedHours} hours, found ${missing[0]}`],
    });
  return rows.map(({ file, name, media_type: mediaType, bytes, facts }) => ({
    ...{ file, name, mediaType, bytes },
    facts: JSON.parse(facts) as PhotoFacts,
  }));
}

type Outcome =
  | { readonly why: Reason }
  | Pick<NewPhoto, 'longitude' | 'latitude' | 'place_from' | 'track_id' | 'place_error_m' | 'taken_utc'>;

export interface PhotoPlan {
  readonly plan: Plan;
  readonly outcomes: readonly (readonly [Staged, Outcome])[];
}

/** Where each photo goes, and what must be asked. Writes nothing. */
export function planPhotos(engine: Pick<Engine, 'account'>, asked: Asked): PhotoPlan {
  const { file } = engine.account;
  const photos = readStaged(engine, asked.photos);
  const here = new Set(
    file.column<string>(
      'SELECT file FROM photos WHERE file IN (SELECT value FROM json_each(?))',
      JSON.stringify(asked.photos),
    ),
  );
  requireKnown(asked, photos);
  const cameraOf = ({ facts }: TimedPhoto) => facts.camera ?? unnamedCamera;
  const given = new Map((asked.clocks ?? []).map(({ camera, seconds: one }) => [camera ?? null, one]));
  let all: readonly TimedTrack[] | null = null;
  const tracksAt = () => {
    all ??= readTimedTracks(file, null, asked.tracks);
    return all;
  };
  const groups = Map.groupBy(photos, cameraOf);
  const clocks = new Map(
    [...groups].map(([camera, own]) => [camera, clockOf(camera, own, { given, known: asked.known ?? [], tracksAt })]),
  );
  const times = new Map(
    photos.map((photo) => [photo, utcTimeOf(photo, clocks.get(cameraOf(photo)) as ClockFound, given.size > 0)]),
  );
  const known = [...times.values()].flatMap((time) => (time ? [time.ms] : []));
  const span = [Math.min(...known), Math.max(...known)] as const;
  const tracks = known.length === 0 ? [] : readTimedTracks(file, span, asked.tracks);
  const outcomes = photos.map((photo) => {
    if (here.has(photo.file)) return [photo, { why: 'here' }] as const;
    return [photo, outcomeOf(photo, times.get(photo) ?? null, tracks)] as const;
  });
  return { outcomes, plan: planOf(file, groups, clocks, outcomes) };
}

function requireKnown({ known = [] }: Asked, photos: readonly TimedPhoto[]): void {
  for (const { photo, at, longitude, latitude } of known) {
    const meant = photos.filter(({ file, name }) => file === photo || name === photo);
    if (meant.length !== 1)
      throw validationError({
        known: [
          meant.length === 0
            ? `there is no ${JSON.stringify(photo)} among the photos`
            : `${meant.length} photos are called ${JSON.stringify(photo)}: bring the folders in one by one`,
        ],
      });
    if (at === undefined && (longitude === undefined || latitude === undefined))
      throw validationError({ known: [`${photo}: expected its time \`at\`, or its longitude and latitude`] });
  }
}

interface UtcTime {
  readonly ms: number;
  /** Seconds. */
  readonly error: number;
}

/** A zone that the camera wrote counts, unless the user gives a clock. */
function utcTimeOf({ facts }: TimedPhoto, clock: ClockFound, isGiven: boolean): UtcTime | null {
  if (facts.takenAt === null) return null;
  const isTold = 'seconds' in clock && (clock.from !== 'places' || facts.offsetMinutes === null);
  if (isTold && ((clock.from === 'given' && isGiven) || clock.from === 'clock' || facts.offsetMinutes === null))
    return { ms: Date.parse(`${facts.takenAt}Z`) - clock.seconds * 1000, error: clock.error };
  const own = utcOf(facts);
  return own === null ? null : { ms: Date.parse(own), error: 2 };
}

function outcomeOf({ facts }: Staged, time: UtcTime | null, tracks: readonly TimedTrack[]): Outcome {
  const utc = time === null ? null : new Date(time.ms).toISOString();
  if (facts.place) {
    const { longitude, latitude } = facts.place;
    return { longitude: keptDegrees(longitude), latitude: keptDegrees(latitude), place_from: 'photo', taken_utc: utc };
  }
  if (facts.takenAt === null) return { why: 'no time' };
  if (time === null) return { why: 'clock' };
  const placed = placeAt(tracks, time.ms, time.error);
  if ('why' in placed) return { why: placed.why satisfies Unplaced };
  return {
    longitude: keptDegrees(placed.longitude),
    latitude: keptDegrees(placed.latitude),
    place_from: 'given',
    track_id: placed.track.id,
    place_error_m: placed.error,
    taken_utc: utc,
  };
}

function planOf(
  file: Engine['account']['file'],
  groups: ReadonlyMap<string, readonly Staged[]>,
  clocks: ReadonlyMap<string, ClockFound>,
  outcomes: PhotoPlan['outcomes'],
): Plan {
  const placed = outcomes.flatMap(([, outcome]) => ('why' in outcome ? [] : [outcome]));
  const byTime = placed.filter(({ track_id: id }) => id !== undefined);
  const leftBy = (why: Reason) => outcomes.flatMap(([photo, one]) => ('why' in one && one.why === why ? [photo] : []));
  const waiting = new Set(leftBy('clock'));
  const listed = (photos: readonly Staged[]) => ({
    count: photos.length,
    names: photos.slice(0, listedNames).map(({ name }) => name),
  });
  return {
    by_time: byTime.length,
    own_place: placed.length - byTime.length,
    farthest_error_m: Math.max(0, ...byTime.map(({ place_error_m: meters }) => meters ?? 0)),
    clocks: [...clocks].flatMap(([camera, clock]) => {
      if (!('seconds' in clock)) return [];
      const { seconds: off, from } = clock as CameraClock;
      return [{ camera, photos: groups.get(camera)?.length ?? 0, seconds: Math.round(off), from }];
    }),
    asked: [...groups].flatMap(([camera, photos]) => {
      const own = photos.filter((photo) => waiting.has(photo));
      const clock = clocks.get(camera);
      if (own.length === 0 || !clock || 'seconds' in clock) return [];
      const times = own.map(({ facts }) => facts.takenAt as string).toSorted();
      return [
        {
          ...{ camera, why: clock.open, last_seconds: lastSeconds(file, camera) },
          ...{ first_at: times[0] as string, last_at: times.at(-1) as string, ...listed(own) },
        },
      ];
    }),
    left: reasons.flatMap((why) => {
      const photos = leftBy(why);
      return photos.length === 0 ? [] : [{ why, words: words[why], ...listed(photos) }];
    }),
  };
}

/** A camera that was here before: what its clock was off then. */
function lastSeconds(file: Engine['account']['file'], camera: string): number | null {
  const last = file.get<{ taken_at: string; taken_utc: string }>(
    `SELECT taken_at, taken_utc FROM photos WHERE camera IS ? AND taken_at IS NOT NULL AND taken_utc IS NOT NULL
     ORDER BY photo_id DESC LIMIT 1`,
    camera === unnamedCamera ? null : camera,
  );
  return last ? Math.round((Date.parse(`${last.taken_at}Z`) - Date.parse(last.taken_utc)) / 1000) : null;
}

export const importPhotos = defineChange({
  isJournaled: true,
  name: 'import_photos',
  docs: 'Adds staged photos: at the place written in them, else where a track was at their time, as plan_photos says. What has neither stays out, and is counted, unless `property_id` names the parcel for it. One undo for all; no original is changed.',
  input: Type.Object({ ...placingFields, property_id: Type.Optional(idSchema) }, strict),
  output: Type.Object({ ...planSchema.properties, added: count(), on_parcel: count() }, strict),
  run: ({ property_id: parcel, ...asked }, engine) =>
    tellLocal(async () => {
      if (parcel !== undefined) requireParcels(engine, [parcel]);
      const noted = { ...asked, photos: asked.photos.length };
      const done = writeJournaled(engine, 'import_photos', noted, (context) => addAll(context, asked, parcel ?? null));
      engine.account.file.run('DELETE FROM staged_photos WHERE file IN (SELECT file FROM photos)');
      forgetPhotoFiles(engine.home, engine.account);
      return done;
    }),
});

function addAll(context: ChangeContext, asked: Asked, parcel: number | null) {
  const { engine } = context;
  const { plan, outcomes } = planPhotos(engine, asked);
  let [added, onParcel] = [0, 0];
  for (const [{ file, name, mediaType, bytes, facts }, outcome] of outcomes) {
    const base = { file, name, media_type: mediaType, bytes };
    if ('why' in outcome && (parcel === null || outcome.why === 'here')) continue;
    requireRoom(context, name);
    if (photoFilePath(engine.home, file) === null)
      throw validationError({ photos: [`the original of ${name} is gone from the home: choose it again`] });
    if ('why' in outcome) {
      insertPhoto(context, { ...base, longitude: null, latitude: null, place_from: null, property_id: parcel }, facts);
      onParcel++;
    } else {
      const [lot = null] = parcelsAt(engine.land, outcome.longitude as number, outcome.latitude as number);
      insertPhoto(context, { ...base, ...outcome, property_id: lot }, facts);
    }
    added++;
  }
  const parts = [
    plan.by_time === 0 ? '' : `${counted(plan.by_time, 'photo', 'photos')} by time`,
    plan.own_place === 0 ? '' : `${counted(plan.own_place, 'photo', 'photos')} by their own place`,
    onParcel === 0 ? '' : `${counted(onParcel, 'photo', 'photos')} without a place`,
  ].filter((part) => part !== '');
  return { data: { ...plan, added, on_parcel: onParcel }, sentence: `Added ${parts.join(', ') || 'no photo'}` };
}

/** Names that photos have; their bytes decide. Macs put a `._` file beside each on other disks. */
const photoName = /^(?!\._).*\.(?:jpe?g|heic|heif|png)$/i;

/**
 * The photos of a folder and those below, in the order of their names; a file itself.
 * @throws EngineError file_missing; validation_error for more than one import takes
 */
export function photosIn(place: string): string[] {
  try {
    if (!fs.statSync(place).isDirectory()) return [place];
    const entries = fs.readdirSync(place, { recursive: true, withFileTypes: true });
    const photos = entries.filter((entry) => !entry.isDirectory() && photoName.test(entry.name));
    if (photos.length > mostPhotos)
      throw validationError({
        path: [`expected a folder of at most ${mostPhotos} photos, found ${photos.length}: bring them in by parts`],
      });
    return photos.map(({ parentPath, name }) => path.join(parentPath, name)).sort();
  } catch (error) {
    if (error instanceof EngineError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new EngineError('file_missing', `${place}: expected a photo or a folder, and it cannot be read (${code}).`);
  }
}
