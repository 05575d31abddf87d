/** Saved searches: live lists, whose parcels are the current matches. */
import Type from 'typebox';
import { rowOrderingField } from '../operations/parcel-list.ts';
import { type LiveFilter, parseLiveRequest } from '../query/live-request.ts';
import { EngineError } from '../spec/errors.ts';
import { orNull, strict, textSchema } from '../spec/value-schemas.ts';
import { type ChangeContext, defineChange } from './change.ts';
import { idSchema } from './chosen-parcels.ts';
import { filterBodySchema } from './filter-body.ts';

const nameSchema = textSchema();

/** @throws EngineError not_found */
function getSearch({ engine }: ChangeContext, id: number): { search_id: number; name: string } {
  const row = engine.account.file.get<{ search_id: number; name: string }>(
    'SELECT search_id, name FROM saved_searches WHERE search_id = ?',
    id,
  );
  if (!row) throw new EngineError('not_found', `There is no saved search ${id}: it may have been deleted.`);
  return row;
}

/** The only county, or null: the list gets a heading of its own. */
function countyOf({ county, counties }: LiveFilter): string | null {
  const given = [county, ...((counties as readonly unknown[] | undefined) ?? [])].filter((one) => one !== undefined);
  return given.length === 1 ? String(given[0]).padStart(5, '0') : null;
}

export const saveSearch = defineChange({
  name: 'save_search',
  docs: 'Saves a filter under a name, with the order and columns of the table.',
  input: Type.Object(
    {
      name: nameSchema,
      filter: filterBodySchema,
      ordering: Type.Optional(rowOrderingField),
      columns: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 200 })),
      last_run_at: Type.Optional(
        orNull(Type.String({ maxLength: 100 }), { description: 'When it was last paid for; null: not yet.' }),
      ),
    },
    strict,
  ),
  output: Type.Object({ search_id: Type.Integer() }, strict),
  write: ({ name, filter, ordering, columns, last_run_at: ranAt }, { engine, at }) => {
    // An invalid search is not saved.
    parseLiveRequest(filter, engine.account);
    const { lastInsertRowid } = engine.account.file.run(
      `INSERT INTO saved_searches (name, county, filter, ordering, columns, position, made_at, last_run_at)
       VALUES (?, ?, ?, ?, ?, (SELECT coalesce(max(position), 0) + 1 FROM saved_searches), ?, ?)`,
      name.trim(),
      countyOf(filter),
      JSON.stringify(filter),
      ordering ?? null,
      JSON.stringify(columns ?? []),
      at,
      ranAt ?? null,
    );
    return { data: { search_id: Number(lastInsertRowid) }, sentence: `Saved the search “${name.trim()}”` };
  },
});

export const renameSearch = defineChange({
  name: 'rename_search',
  docs: 'Gives a saved search another name.',
  input: Type.Object({ search_id: idSchema, name: nameSchema }, strict),
  output: Type.Null(),
  write: ({ search_id: id, name }, context) => {
    const before = getSearch(context, id);
    context.engine.account.file.run('UPDATE saved_searches SET name = ? WHERE search_id = ?', name.trim(), id);
    return { data: null, sentence: `Renamed the search “${before.name}” to “${name.trim()}”` };
  },
});

export const deleteSearch = defineChange({
  name: 'delete_search',
  docs: 'Deletes a saved search; the parcels are not touched.',
  input: Type.Object({ search_id: idSchema }, strict),
  output: Type.Null(),
  write: ({ search_id: id }, context) => {
    const { name } = getSearch(context, id);
    context.engine.account.file.run('DELETE FROM saved_searches WHERE search_id = ?', id);
    return { data: null, sentence: `Deleted the search “${name}”` };
  },
});

/** The time of payment is not a user's change, so undo leaves it. */
export const noteSearchRun = defineChange({
  name: 'note_search_run',
  docs: 'Records that a saved search ran just now.',
  input: Type.Object({ search_id: idSchema }, strict),
  output: Type.Null(),
  run: ({ search_id: id }, { account, now }) => {
    account.file.run('UPDATE saved_searches SET last_run_at = ? WHERE search_id = ?', now().toISOString(), id);
    return { data: null };
  },
});
