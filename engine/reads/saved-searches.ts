/** The live lists: filters under a name. How many match today each window counts by itself, when it shows it. */
import Type from 'typebox';
import type { LiveFilter } from '../query/live-request.ts';
import { defineRead } from './read.ts';

export interface SavedSearch {
  readonly search_id: number;
  readonly name: string;
  /** FIPS of the one county it is about; null: several, or a place without one. */
  readonly county: string | null;
  readonly filter: LiveFilter;
  readonly ordering: string | null;
  /** Ids of the table's columns. */
  readonly columns: readonly string[];
  readonly made_at: string;
  /** ISO date-time: when it was paid last; null: not yet. */
  readonly last_run_at: string | null;
  /** Paid, and no file was imported since: its parcels are free to be seen. */
  readonly is_paid: boolean;
}

type Row = Omit<SavedSearch, 'filter' | 'columns' | 'is_paid'> & { readonly filter: string; readonly columns: string };

const textOrNull = Type.Union([Type.String(), Type.Null()]);

export const savedSearches = defineRead<Record<string, never>, SavedSearch[]>({
  name: 'saved_searches',
  docs: 'Saved searches in their order, with when each was run last.',
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Array(
    Type.Object(
      {
        search_id: Type.Integer(),
        name: Type.String(),
        county: textOrNull,
        filter: Type.Object({}),
        ordering: textOrNull,
        columns: Type.Array(Type.String()),
        made_at: Type.String(),
        last_run_at: textOrNull,
        is_paid: Type.Boolean(),
      },
      { additionalProperties: false },
    ),
  ),
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
