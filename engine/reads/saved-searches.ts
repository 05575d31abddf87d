/** The live lists: named filters. Each window counts their matches itself, when it shows them. */
import Type from 'typebox';
import type { LiveFilter } from '../query/live-request.ts';
import { noInput, orNull, strict, type ValueOf } from '../spec/value-schemas.ts';
import { defineRead } from './read.ts';

const search = Type.Object(
  {
    search_id: Type.Integer(),
    name: Type.String(),
    county: orNull(Type.String(), {
      description: 'FIPS of its only county; null: several, or a place without one.',
    }),
    filter: Type.Unsafe<LiveFilter>(Type.Object({})),
    ordering: orNull(Type.String()),
    columns: Type.Array(Type.String()),
    made_at: Type.String(),
    last_run_at: orNull(Type.String(), { description: 'When it was last paid for; null: not yet.' }),
    is_paid: Type.Boolean({ description: 'Paid for, with no import since: viewing its parcels is free.' }),
  },
  strict,
);
type SavedSearch = ValueOf<typeof search>;

type Row = Omit<SavedSearch, 'filter' | 'columns' | 'is_paid'> & { readonly filter: string; readonly columns: string };

export const savedSearches = defineRead({
  name: 'saved_searches',
  docs: 'Saved searches in their order, with when each was run last.',
  input: noInput,
  output: Type.Array(search),
  run: (_input, { account, land }) => {
    const newest = land.file.get<{ at: string | null }>('SELECT max(imported_at) AS at FROM datasets')?.at ?? '';
    return account.file
      .all<Row>(
        `SELECT search_id, name, county, filter, ordering, columns, made_at, last_run_at
         FROM saved_searches ORDER BY position, search_id`,
      )
      .map((row) => ({
        ...row,
        filter: JSON.parse(row.filter) as LiveFilter,
        columns: JSON.parse(row.columns) as string[],
        is_paid: row.last_run_at !== null && row.last_run_at >= newest,
      }));
  },
});
