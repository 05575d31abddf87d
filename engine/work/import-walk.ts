/** Walks from other apps: their waypoints and tracks come into the field notes, once. */
import { createHash } from 'node:crypto';
import Type from 'typebox';
import type { Engine } from '../engine.ts';
import type { Walk, WalkTrack, WalkWaypoint } from '../importing/walks/walk.ts';
import { wholeTrack } from '../query/field-marks.ts';
import { parcelsAlong } from '../query/parcels-along.ts';
import { parcelsAt } from '../query/parcels-at.ts';
import { counted } from '../spec/counted.ts';
import { validationError } from '../spec/errors.ts';
import { mostTracks, mostWalkBytes, mostWalkFiles, mostWaypoints } from '../spec/field-limits.ts';
import { boxSchema, count, orNull, strict } from '../spec/value-schemas.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import { type ChangeContext, defineChange, writeJournaled } from './change.ts';
import { tellLocal } from './tell-local.ts';
import { forgetPoints } from './tracks.ts';
import { walkFileSchema, walkOf } from './walk-file.ts';

/** More are counted, not listed. */
const listedParcels = 500;

const imported = Type.Object(
  {
    waypoints: count('New ones.'),
    tracks: count('New ones.'),
    points: count('Points of the new tracks.'),
    already: count('Waypoints and tracks that were here before.'),
    parcel_count: count('Parcels that the waypoints and tracks of the files lie on or cross, new or not.'),
    parcels: Type.Array(
      Type.Object(
        { property_id: Type.Integer(), apn: orNull(Type.String()), waypoints: count(), tracks: count() },
        strict,
      ),
      { description: `The first ${listedParcels}, those with most waypoints first.` },
    ),
    left_out: Type.Array(Type.Object({ what: Type.String(), count: count() }, strict)),
    box: orNull(boxSchema, { description: 'Around all of it, for the map.' }),
  },
  strict,
);

export const importFieldNotes = defineChange({
  isJournaled: true,
  name: 'import_field_notes',
  docs: `Reads waypoints and tracks of other apps from GPX, KML, KMZ, GeoJSON or CSV (at most ${mostWalkBytes / 2 ** 20} MB each) into the field notes. What is here already stays once. One undo for all files.`,
  input: Type.Object(
    {
      files: Type.Array(walkFileSchema, {
        minItems: 1,
        maxItems: mostWalkFiles,
        'x-expected': `a list of 1 to ${mostWalkFiles} files, each { path } or { bytes, name }`,
      }),
    },
    strict,
  ),
  output: imported,
  run: ({ files }, engine) =>
    tellLocal(async () => {
      const walks: Walk[] = [];
      const names: string[] = [];
      for (const file of files) {
        const { name, walk } = await walkOf(engine, file);
        walks.push(walk);
        names.push(name);
      }
      return writeJournaled(engine, 'import_field_notes', { files: names }, (context) =>
        keepWalks(context, walks, names),
      );
    }),
});

interface Kept {
  waypoints: number;
  tracks: number;
  points: number;
  already: number;
  readonly parcels: Map<number, Met>;
}

interface Met {
  waypoints: number;
  tracks: number;
}

function keepWalks(context: ChangeContext, walks: readonly Walk[], names: readonly string[]) {
  const { engine } = context;
  const { file } = engine.account;
  forgetPoints(file);
  const known = new Known(file, walks);
  const kept: Kept = { waypoints: 0, tracks: 0, points: 0, already: 0, parcels: new Map() };
  for (const walk of walks) {
    known.beginFile();
    for (const waypoint of walk.waypoints) keepWaypoint(context, waypoint, known, kept);
    for (const track of walk.tracks) keepTrack(context, track, known, kept);
  }
  requireRoom(file);
  const { parcels, ...counts } = kept;
  const data = {
    ...counts,
    parcel_count: parcels.size,
    parcels: listOf(engine, parcels),
    left_out: leftOutOf(walks),
    box: boxOf(walks),
  };
  const length = kept.tracks === 0 ? '' : ` of ${counted(kept.points, 'point', 'points')}`;
  const what = `${counted(kept.waypoints, 'waypoint', 'waypoints')} and ${counted(kept.tracks, 'track', 'tracks')}${length}`;
  const from = names.length === 1 ? names[0] : counted(names.length, 'file', 'files');
  const on = parcels.size === 0 ? '' : `, on ${counted(parcels.size, 'parcel', 'parcels')}`;
  return { data, sentence: `Brought in ${what} from ${from}${on}` };
}

function meet({ parcels }: Kept, id: number, what: keyof Met): void {
  const met = parcels.get(id) ?? { waypoints: 0, tracks: 0 };
  met[what] += 1;
  parcels.set(id, met);
}

function keepWaypoint(context: ChangeContext, waypoint: WalkWaypoint, known: Known, kept: Kept): void {
  const [parcel = null] = parcelsAt(context.engine.land, waypoint.longitude, waypoint.latitude);
  if (parcel !== null) meet(kept, parcel, 'waypoints');
  const key = waypointKey(waypoint);
  if (known.isHere(key)) kept.already += 1;
  else {
    insertWaypoint(context, waypoint, parcel, key);
    kept.waypoints += 1;
  }
}

function keepTrack(context: ChangeContext, track: WalkTrack, known: Known, kept: Kept): void {
  const { land } = context.engine;
  for (const id of new Set(track.segments.flatMap((points) => [...parcelsAlong(land, lineOf(points))])))
    meet(kept, id, 'tracks');
  const key = trackKey(track);
  if (known.isHere(key)) kept.already += 1;
  else {
    insertTrack(context, track, key);
    kept.tracks += 1;
    kept.points += track.segments.flat().length;
  }
}

function requireRoom(file: SqliteFile): void {
  for (const [table, most] of [
    ['waypoints', mostWaypoints],
    ['tracks', mostTracks],
  ] as const) {
    const [held = 0] = file.column<number>(`SELECT count(*) FROM ${table}`);
    if (held > most)
      throw validationError({
        [table]: [
          `with these there would be ${held.toLocaleString('en-US')}, of at most ${most.toLocaleString('en-US')}`,
        ],
      });
  }
}

const keyOf = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22);

const waypointKey = (one: Omit<WalkWaypoint, 'accuracy_meters'>): string =>
  keyOf([one.name, one.note, one.longitude, one.latitude, one.time, one.elevation_m, one.symbol, one.extras]);

const trackKey = ({ name, note, extras, segments }: WalkTrack): string =>
  keyOf([
    [name, note, extras],
    segments.map((points) => points.map((one) => [one.longitude, one.latitude, one.time, one.elevation_m, one.extras])),
  ]);

/** What is here: by the content of the file it came from, and by its own, which a copy from Platbook has. */
class Known {
  readonly #held = new Map<string, number>();
  /** How often each may still be met in this file: two equal marks of one file are two. */
  #left: Map<string, number> = new Map();

  constructor(file: SqliteFile, walks: readonly Walk[]) {
    type Row = Omit<WalkWaypoint, 'time'> & { readonly made_at: string; readonly source_key: string | null };
    const rows = file.all<Row>(
      'SELECT name, note, longitude, latitude, elevation_m, symbol, extras, made_at, source_key FROM waypoints',
    );
    for (const row of rows) this.#add(row.source_key, () => waypointKey({ ...row, time: row.made_at }));
    const wanted = new Set(walks.flatMap(({ tracks }) => tracks.map(({ segments }) => segments.flat().length)));
    for (const track of file.all<{ track_id: number; points: number; source_key: string | null }>(
      `SELECT track_id, source_key, (SELECT count(*) FROM track_points p WHERE p.track_id = t.track_id) AS points
       FROM tracks t`,
    ))
      this.#add(track.source_key, () => (wanted.has(track.points) ? keptTrackKey(file, track.track_id) : null));
  }

  #add(source: string | null, own: () => string | null): void {
    for (const key of new Set([source, own()])) if (key !== null) this.#hold(key);
  }

  #hold(key: string): void {
    this.#held.set(key, (this.#held.get(key) ?? 0) + 1);
  }

  beginFile(): void {
    this.#left = new Map(this.#held);
  }

  /** Asked once of each mark; one that is not here is from now on. */
  isHere(key: string): boolean {
    const left = this.#left.get(key) ?? 0;
    if (left === 0) this.#hold(key);
    else this.#left.set(key, left - 1);
    return left > 0;
  }
}

function keptTrackKey(file: SqliteFile, id: number): string {
  const { segments, ...track } = wholeTrack({ file }, id);
  return trackKey({
    ...track,
    segments: segments.map((points) => points.map(({ at, ...point }) => ({ ...point, time: at }))),
  });
}

function insertWaypoint({ engine, at }: ChangeContext, one: WalkWaypoint, parcel: number | null, key: string): void {
  const { file } = engine.account;
  const { lastInsertRowid } = file.run(
    `INSERT INTO waypoints (name, note, longitude, latitude, accuracy_meters, elevation_m, symbol, extras, property_id,
       made_at, source_key) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    one.name ?? '',
    one.note,
    one.longitude,
    one.latitude,
    one.accuracy_meters,
    one.elevation_m,
    one.symbol,
    one.extras,
    parcel,
    one.time ?? at,
    key,
  );
  const id = Number(lastInsertRowid);
  if (one.name === null) file.run('UPDATE waypoints SET name = ? WHERE waypoint_id = ?', `Waypoint ${id}`, id);
}

function insertTrack({ engine, at }: ChangeContext, { name, note, extras, segments }: WalkTrack, key: string): void {
  const { file } = engine.account;
  const times = segments.flat().flatMap(({ time }) => time ?? []);
  const { lastInsertRowid } = file.run(
    'INSERT INTO tracks (name, note, extras, started_at, source_key) VALUES (?, ?, ?, ?, ?)',
    name ?? '',
    note,
    extras,
    times[0] ?? at,
    key,
  );
  const id = Number(lastInsertRowid);
  if (name === null) file.run('UPDATE tracks SET name = ? WHERE track_id = ?', `Track ${id}`, id);
  file.run('INSERT INTO track_logs (track_id, ended_at) VALUES (?, ?)', id, times.at(-1) ?? at);
  let place = 0;
  for (const [segment, points] of segments.entries())
    for (const { longitude, latitude, time, elevation_m: meters, extras: more } of points)
      file.run(
        `INSERT INTO track_points (track_id, place, at, longitude, latitude, segment, elevation_m, extras)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        id,
        ++place,
        time ?? '',
        longitude,
        latitude,
        segment + 1,
        meters,
        more,
      );
}

const lineOf = (points: WalkTrack['segments'][number]): Float64Array =>
  Float64Array.from(points.flatMap(({ longitude, latitude }) => [longitude, latitude]));

function listOf({ land }: Engine, parcels: Kept['parcels']) {
  const first = [...parcels]
    .sort(([a, one], [b, other]) => other.waypoints - one.waypoints || other.tracks - one.tracks || a - b)
    .slice(0, listedParcels);
  const apns = new Map(
    land.file.rawRows(
      'SELECT property_id, apn FROM parcels WHERE property_id IN (SELECT value FROM json_each(?))',
      JSON.stringify(first.map(([id]) => id)),
    ) as [number, string | null][],
  );
  return first.map(([id, met]) => ({ property_id: id, apn: apns.get(id) || null, ...met }));
}

function leftOutOf(walks: readonly Walk[]) {
  const all = new Map<string, number>();
  for (const { what, count: one } of walks.flatMap(({ leftOut }) => leftOut)) all.set(what, (all.get(what) ?? 0) + one);
  return [...all].map(([what, number]) => ({ what, count: number }));
}

/** Walks that cross the 180th meridian get the whole band: the map shows them all. */
function boxOf(walks: readonly Walk[]): [number, number, number, number] | null {
  let box: [number, number, number, number] | null = null;
  const points = walks.flatMap(({ waypoints, tracks }) => [
    ...waypoints,
    ...tracks.flatMap(({ segments }) => segments.flat()),
  ]);
  for (const { longitude: x, latitude: y } of points)
    box = box ? [Math.min(box[0], x), Math.min(box[1], y), Math.max(box[2], x), Math.max(box[3], y)] : [x, y, x, y];
  return box;
}
