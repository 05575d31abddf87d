/** Frozen lists, and the permanent ones: stars and Do not mail. */
import Type from 'typebox';
import { count, noInput, orNull, strict, type ValueOf } from '../spec/value-schemas.ts';
import { defineRead } from './read.ts';

const listsSql = `
SELECT l.list_id, l.name, l.made_at, l.offer_percent, count(m.property_id) AS parcels, count(m.mailed_on) AS mailed,
  EXISTS (SELECT 1 FROM list_runs r WHERE r.list_id = l.list_id AND kind = 'values')
    OR max(m.property_id IN (SELECT property_id FROM stored_values)) AS has_values,
  EXISTS (SELECT 1 FROM list_runs r WHERE r.list_id = l.list_id AND kind = 'phones') AS has_phones
FROM lists l LEFT JOIN list_members m USING (list_id) GROUP BY l.list_id ORDER BY l.position, l.list_id`;

const list = Type.Object(
  {
    list_id: Type.Integer(),
    name: Type.String(),
    made_at: Type.String(),
    parcels: count(),
    mailed: count('Mailed parcels.'),
    offer_percent: orNull(Type.Number(), {
      description: 'Offered percent of the value; null: no offers are shown.',
    }),
    has_values: Type.Boolean({
      description: 'Whether a run has started to fill the column, or any parcel was valued individually.',
    }),
    has_phones: Type.Boolean({ description: 'Whether a run has started to fill the column.' }),
  },
  strict,
);

export const lists = defineRead({
  name: 'lists',
  docs: 'The lists with their sizes, and the number of starred parcels and of owners not to mail.',
  input: noInput,
  output: Type.Object(
    {
      lists: Type.Array(list),
      starred: count(),
      do_not_mail: count(),
    },
    strict,
  ),
  run: (_input, { account: { file } }) => ({
    lists: file
      .all<
        Omit<ValueOf<typeof list>, 'has_values' | 'has_phones'> & Record<'has_values' | 'has_phones', number | null>
      >(listsSql)
      .map((row) => ({ ...row, has_values: row.has_values === 1, has_phones: row.has_phones === 1 })),
    starred: file.get<{ n: number }>('SELECT count(*) AS n FROM stars')?.n ?? 0,
    do_not_mail: file.get<{ n: number }>('SELECT count(*) AS n FROM do_not_mail')?.n ?? 0,
  }),
});
