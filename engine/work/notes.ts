/** Notes on parcels: many on each, with their dates; text as typed, never interpreted. */
import Type from 'typebox';
import { EngineError } from '../spec/errors.ts';
import { orNull, strict, type ValueOf } from '../spec/value-schemas.ts';
import { type ChangeContext, defineChange } from './change.ts';
import { idSchema, parcelWords, requireParcels } from './chosen-parcels.ts';

export const noteSchema = Type.Object(
  {
    note_id: Type.Integer(),
    property_id: Type.Integer(),
    text: Type.String(),
    made_at: Type.String(),
    changed_at: orNull(Type.String(), { description: 'Null: never edited.' }),
  },
  strict,
);
export type Note = ValueOf<typeof noteSchema>;

const textSchema = Type.String({
  'x-expected': 'a text of 1 to 20,000 characters, not only spaces',
  minLength: 1,
  maxLength: 20_000,
  pattern: '\\S',
});

/** @throws EngineError not_found */
function getNote({ engine }: ChangeContext, id: number): Note {
  const note = engine.account.file.get<Note>('SELECT * FROM notes WHERE note_id = ?', id);
  if (!note) throw new EngineError('not_found', `There is no note ${id}: it may have been deleted.`);
  return note;
}

export const addNote = defineChange({
  name: 'add_note',
  docs: 'Writes a note on a parcel.',
  input: Type.Object({ property_id: idSchema, text: textSchema }, strict),
  output: noteSchema,
  write: ({ property_id: id, text }, context) => {
    const { engine, at } = context;
    requireParcels(engine, [id]);
    const { lastInsertRowid } = engine.account.file.run(
      'INSERT INTO notes (property_id, text, made_at) VALUES (?, ?, ?)',
      id,
      text,
      at,
    );
    return {
      data: getNote(context, Number(lastInsertRowid)),
      sentence: `Added a note to ${parcelWords(engine, [id])}`,
    };
  },
});

export const editNote = defineChange({
  name: 'edit_note',
  docs: 'Replaces the text of a note; keeps the day it was made.',
  input: Type.Object({ note_id: idSchema, text: textSchema }, strict),
  output: noteSchema,
  write: ({ note_id: id, text }, context) => {
    const { engine, at } = context;
    const note = getNote(context, id);
    if (note.text !== text)
      engine.account.file.run('UPDATE notes SET text = ?, changed_at = ? WHERE note_id = ?', text, at, id);
    return {
      data: getNote(context, id),
      sentence: `Changed a note on ${parcelWords(engine, [note.property_id])}`,
    };
  },
});

export const deleteNote = defineChange({
  name: 'delete_note',
  docs: 'Deletes a note.',
  input: Type.Object({ note_id: idSchema }, strict),
  output: Type.Null(),
  write: ({ note_id: id }, context) => {
    const note = getNote(context, id);
    context.engine.account.file.run('DELETE FROM notes WHERE note_id = ?', id);
    return { data: null, sentence: `Deleted a note on ${parcelWords(context.engine, [note.property_id])}` };
  },
});
