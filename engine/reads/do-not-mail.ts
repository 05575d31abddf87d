/** The entries of Do not mail. */
import Type from 'typebox';
import type { DoNotMailEntry } from '../work/do-not-mail.ts';
import { defineRead } from './read.ts';

const textOrNull = Type.Union([Type.String(), Type.Null()]);

type Row = Omit<DoNotMailEntry, 'by_owner' | 'by_address'> & { by_owner: number; by_address: number };

export const doNotMail = defineRead<Record<string, never>, DoNotMailEntry[]>({
  name: 'do_not_mail',
  docs: 'Who must not get a letter, newest first: by owner name, by mailing address, or by either of both.',
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Array(
    Type.Object(
      {
        do_not_mail_id: Type.Integer(),
        owner_name: textOrNull,
        address: textOrNull,
        by_owner: Type.Boolean(),
        by_address: Type.Boolean(),
        added_at: Type.String(),
      },
      { additionalProperties: false },
    ),
  ),
  run: (_input, { account }) =>
    account.file
      .all<Row>(
        `SELECT do_not_mail_id, owner_name, address, owner_key IS NOT NULL AS by_owner,
           mailing_key IS NOT NULL AS by_address, added_at FROM do_not_mail ORDER BY do_not_mail_id DESC`,
      )
      .map((row) => ({ ...row, by_owner: row.by_owner === 1, by_address: row.by_address === 1 })),
});
