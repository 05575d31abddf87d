/** Frozen lists, and what is always kept: stars and Do not mail. */
import Type from 'typebox';
import { defineRead } from './read.ts';

export interface ListSummary {
  readonly list_id: number;
  readonly name: string;
  /** ISO date-time. */
  readonly made_at: string;
  readonly parcels: number;
  /** Parcels that a letter went to. */
  readonly mailed: number;
  /** Percent of the value that is offered; null: no offers are shown. */
  readonly offer_percent: number | null;
  /** Whether a run has filled the column, or began to; values also when any parcel was valued by itself. */
  readonly has_values: boolean;
  readonly has_phones: boolean;
}

export interface Lists {
  readonly lists: ListSummary[];
  readonly starred: number;
  readonly do_not_mail: number;
}

const listsSql = `
SELECT l.list_id, l.name, l.made_at, l.offer_percent, count(m.property_id) AS parcels, count(m.mailed_on) AS mailed,
  EXISTS (SELECT 1 FROM list_runs r WHERE r.list_id = l.list_id AND kind = 'values')
    OR max(m.property_id IN (SELECT property_id FROM stored_values)) AS has_values,
  EXISTS (SELECT 1 FROM list_runs r WHERE r.list_id = l.list_id AND kind = 'phones') AS has_phones
FROM lists l LEFT JOIN list_members m USING (list_id) GROUP BY l.list_id ORDER BY l.position, l.list_id`;

const whole = Type.Integer({ minimum: 0 });

export const lists = defineRead<Record<string, never>, Lists>({
  name: 'lists',
  docs: 'The frozen lists with their sizes, and how many parcels are starred and owners not to be mailed.',
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Object(
    {
      lists: Type.Array(
        Type.Object(
          {
            list_id: Type.Integer(),
            name: Type.String(),
            made_at: Type.String(),
            parcels: whole,
            mailed: whole,
            offer_percent: Type.Union([Type.Number(), Type.Null()]),
            has_values: Type.Boolean(),
            has_phones: Type.Boolean(),
          },
          { additionalProperties: false },
        ),
      ),
      starred: whole,
      do_not_mail: whole,
    },
    { additionalProperties: false },
  ),
  run: (_input, { account: { file } }) => ({
    lists: file
      .all<Omit<ListSummary, 'has_values' | 'has_phones'> & Record<'has_values' | 'has_phones', number | null>>(
        listsSql,
      )
      .map((row) => ({ ...row, has_values: row.has_values === 1, has_phones: row.has_phones === 1 })),
    starred: file.get<{ n: number }>('SELECT count(*) AS n FROM stars')?.n ?? 0,
    do_not_mail: file.get<{ n: number }>('SELECT count(*) AS n FROM do_not_mail')?.n ?? 0,
  }),
});
