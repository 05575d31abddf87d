/** The user's own work on one parcel, and the desk. */
import Type from 'typebox';
import { listDeals } from '../operations/list-deals.ts';
import { runAtHome } from '../operations/operation.ts';
import { ownerKey } from '../query/do-not-mail.ts';
import { orNull, strict, type ValueOf, wholeNumberSchema } from '../spec/value-schemas.ts';
import { type Note, noteSchema } from '../work/notes.ts';
import { type Tag, tagSchema } from '../work/tags.ts';
import { defineRead, type ReadContext } from './read.ts';

const text = Type.String();
const textOrNull = orNull(text);

const output = Type.Object(
  {
    starred_at: orNull(text, { description: 'Null: not starred.' }),
    notes: Type.Array(noteSchema, { description: 'Newest first.' }),
    tags: Type.Array(tagSchema),
    lists: Type.Array(Type.Object({ list_id: Type.Integer(), name: text, mailed_on: textOrNull }, strict)),
    do_not_mail: Type.Array(
      Type.Object(
        { do_not_mail_id: Type.Integer(), by_owner: Type.Boolean(), by_address: Type.Boolean(), added_at: text },
        strict,
      ),
      { description: 'Entries that keep letters to this owner back.' },
    ),
    mailed_on: orNull(text, { description: 'Date of the latest letter, in any list.' }),
    valued_at: textOrNull,
    owner_then: orNull(text, {
      description: 'The owner at the time of starring, if it has changed since; null: no known change.',
    }),
  },
  strict,
);
type ParcelWork = ValueOf<typeof output>;

interface Owner {
  readonly owner_name: string | null;
  readonly owner_name_2: string | null;
  readonly mailing_key: string | null;
}

function doNotMailOf({ account, land }: ReadContext, id: number): ParcelWork['do_not_mail'] {
  const owner = land.file.get<Owner>(
    'SELECT owner_name, owner_name_2, mailing_key FROM parcels WHERE property_id = ?',
    id,
  );
  const found = account.file.all<{ do_not_mail_id: number; by_owner: number; by_address: number; added_at: string }>(
    `SELECT do_not_mail_id, owner_key IS NOT NULL AS by_owner, mailing_key IS NOT NULL AS by_address, added_at
     FROM do_not_mail WHERE mailing_key = ? OR owner_key IN (?, ?) ORDER BY do_not_mail_id`,
    owner?.mailing_key ?? null,
    ownerKey(owner?.owner_name),
    ownerKey(owner?.owner_name_2),
  );
  return found.map((row) => ({ ...row, by_owner: row.by_owner === 1, by_address: row.by_address === 1 }));
}

function ownerThen({ account, land }: ReadContext, id: number): string | null {
  const then = account.file.get<{ owner_then: string | null }>(
    'SELECT owner_then FROM stars WHERE property_id = ?',
    id,
  )?.owner_then;
  const now = land.file.get<{ owner_name: string | null }>('SELECT owner_name FROM parcels WHERE property_id = ?', id);
  const hasChanged = then && now?.owner_name && ownerKey(then) !== ownerKey(now.owner_name);
  return hasChanged ? then : null;
}

export const parcelWork = defineRead({
  name: 'parcel_work',
  docs: 'Star, notes, tags, lists, letters and Do not mail of one parcel, and when it was valued last.',
  input: Type.Object({ id: wholeNumberSchema(1, Number.MAX_SAFE_INTEGER) }, strict),
  output,
  run: ({ id }, context) => {
    const { file } = context.account;
    const lists = file.all<ParcelWork['lists'][number]>(
      `SELECT list_id, name, mailed_on FROM list_members JOIN lists USING (list_id) WHERE property_id = ?
       ORDER BY lists.position, list_id`,
      id,
    );
    return {
      starred_at: file.get<{ at: string }>('SELECT starred_at AS at FROM stars WHERE property_id = ?', id)?.at ?? null,
      notes: file.all<Note>('SELECT * FROM notes WHERE property_id = ? ORDER BY made_at DESC, note_id DESC', id),
      tags: file.all<Tag>(
        'SELECT tag_id, name, color FROM parcel_tags JOIN tags USING (tag_id) WHERE property_id = ? ORDER BY name',
        id,
      ),
      lists,
      do_not_mail: doNotMailOf(context, id),
      mailed_on: lists.reduce<string | null>(
        (latest, { mailed_on: on }) => ((on ?? '') > (latest ?? '') ? on : latest),
        null,
      ),
      valued_at:
        file.get<{ at: string }>('SELECT valued_at AS at FROM stored_values WHERE property_id = ?', id)?.at ?? null,
      owner_then: ownerThen(context, id),
    };
  },
});

export const deals = defineRead({
  name: 'deals',
  docs: listDeals.docs,
  input: listDeals.input,
  output: listDeals.output,
  run: (input, context) => runAtHome(listDeals, input, context),
});
