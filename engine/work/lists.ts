/** Frozen lists: parcels chosen once, in an order, unaffected by later files of the county. */
import Type from 'typebox';
import type { LiveFilter } from '../query/live-request.ts';
import { EngineError, validationError } from '../spec/errors.ts';
import { count, isoDaySchema, isoFromDate, orNull, strict, textSchema } from '../spec/value-schemas.ts';
import { type ChangeContext, defineChange } from './change.ts';
import { chosenIds, chosenSchema, idSchema, idsSchema, ownersOf, parcelWords } from './chosen-parcels.ts';

interface ListRow {
  readonly list_id: number;
  readonly name: string;
}

const nameSchema = textSchema();
const changedSchema = Type.Object({ changed: count() }, strict);

/** @throws EngineError not_found */
function getList({ engine }: ChangeContext, id: number): ListRow {
  const row = engine.account.file.get<ListRow>('SELECT list_id, name FROM lists WHERE list_id = ?', id);
  if (!row) throw new EngineError('not_found', `There is no list ${id}: it may have been deleted.`);
  return row;
}

/** Appends parcels. @returns how many were new */
function append({ engine, at }: ChangeContext, listId: number, ids: readonly number[]): number {
  return engine.account.file.run(
    `INSERT INTO list_members (list_id, property_id, position, added_at, owner_then)
     SELECT ?, e.value ->> 'property_id',
       (SELECT coalesce(max(position), 0) FROM list_members WHERE list_id = ?) + e.key + 1, ?, e.value ->> 'owner_name'
     FROM json_each(?) e WHERE true
     ON CONFLICT (list_id, property_id) DO NOTHING`,
    listId,
    listId,
    at,
    JSON.stringify(ownersOf(engine, ids)),
  ).changes;
}

const parcelsOf = (n: number): string => `${n.toLocaleString('en-US')} ${n === 1 ? 'parcel' : 'parcels'}`;

export const makeList = defineChange({
  name: 'make_list',
  docs: 'Saves parcels as a list that stays as it is: those chosen by id, or every match of a filter (not only a page), in its order. A live list is a saved search.',
  input: Type.Object({ name: nameSchema, of: chosenSchema }, strict),
  output: Type.Object({ list_id: Type.Integer(), parcels: count() }, strict),
  write: ({ name, of }, context) => {
    const { engine, at } = context;
    const ids = chosenIds(engine, of);
    if (ids.length === 0) throw validationError({ of: ['no parcel matches, so there is nothing to list'] });
    const filter: LiveFilter | null = 'filter' in of ? of.filter : null;
    const { lastInsertRowid } = engine.account.file.run(
      `INSERT INTO lists (name, made_at, filter, position)
       VALUES (?, ?, ?, (SELECT coalesce(max(position), 0) + 1 FROM lists))`,
      name.trim(),
      at,
      filter && JSON.stringify(filter),
    );
    const listId = Number(lastInsertRowid);
    const parcels = append(context, listId, ids);
    return { data: { list_id: listId, parcels }, sentence: `Made the list “${name.trim()}” of ${parcelsOf(parcels)}` };
  },
});

export const renameList = defineChange({
  name: 'rename_list',
  docs: 'Gives a list another name.',
  input: Type.Object({ list_id: idSchema, name: nameSchema }, strict),
  output: Type.Null(),
  write: ({ list_id: id, name }, context) => {
    const before = getList(context, id);
    context.engine.account.file.run('UPDATE lists SET name = ? WHERE list_id = ?', name.trim(), id);
    return { data: null, sentence: `Renamed the list “${before.name}” to “${name.trim()}”` };
  },
});

export const deleteList = defineChange({
  name: 'delete_list',
  docs: 'Deletes a list and its mailing days; notes, stars and Do not mail stay.',
  input: Type.Object({ list_id: idSchema }, strict),
  output: Type.Null(),
  write: ({ list_id: id }, context) => {
    const { file } = context.engine.account;
    const { name } = getList(context, id);
    file.run('DELETE FROM list_members WHERE list_id = ?', id);
    file.run('DELETE FROM lists WHERE list_id = ?', id);
    return { data: null, sentence: `Deleted the list “${name}”` };
  },
});

export const addMembers = defineChange({
  name: 'add_members',
  docs: 'Appends parcels to a list; those already in it keep their place.',
  input: Type.Object({ list_id: idSchema, of: chosenSchema }, strict),
  output: changedSchema,
  write: ({ list_id: id, of }, context) => {
    const { name } = getList(context, id);
    const ids = chosenIds(context.engine, of);
    const changed = append(context, id, ids);
    const words = changed === ids.length ? parcelWords(context.engine, ids) : parcelsOf(changed);
    return { data: { changed }, sentence: `Added ${words} to “${name}”` };
  },
});

export const removeMembers = defineChange({
  name: 'remove_members',
  docs: 'Takes parcels out of a list.',
  input: Type.Object({ list_id: idSchema, ids: idsSchema }, strict),
  output: changedSchema,
  write: ({ list_id: id, ids }, context) => {
    const { name } = getList(context, id);
    const { changes } = context.engine.account.file.run(
      'DELETE FROM list_members WHERE list_id = ? AND property_id IN (SELECT value FROM json_each(?))',
      id,
      JSON.stringify(ids),
    );
    return { data: { changed: changes }, sentence: `Took ${parcelWords(context.engine, ids)} out of “${name}”` };
  },
});

export const setMailedOn = defineChange({
  name: 'set_mailed_on',
  docs: 'Records the day on which letters went to the parcels of a list, or clears it.',
  input: Type.Object({ list_id: idSchema, ids: Type.Optional(idsSchema), mailed_on: orNull(isoDaySchema()) }, strict),
  output: changedSchema,
  write: ({ list_id: id, ids, mailed_on: day }, context) => {
    const { name } = getList(context, id);
    if (day !== null && isoFromDate(day) !== day)
      throw validationError({ mailed_on: [`expected a day of the calendar, found ${JSON.stringify(day)}`] });
    const { changes } = context.engine.account.file.run(
      `UPDATE list_members SET mailed_on = :day WHERE list_id = :id AND mailed_on IS NOT :day
         AND (:ids IS NULL OR property_id IN (SELECT value FROM json_each(:ids)))`,
      { day, id, ids: ids ? JSON.stringify(ids) : null },
    );
    const sentence =
      day === null
        ? `Cleared the mailing day of ${parcelsOf(changes)}`
        : `Marked ${parcelsOf(changes)} as mailed on ${day}`;
    return { data: { changed: changes }, sentence: `${sentence} in “${name}”` };
  },
});

export const setOfferPercent = defineChange({
  name: 'set_offer_percent',
  docs: 'Shows an offer at this percent of the value beside each parcel of a list, or none.',
  input: Type.Object(
    {
      list_id: idSchema,
      percent: Type.Union([Type.Number({ exclusiveMinimum: 0, maximum: 200 }), Type.Null()], {
        'x-expected': 'a number above 0 and up to 200, or null',
      }),
    },
    strict,
  ),
  output: Type.Null(),
  write: ({ list_id: id, percent }, context) => {
    const { name } = getList(context, id);
    context.engine.account.file.run('UPDATE lists SET offer_percent = ? WHERE list_id = ?', percent, id);
    const sentence = percent === null ? 'Took the offers off' : `Added offers at ${percent} % to`;
    return { data: null, sentence: `${sentence} “${name}”` };
  },
});
