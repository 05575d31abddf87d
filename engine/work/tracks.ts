/**
 * Tracks: where the user walked. The window writes points every few seconds, each batch in a transaction of its own, so
 * that a killed program loses only the last ones. Undo takes back the whole track, not each batch.
 */
import Type from 'typebox';
import { EngineError, validationError } from '../spec/errors.ts';
import { mostPointsAtOnce, mostTrackPoints, mostTracks } from '../spec/field-limits.ts';
import { accuracySchema, latitudeSchema, longitudeSchema, orNull, strict, textSchema } from '../spec/value-schemas.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import { defineChange } from './change.ts';
import { idSchema } from './chosen-parcels.ts';
import { keptDegrees, keptMeters } from './waypoints.ts';

const timeSchema = Type.String({
  'x-expected': 'a date and time in UTC, like "2026-11-25T14:05:30.000Z"',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,3})?Z$',
});

const pointSchema = Type.Object(
  {
    longitude: longitudeSchema,
    latitude: latitudeSchema,
    at: timeSchema,
    accuracy_meters: Type.Optional(accuracySchema),
    course: Type.Optional(orNull(Type.Number({ minimum: 0, maximum: 360 }), { description: 'Degrees, true.' })),
    speed: Type.Optional(orNull(Type.Number({ minimum: 0, maximum: 1000 }), { description: 'Meters per second.' })),
  },
  strict,
);

/** @throws EngineError not_found */
function getName(file: SqliteFile, id: number): string {
  const name = file.get<{ name: string }>('SELECT name FROM tracks WHERE track_id = ?', id)?.name;
  if (name === undefined)
    throw new EngineError('not_found', `There is no track ${id}: it was deleted, or its start was undone.`);
  return name;
}

/** Points of tracks that are gone and that no undo brings back. */
export function forgetPoints(file: SqliteFile): void {
  const gone = file.column<number>(
    `SELECT track_id FROM track_logs WHERE track_id NOT IN (SELECT track_id FROM tracks) AND track_id NOT IN (
       SELECT json_extract(side.value, '$[0]') FROM journal j, json_each(j.inverse_input) t,
         json_each(t.value, '$.rows') r, json_each(r.value) side
       WHERE j.change IN ('start_track', 'delete_track', 'import_field_notes') AND side.type = 'array')`,
  );
  for (const id of gone) {
    file.run('DELETE FROM track_points WHERE track_id = ?', id);
    file.run('DELETE FROM track_logs WHERE track_id = ?', id);
  }
}

export const startTrack = defineChange({
  name: 'start_track',
  docs: 'Starts a track ("Track 3" if no name is given); undo removes it with all its points.',
  input: Type.Object({ name: Type.Optional(textSchema()) }, strict),
  output: Type.Object({ track_id: Type.Integer(), name: Type.String(), started_at: Type.String() }, strict),
  write: ({ name: given }, { engine, at }) => {
    const { file } = engine.account;
    forgetPoints(file);
    if (file.column<number>('SELECT count(*) FROM tracks')[0] === mostTracks)
      throw validationError({ tracks: [`there are ${mostTracks.toLocaleString('en-US')}: delete some first`] });
    const { lastInsertRowid } = file.run(
      'INSERT INTO tracks (name, started_at) VALUES (?, ?)',
      given?.trim() ?? '',
      at,
    );
    const id = Number(lastInsertRowid);
    file.run('INSERT INTO track_logs (track_id) VALUES (?)', id);
    const name = given?.trim() ?? `Track ${id}`;
    file.run('UPDATE tracks SET name = ? WHERE track_id = ?', name, id);
    return { data: { track_id: id, name, started_at: at }, sentence: `Started “${name}”` };
  },
});

export const addTrackPoints = defineChange({
  name: 'add_track_points',
  docs: `Appends points to a track, at most ${mostPointsAtOnce.toLocaleString('en-US')} at once. A point whose time the track has already is left out, so a batch may be sent again. Not undone by itself: undo takes back the track.`,
  input: Type.Object(
    {
      track_id: idSchema,
      points: Type.Array(pointSchema, {
        minItems: 1,
        maxItems: mostPointsAtOnce,
        'x-expected': `a list of 1 to ${mostPointsAtOnce.toLocaleString('en-US')} points`,
      }),
    },
    strict,
  ),
  output: Type.Object(
    { track_id: Type.Integer(), points: Type.Integer({ description: 'Points of the whole track, now.' }) },
    strict,
  ),
  run: ({ track_id: id, points }, { account: { file } }) => {
    const wrong = points.findIndex(({ at }) => Number.isNaN(Date.parse(at)));
    if (wrong >= 0) throw validationError({ points: [`point ${wrong + 1}: ${points[wrong]?.at} is no time`] });
    return file.transaction(() => {
      getName(file, id);
      for (const { longitude, latitude, at, accuracy_meters: accuracy = null, course = null, speed = null } of points)
        file.run(
          `INSERT INTO track_points (track_id, at, longitude, latitude, accuracy_meters, course, speed)
           VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
          id,
          new Date(at).toISOString(),
          keptDegrees(longitude),
          keptDegrees(latitude),
          accuracy === null ? null : keptMeters(accuracy),
          course,
          speed,
        );
      const [count = 0] = file.column<number>('SELECT count(*) FROM track_points WHERE track_id = ?', id);
      if (count > mostTrackPoints)
        throw validationError({
          points: [`a track holds at most ${mostTrackPoints.toLocaleString('en-US')} points: start another`],
        });
      return { data: { track_id: id, points: count } };
    });
  },
});

export const endTrack = defineChange({
  name: 'end_track',
  docs: 'Ends a track; one that has ended stays as it is. Undo takes back the track, not its end.',
  input: Type.Object({ track_id: idSchema }, strict),
  output: Type.Object({ track_id: Type.Integer(), points: Type.Integer(), ended_at: Type.String() }, strict),
  run: ({ track_id: id }, { account: { file }, now }) =>
    file.transaction(() => {
      getName(file, id);
      const at = now().toISOString();
      file.run('UPDATE track_logs SET ended_at = coalesce(ended_at, ?) WHERE track_id = ?', at, id);
      const [points = 0] = file.column<number>('SELECT count(*) FROM track_points WHERE track_id = ?', id);
      const [ended = at] = file.column<string>('SELECT ended_at FROM track_logs WHERE track_id = ?', id);
      return { data: { track_id: id, points, ended_at: ended } };
    }),
});

export const deleteTrack = defineChange({
  name: 'delete_track',
  docs: 'Deletes a track. Its points go once no undo can bring it back.',
  input: Type.Object({ track_id: idSchema }, strict),
  output: Type.Null(),
  write: ({ track_id: id }, { engine }) => {
    const { file } = engine.account;
    const name = getName(file, id);
    forgetPoints(file);
    file.run('DELETE FROM tracks WHERE track_id = ?', id);
    return { data: null, sentence: `Deleted “${name}”` };
  },
});
