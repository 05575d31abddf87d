/** Visits to land: the form's fields, which the user defines once, what was filled in, and the report that is printed. */
import fs from 'node:fs';
import path from 'node:path';
import Type from 'typebox';
import type { Engine } from '../engine.ts';
import { safeFileName } from '../exporting/export-shelf.ts';
import { placedWords } from '../exporting/mark-words.ts';
import { magneticDeclination } from '../geo/magnetic-declination.ts';
import { jobStatusSchema } from '../jobs/job-status.ts';
import { boxNear, type FieldMarks, fieldMarks, type Photo } from '../query/field-marks.ts';
import { parcelsAlong } from '../query/parcels-along.ts';
import { formatDate } from '../spec/date-words.ts';
import { EngineError, validationError } from '../spec/errors.ts';
import { strict, textSchema } from '../spec/value-schemas.ts';
import {
  mostReportPhotos,
  mostVisitFields,
  type Visit,
  type VisitReport,
  visitFields,
  visitSchema,
} from '../spec/visits.ts';
import { type ChangeContext, defineChange } from './change.ts';
import { idSchema, parcelWords, requireParcels } from './chosen-parcels.ts';
import { freePlace } from './made-file.ts';

type Stores = Pick<Engine, 'land' | 'account' | 'now'>;

export const visitFieldsOf = ({ account }: Pick<Engine, 'account'>): string[] =>
  account.file.column<string>('SELECT label FROM visit_fields ORDER BY position, field_id');

export const setVisitFields = defineChange({
  name: 'set_visit_fields',
  docs: 'The fields of the form of a visit, in their order, in place of those before. Visits that are kept stay as they were filled in.',
  input: Type.Object(
    {
      labels: Type.Array(textSchema(), {
        maxItems: mostVisitFields,
        'x-expected': `a list of at most ${mostVisitFields} texts`,
      }),
    },
    strict,
  ),
  output: Type.Object({ labels: Type.Array(Type.String()) }, strict),
  write: ({ labels: given }, { engine }) => {
    const labels = [...new Set(given.map((label) => label.trim()))];
    const { file } = engine.account;
    file.run('DELETE FROM visit_fields');
    for (const [at, label] of labels.entries())
      file.run('INSERT INTO visit_fields (label, position) VALUES (?, ?)', label, at + 1);
    return { data: { labels }, sentence: 'Changed the fields of visits' };
  },
});

export const keptVisitSchema = Type.Object(
  { visit_id: Type.Integer(), made_at: Type.String(), visit: visitSchema },
  strict,
);

export const keepVisit = defineChange({
  name: 'keep_visit',
  docs: 'Keeps a visit as it is filled in, or with `visit_id` changes it.',
  input: Type.Object({ visit_id: Type.Optional(idSchema), ...visitFields }, strict),
  output: keptVisitSchema,
  write: ({ visit_id: known, ...visit }, context) => {
    const { engine, at } = context;
    requireVisit(engine, visit);
    const { file } = engine.account;
    const [parcel, content] = [visit.parcels[0] as number, JSON.stringify(visit)];
    if (known !== undefined) getVisit(engine, known);
    if (known !== undefined)
      file.run(
        'UPDATE visits SET property_id = ?, day = ?, content = ? WHERE visit_id = ?',
        parcel,
        visit.day,
        content,
        known,
      );
    const id =
      known ??
      Number(
        file.run(
          'INSERT INTO visits (property_id, day, content, made_at) VALUES (?, ?, ?, ?)',
          parcel,
          visit.day,
          content,
          at,
        ).lastInsertRowid,
      );
    const sentence = `${known === undefined ? 'Kept' : 'Changed'} the visit to ${parcelWords(engine, visit.parcels)} of ${formatDate(visit.day)}`;
    return { data: getVisit(engine, id), sentence };
  },
});

export const deleteVisit = defineChange({
  name: 'delete_visit',
  docs: 'Deletes a visit; its photos and tracks stay.',
  input: Type.Object({ visit_id: idSchema }, strict),
  output: Type.Null(),
  write: ({ visit_id: id }, { engine }: ChangeContext) => {
    const { visit } = getVisit(engine, id);
    engine.account.file.run('DELETE FROM visits WHERE visit_id = ?', id);
    return {
      data: null,
      sentence: `Deleted the visit to ${parcelWords(engine, visit.parcels)} of ${formatDate(visit.day)}`,
    };
  },
});

type Row = { readonly visit_id: number; readonly made_at: string; readonly content: string };

/** Without the photos, tracks and notes that were deleted since. */
function visitOf({ account }: Pick<Engine, 'account'>, { content, ...row }: Row) {
  const visit = JSON.parse(content) as Visit;
  const standing = Object.entries(idFields).flatMap(([field, key]) => {
    const ids = visit[field as keyof typeof idFields];
    if (!ids) return [];
    const gone = new Set(missing(account, field, key, ids));
    return [[field, ids.filter((id) => !gone.has(id))]];
  });
  return { ...row, visit: { ...visit, ...Object.fromEntries(standing) } as Visit };
}

/** Fields of a visit that name rows of a table: field and table have one name. */
const idFields = { photos: 'photo_id', tracks: 'track_id', notes: 'note_id' } as const;

const missing = (account: Engine['account'], table: string, key: string, ids: readonly number[]): number[] =>
  account.file.column<number>(
    `SELECT value FROM json_each(?) WHERE value NOT IN (SELECT ${key} FROM ${table})`,
    JSON.stringify(ids),
  );

/** @throws EngineError not_found */
export function getVisit(engine: Pick<Engine, 'account'>, id: number) {
  const row = engine.account.file.get<Row>('SELECT visit_id, made_at, content FROM visits WHERE visit_id = ?', id);
  if (!row) throw new EngineError('not_found', `There is no visit ${id}: it may have been deleted.`);
  return visitOf(engine, row);
}

/** The newest first. @param parcel only those to it */
export const visitsOf = (engine: Pick<Engine, 'account'>, parcel?: number) =>
  engine.account.file
    .all<Row>(
      `SELECT visit_id, made_at, content FROM visits v
       WHERE :parcel IS NULL OR EXISTS (SELECT 1 FROM json_each(v.content, '$.parcels') WHERE value = :parcel)
       ORDER BY day DESC, visit_id DESC`,
      { parcel: parcel ?? null },
    )
    .map((row) => visitOf(engine, row));

/** @throws EngineError validation_error */
function requireVisit(engine: Stores, visit: Visit): void {
  requireParcels(engine, visit.parcels);
  requireDay(visit.day);
  for (const [field, key] of Object.entries(idFields)) {
    const [unknown] = missing(engine.account, field, key, visit[field as keyof typeof idFields] ?? []);
    if (unknown !== undefined) throw validationError({ [field]: [`there is no ${unknown}: it may have been deleted`] });
  }
}

/** Date.parse takes 30 February for 2 March. @throws EngineError validation_error */
function requireDay(day: string): void {
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== day)
    throw validationError({ day: [`${day} is no day`] });
}

/** The day on the wall, which a camera writes and UTC does not: by the sun, where nothing tells the zone. */
const localDay = (utc: string, longitude: number): string =>
  new Date(Date.parse(utc) + Math.round(longitude / 15) * 3_600_000).toISOString().slice(0, 10);

const dayOfPhoto = ({ taken_at: taken, added_at: added }: Photo): string => (taken ?? added).slice(0, 10);

/** Photos on these parcels or, near them, on none, as at a gate on the road; and tracks across them. */
function marksOn({ land, account }: Stores, parcels: readonly number[]): Pick<FieldMarks, 'photos' | 'tracks'> {
  const box = boxNear(land, parcels);
  if (!box) return { photos: [], tracks: [] };
  const [minX, minY, maxX, maxY] = box;
  const { photos, tracks } = fieldMarks({ land, account }, { minX, minY, maxX, maxY });
  const own = new Set(parcels);
  return {
    photos: photos.filter(({ property_id: id }) => id === null || own.has(id)),
    tracks: tracks.filter(({ lines }) =>
      lines.some((line) => [...parcelsAlong(land, Float64Array.from(line.flat()))].some((id) => own.has(id))),
    ),
  };
}

/** What a visit to these parcels would hold: the photos and tracks of a day. @param day absent: the last one with any */
export function draftVisit(engine: Stores, parcels: readonly number[], day?: string) {
  requireParcels(engine, parcels);
  if (day !== undefined) requireDay(day);
  const { photos, tracks } = marksOn(engine, parcels);
  const dayOfTrack = ({ started_at: at, lines }: FieldMarks['tracks'][number]) => localDay(at, lines[0]?.[0]?.[0] ?? 0);
  const days = [...new Set([...photos.map(dayOfPhoto), ...tracks.map(dayOfTrack)])].sort().reverse();
  const chosen = day ?? days[0] ?? engine.now().toISOString().slice(0, 10);
  const seen = photos
    .filter((photo) => dayOfPhoto(photo) === chosen)
    .toSorted((a, b) => (a.taken_at ?? '').localeCompare(b.taken_at ?? '') || a.photo_id - b.photo_id);
  const times = seen.flatMap(({ taken_at: at }) => (at === null ? [] : [at.slice(11, 16)]));
  const [started, ended] = [times[0], times.at(-1)];
  return {
    days,
    visit: {
      ...{ parcels: [...parcels], day: chosen },
      ...(started !== undefined && ended !== undefined && { started, ended }),
      answers: visitFieldsOf(engine).map((label) => ({ label, text: '' })),
      photos: seen.slice(0, mostReportPhotos).map(({ photo_id: id }) => id),
      tracks: tracks.filter((track) => dayOfTrack(track) === chosen).map(({ track_id: id }) => id),
      photo_places: true,
    },
  };
}

/** All that the pages show: what was not chosen is not read. @throws EngineError validation_error */
export async function reportOfVisit(engine: Stores, visit: Visit): Promise<VisitReport> {
  requireVisit(engine, visit);
  const marks = fieldMarks(engine, null);
  const photos = (visit.photos ?? []).map((id) => marks.photos.find((one) => one.photo_id === id) as Photo);
  const tracks = marks.tracks.filter(({ track_id: id }) => visit.tracks?.includes(id));
  const files = new Map(
    engine.account.file.rawRows('SELECT photo_id, file FROM photos') as unknown as [number, string][],
  );
  const notes = engine.account.file.column<string>(
    'SELECT n.text FROM json_each(?) e JOIN notes n ON n.note_id = e.value ORDER BY e.key',
    JSON.stringify(visit.notes ?? []),
  );
  const places = visit.photo_places ?? false;
  return {
    ...{ parcels: visit.parcels, day: visit.day, visitor: visit.visitor?.trim() || null },
    time: timeWords(visit),
    answers: (visit.answers ?? []).filter(({ text }) => text.trim() !== ''),
    findings: visit.findings?.trim() || null,
    notes,
    photos: await Promise.all(
      photos.map(async (photo) => ({
        file: files.get(photo.photo_id) as string,
        caption: photo.caption,
        time: photo.taken_at === null ? null : photo.taken_at.slice(11, 16),
        longitude: places ? photo.longitude : null,
        latitude: places ? photo.latitude : null,
        direction: await trueDirection(photo),
        place: places ? placeOf(photo) : null,
      })),
    ),
    tracks: tracks.flatMap(({ lines }) => lines.map((line) => line.flat())),
    feet: tracks.reduce((sum, { feet }) => sum + feet, 0),
    ...{ owners: visit.owners ?? false, mailing: visit.mailing ?? false, abutters: visit.abutters ?? false },
    photo_places: places,
  };
}

function timeWords({ started, ended }: Visit): string | null {
  if (started === undefined) return ended === undefined ? null : `until ${ended}`;
  return ended === undefined || ended === started ? started : `${started} to ${ended}`;
}

function placeOf(photo: Photo): string {
  if (photo.place_from === null) return 'place not known';
  if (photo.place_from === 'photo') return 'GPS';
  return placedWords(photo) || 'place told';
}

/** A compass’s direction needs a place and the year's declination; without them it is left out. */
async function trueDirection({
  heading,
  heading_is_magnetic: isMagnetic,
  longitude,
  latitude,
  taken_at: at,
  added_at: added,
}: Photo) {
  if (heading === null || !isMagnetic) return heading;
  if (longitude === null || latitude === null) return null;
  const found = await magneticDeclination(longitude, latitude, new Date(`${(at ?? added).slice(0, 10)}T12:00:00Z`));
  return found && (((heading + found.degrees) % 360) + 360) % 360;
}

export const startVisitReport = defineChange({
  name: 'start_visit_report',
  docs: 'Prints the report of a visit, kept or as given, in a process of its own. Answers with the job, whose report names the file; it is fetched from /app/download/<id> or /app/print/<id>, where <id> is the name of its folder, within 24 hours. Owners, addresses, abutters, notes and places of photos go out only where they are chosen; what cameras wrote into photos never does. Free.',
  input: visitSchema,
  output: jobStatusSchema,
  run: async (visit, engine) => {
    const report = await reportOfVisit(engine, visit);
    const title = `Visit ${parcelWords(engine, visit.parcels.slice(0, 1))} ${visit.day}`;
    const { target: to } = await freePlace(engine, safeFileName(title, 'pdf'));
    const job = engine.jobs.start('visit_report', { to, report });
    void engine.jobs.finished(job.job_id).then(({ state }) => {
      if (state !== 'done') fs.rmSync(path.dirname(to), { recursive: true, force: true });
    });
    return { data: job };
  },
});
