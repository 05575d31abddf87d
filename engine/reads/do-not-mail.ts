/** The entries of Do not mail. */
import Type from 'typebox';
import { noInput, orNull, strict, type ValueOf } from '../spec/value-schemas.ts';
import { defineRead } from './read.ts';

const textOrNull = orNull(Type.String());

const entry = Type.Object(
  {
    do_not_mail_id: Type.Integer(),
    owner_name: textOrNull,
    address: textOrNull,
    by_owner: Type.Boolean({ description: 'Whether letters to the name are kept back.' }),
    by_address: Type.Boolean({ description: 'Whether letters to the address are kept back.' }),
    added_at: Type.String(),
  },
  strict,
);
type DoNotMailEntry = ValueOf<typeof entry>;

type Row = Omit<DoNotMailEntry, 'by_owner' | 'by_address'> & { by_owner: number; by_address: number };

export const doNotMail = defineRead({
  name: 'do_not_mail',
  docs: 'Owners who must not get letters, newest first: by owner name, by mailing address, or by either.',
  input: noInput,
  output: Type.Array(entry),
  run: (_input, { account }) =>
    account.file
      .all<Row>(
        `SELECT do_not_mail_id, owner_name, address, owner_key IS NOT NULL AS by_owner,
           mailing_key IS NOT NULL AS by_address, added_at FROM do_not_mail ORDER BY do_not_mail_id DESC`,
      )
      .map((row) => ({ ...row, by_owner: row.by_owner === 1, by_address: row.by_address === 1 })),
});
