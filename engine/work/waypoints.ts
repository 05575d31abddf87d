/** Waypoints: places in the field with a name and a note. */
import Type from 'typebox';
import { findWaypoint, type Waypoint } from '../query/field-marks.ts';
import { parcelsAt } from '../query/parcels-at.ts';
import { EngineError, validationError } from '../spec/errors.ts';
import { longestFieldNote, mostWaypoints } from '../spec/field-limits.ts';
import { accuracySchema, latitudeSchema, longitudeSchema, strict, textSchema } from '../spec/value-schemas.ts';
import { type ChangeContext, defineChange } from './change.ts';
import { idSchema, parcelWords } from './chosen-parcels.ts';
import { waypointSchema } from './field-schemas.ts';

const noteSchema = Type.String({
  'x-expected': `a text of at most ${longestFieldNote.toLocaleString('en-US')} characters`,
  maxLength: longestFieldNote,
});

/** A millimeter: a place is no more exact, and a row's numbers must come back from the journal as they were. */
export const keptDegrees = (degrees: number): number => Math.round(degrees * 1e8) / 1e8;
export const keptMeters = (meters: number): number => Math.round(meters * 100) / 100;

/** @throws EngineError not_found */
function getWaypoint({ engine }: ChangeContext, id: number): Waypoint {
  const found = findWaypoint(engine, id);
  if (!found) throw new EngineError('not_found', `There is no waypoint ${id}: it may have been deleted.`);
  return found;
}

const noteOrNull = (text: string | undefined): string | null => text?.trim() || null;

export const addWaypoint = defineChange({
  name: 'add_waypoint',
  docs: 'Keeps a place in the field with a name ("Waypoint 3" if none is given) and a note, and the parcel that holds it.',
  input: Type.Object(
    {
      longitude: longitudeSchema,
      latitude: latitudeSchema,
      name: Type.Optional(textSchema()),
      note: Type.Optional(noteSchema),
      accuracy_meters: Type.Optional(accuracySchema),
    },
    strict,
  ),
  output: waypointSchema,
  write: ({ longitude, latitude, name, note, accuracy_meters: accuracy }, context) => {
    const { engine, at } = context;
    const { file } = engine.account;
    if (file.column<number>('SELECT count(*) FROM waypoints')[0] === mostWaypoints)
      throw validationError({ waypoints: [`there are ${mostWaypoints.toLocaleString('en-US')}: delete some first`] });
    const [parcel = null] = parcelsAt(engine.land, longitude, latitude);
    const { lastInsertRowid } = file.run(
      `INSERT INTO waypoints (name, note, longitude, latitude, accuracy_meters, property_id, made_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      name?.trim() ?? '',
      noteOrNull(note),
      keptDegrees(longitude),
      keptDegrees(latitude),
      accuracy === undefined ? null : keptMeters(accuracy),
      parcel,
      at,
    );
    const id = Number(lastInsertRowid);
    if (name === undefined) file.run('UPDATE waypoints SET name = ? WHERE waypoint_id = ?', `Waypoint ${id}`, id);
    const data = getWaypoint(context, id);
    const where = parcel === null ? '' : ` on ${parcelWords(engine, [parcel])}`;
    return { data, sentence: `Set “${data.name}”${where}` };
  },
});

export const renameWaypoint = defineChange({
  name: 'rename_waypoint',
  docs: 'Changes a waypoint’s name, or its note; an empty note removes it.',
  input: Type.Object(
    { waypoint_id: idSchema, name: Type.Optional(textSchema()), note: Type.Optional(noteSchema) },
    strict,
  ),
  output: waypointSchema,
  write: ({ waypoint_id: id, name, note }, context) => {
    const before = getWaypoint(context, id);
    context.engine.account.file.run(
      'UPDATE waypoints SET name = ?, note = ? WHERE waypoint_id = ?',
      name?.trim() ?? before.name,
      note === undefined ? before.note : noteOrNull(note),
      id,
    );
    const data = getWaypoint(context, id);
    return { data, sentence: `Changed “${data.name}”` };
  },
});

export const deleteWaypoint = defineChange({
  name: 'delete_waypoint',
  docs: 'Deletes a waypoint.',
  input: Type.Object({ waypoint_id: idSchema }, strict),
  output: Type.Null(),
  write: ({ waypoint_id: id }, context) => {
    const { name } = getWaypoint(context, id);
    context.engine.account.file.run('DELETE FROM waypoints WHERE waypoint_id = ?', id);
    return { data: null, sentence: `Deleted “${name}”` };
  },
});
