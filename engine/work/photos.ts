/** Photos: the original is kept in the home, and belongs to the parcel where it was taken. */
import fs from 'node:fs';
import path from 'node:path';
import Type from 'typebox';
import type { Engine } from '../engine.ts';
import { type PhotoFacts, readPhotoFacts } from '../photos/photo-exif.ts';
import { forgetPhotoFiles, keepPhotoFile } from '../photos/photo-files.ts';
import { photoFormats, tellPhoto } from '../photos/photo-format.ts';
import { fileStatus } from '../plain-file.ts';
import { findPhoto, type Photo } from '../query/field-marks.ts';
import { parcelsAt } from '../query/parcels-at.ts';
import { EngineError, validationError } from '../spec/errors.ts';
import { mostPhotoBytes, mostPhotos } from '../spec/field-limits.ts';
import { latitudeSchema, longitudeSchema, strict, textSchema, type ValueOf } from '../spec/value-schemas.ts';
import { type ChangeContext, defineChange, writeJournaled } from './change.ts';
import { idSchema, parcelWords, requireParcels } from './chosen-parcels.ts';
import { photoSchema } from './field-schemas.ts';
import { tellLocal } from './tell-local.ts';
import { keptDegrees } from './waypoints.ts';

export const photoFileFields = {
  path: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 4096,
      description: 'Path of a file on this computer; or `bytes` with `name`.',
    }),
  ),
  bytes: Type.Optional(Type.String({ 'x-expected': 'the file in base64', description: 'The file in base64.' })),
  name: Type.Optional(textSchema()),
};

const input = Type.Object(
  {
    ...photoFileFields,
    property_id: Type.Optional(idSchema),
    longitude: Type.Optional(longitudeSchema),
    latitude: Type.Optional(latitudeSchema),
  },
  strict,
);
type Input = ValueOf<typeof input>;

const megabytes = mostPhotoBytes / 2 ** 20;

interface ChosenFile {
  readonly name: string;
  readonly bytes: Buffer;
}

const refused = (name: string, why: string): EngineError =>
  validationError({ photo: [`${name} cannot be kept: ${why}`] });

const tooLarge = (name: string): EngineError => refused(name, `a photo may have at most ${megabytes} MB`);

/** @throws EngineError validation_error, file_missing */
function chosenFile({ path: file, bytes: text, name }: Pick<Input, 'path' | 'bytes' | 'name'>): ChosenFile {
  if ((file === undefined) === (text === undefined) || (text !== undefined && name === undefined))
    throw validationError({ non_field_errors: ['expected either path, or bytes with name'] });
  if (file !== undefined) return readChosen(file);
  const given = path.basename(name as string);
  const encoded = text as string;
  if (encoded.length > (mostPhotoBytes * 4) / 3 + 4) throw tooLarge(given);
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(encoded)) throw validationError({ bytes: ['expected the file in base64'] });
  return { name: given, bytes: Buffer.from(encoded, 'base64') };
}

function readChosen(file: string): ChosenFile {
  const name = path.basename(file);
  if (!path.isAbsolute(file)) throw validationError({ path: ['expected the whole path of a file on this computer'] });
  try {
    if (fileStatus(file).size > mostPhotoBytes) throw tooLarge(name);
    return { name, bytes: fs.readFileSync(file) };
  } catch (error) {
    if (error instanceof EngineError) throw error;
    throw new EngineError('file_missing', `${name} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

type Place = Pick<NewPhoto, 'longitude' | 'latitude' | 'place_from' | 'property_id'>;

/** The place in the photo, else the given one. @throws EngineError validation_error with `place` if there is neither, nor a parcel */
function placeOf({ land }: Engine, given: Input, name: string, facts: PhotoFacts): Place {
  const { longitude, latitude, property_id: id } = given;
  if ((longitude === undefined) !== (latitude === undefined))
    throw validationError({ non_field_errors: ['expected longitude and latitude, or neither'] });
  if (id !== undefined) requireParcels({ land }, [id]);
  const place = facts.place ?? (longitude === undefined || latitude === undefined ? null : { longitude, latitude });
  if (!place && id === undefined)
    throw validationError({ place: [`${name} does not say where it was taken; expected property_id or a place`] });
  if (!place) return { longitude: null, latitude: null, place_from: null, property_id: id ?? null };
  return {
    longitude: keptDegrees(place.longitude),
    latitude: keptDegrees(place.latitude),
    place_from: facts.place ? 'photo' : 'given',
    property_id: id ?? parcelsAt(land, place.longitude, place.latitude)[0] ?? null,
  };
}

/** @throws EngineError not_found */
function getPhoto({ engine }: ChangeContext, id: number): Photo {
  const found = findPhoto(engine, id);
  if (!found) throw new EngineError('not_found', `There is no photo ${id}: it may have been deleted.`);
  return found;
}

const onParcel = (engine: Engine, id: number | null): string => (id === null ? '' : ` on ${parcelWords(engine, [id])}`);

export const addPhoto = defineChange({
  isJournaled: true,
  name: 'add_photo',
  docs: `Keeps a photo (JPEG, HEIC or PNG, at most ${megabytes} MB) in photos/ of the home, on the parcel where it was taken: by the place written in it, else the given one. Without a place it needs \`property_id\`; a refusal then names \`place\`.`,
  input,
  output: photoSchema,
  run: (given, engine) => tellLocal(async () => keepPhoto(given, engine)),
});

/** A photo by its bytes. @throws EngineError validation_error, file_missing */
export function readChosenPhoto(given: Pick<Input, 'path' | 'bytes' | 'name'>) {
  const { name, bytes } = chosenFile(given);
  if (bytes.length > mostPhotoBytes) throw tooLarge(name);
  const told = tellPhoto(bytes);
  if ('problem' in told) throw refused(name, told.problem);
  return { name, bytes, facts: readPhotoFacts(bytes, told.kind), ...photoFormats[told.kind] };
}

function keepPhoto(given: Input, engine: Engine) {
  const { name, bytes, facts, mediaType, ending } = readChosenPhoto(given);
  const place = placeOf(engine, given, name, facts);
  const { bytes: _bytes, ...noted } = given;
  const done = writeJournaled(engine, 'add_photo', noted, (context) => {
    const { account, home } = engine;
    requireRoom(context, name);
    const file = keepPhotoFile(home, account, { bytes, ending, at: context.at });
    const id = insertPhoto(context, { ...place, name, file, media_type: mediaType, bytes: bytes.length }, facts);
    return { data: getPhoto(context, id), sentence: `Added the photo ${name}${onParcel(engine, place.property_id)}` };
  });
  forgetPhotoFiles(engine.home, engine.account);
  return done;
}

/** @throws EngineError validation_error if the home has as many photos as it may */
export function requireRoom({ engine }: ChangeContext, name: string): void {
  if ((engine.account.file.column<number>('SELECT count(*) FROM photos')[0] as number) >= mostPhotos)
    throw refused(name, `there are ${mostPhotos.toLocaleString('en-US')} photos: delete some first`);
}

/** A kept file with its place, as the row of a photo. */
export interface NewPhoto
  extends Pick<Photo, 'longitude' | 'latitude' | 'property_id' | 'name' | 'media_type' | 'bytes'> {
  readonly file: string;
  readonly place_from: 'photo' | 'given' | null;
  readonly track_id?: number;
  readonly place_error_m?: number;
  readonly taken_utc?: string | null;
}

/** @returns its photo_id */
export function insertPhoto({ engine, at }: ChangeContext, photo: NewPhoto, facts: PhotoFacts): number {
  const row = {
    taken_utc: utcOf(facts),
    ...photo,
    name: photo.name.slice(0, 200),
    heading: facts.heading,
    heading_is_magnetic: facts.heading === null ? null : Number(facts.isMagnetic),
    camera: facts.camera,
    taken_at: facts.takenAt,
    added_at: at,
  };
  const names = Object.keys(row);
  const sql = `INSERT INTO photos (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
  return Number(engine.account.file.run(sql, ...Object.values(row)).lastInsertRowid);
}

/** By the zone that the camera wrote; null without it. */
export const utcOf = ({ takenAt, offsetMinutes }: PhotoFacts): string | null =>
  takenAt === null || offsetMinutes === null
    ? null
    : new Date(Date.parse(`${takenAt}Z`) - offsetMinutes * 60_000).toISOString();

export const captionPhoto = defineChange({
  name: 'caption_photo',
  docs: 'Writes what a photo shows; an empty text removes it.',
  input: Type.Object(
    { photo_id: idSchema, caption: Type.String({ maxLength: 200, 'x-expected': 'a text of at most 200 characters' }) },
    strict,
  ),
  output: photoSchema,
  write: ({ photo_id: id, caption }, context) => {
    getPhoto(context, id);
    const text = caption.trim() || null;
    context.engine.account.file.run('UPDATE photos SET caption = ? WHERE photo_id = ?', text, id);
    const data = getPhoto(context, id);
    return { data, sentence: text === null ? `Took the words off ${data.name}` : `Wrote “${text}” on ${data.name}` };
  },
});

export const deletePhoto = defineChange({
  isJournaled: true,
  name: 'delete_photo',
  docs: 'Deletes a photo. Its original goes once no undo can bring it back.',
  input: Type.Object({ photo_id: idSchema }, strict),
  output: Type.Null(),
  run: (given, engine) => {
    const done = writeJournaled(engine, 'delete_photo', given, (context) => {
      const { name, property_id: id } = getPhoto(context, given.photo_id);
      engine.account.file.run('DELETE FROM photos WHERE photo_id = ?', given.photo_id);
      return { data: null, sentence: `Deleted the photo ${name}${onParcel(engine, id)}` };
    });
    forgetPhotoFiles(engine.home, engine.account);
    return done;
  },
});
