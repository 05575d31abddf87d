/**
 * What is said of owners. Do not mail: who asked not to get letters; it belongs to no list and outlives them all. Verdicts:
 * whether two are one.
 */
import Type from 'typebox';
import { readPlan, requirePlan } from '../account/plan.ts';
import { judgeOwners as judgeOperation } from '../operations/judge-owners.ts';
import { runAtHome } from '../operations/operation.ts';
import { ownerKey } from '../query/do-not-mail.ts';
import { EngineError, validationError } from '../spec/errors.ts';
import { oneOf, strict, textSchema, type ValueOf } from '../spec/value-schemas.ts';
import { type ChangeContext, defineChange } from './change.ts';
import { idSchema, idsSchema, ownersOf, requireParcels } from './chosen-parcels.ts';

export { type DoNotMail, isDoNotMail, keptBackIds, ownerKey, readDoNotMail } from '../query/do-not-mail.ts';

interface ParcelOwner {
  readonly owner_name: string | null;
  readonly mailing_key: string | null;
  readonly mailing_address: string | null;
  readonly mailing_city: string | null;
  readonly mailing_state: string | null;
  readonly mailing_zip: string | null;
}

const target = Type.Object(
  {
    property_id: Type.Optional(idSchema),
    by: Type.Optional(
      Type.Array(oneOf(['address', 'owner']), {
        'x-expected': 'a list of "address" and "owner"',
        minItems: 1,
        maxItems: 2,
        description: 'For a parcel: its mailing address, its owner’s name, or both.',
      }),
    ),
    owner_name: Type.Optional(textSchema()),
  },
  strict,
);
type Target = ValueOf<typeof target>;

interface Keys {
  readonly mailing_key: string | null;
  readonly owner_key: string | null;
  readonly owner_name: string | null;
  readonly address: string | null;
  readonly property_id: number | null;
}

const parcelSql = `SELECT owner_name, mailing_key, mailing_address, mailing_city, mailing_state, mailing_zip
  FROM parcels WHERE property_id = ?`;

const eitherOr = () => validationError({ non_field_errors: ['expected either owner_name, or property_id with by'] });

const addressOf = ({
  mailing_address: street,
  mailing_city: city,
  mailing_state: state,
  mailing_zip: zip,
}: ParcelOwner) => [street, city, [state, zip].filter(Boolean).join(' ')].filter(Boolean).join(', ') || null;

/** @throws EngineError validation_error if the record lacks the requested key */
function keysOf({ engine }: ChangeContext, { owner_name: given, property_id: id, by }: Target): Keys {
  if (given !== undefined) {
    const name = given.trim();
    return { mailing_key: null, owner_key: ownerKey(name), owner_name: name, address: null, property_id: null };
  }
  if (id === undefined || by === undefined) throw eitherOr();
  const parcel = engine.land.file.get<ParcelOwner>(parcelSql, id);
  if (!parcel) throw validationError({ property_id: [`there is no parcel ${id}`] });
  const mailingKey = by.includes('address') ? parcel.mailing_key : null;
  const owner = by.includes('owner') ? ownerKey(parcel.owner_name) : null;
  if (by.includes('address') && mailingKey === null)
    throw validationError({ by: [`parcel ${id} has no mailing address on record`] });
  if (by.includes('owner') && owner === null)
    throw validationError({ by: [`parcel ${id} has no owner name on record`] });
  return {
    mailing_key: mailingKey,
    owner_key: owner,
    owner_name: parcel.owner_name,
    address: mailingKey === null ? null : addressOf(parcel),
    property_id: id,
  };
}

export const doNotMailAdd = defineChange({
  name: 'do_not_mail_add',
  docs: 'Blocks letters for good: to a parcel’s mailing address, to its owner’s name wherever it occurs, or to both; either match suffices.',
  input: target,
  output: Type.Object({ do_not_mail_id: Type.Integer() }, strict),
  write: (input, context) => {
    if ((input.owner_name === undefined) === (input.property_id === undefined || input.by === undefined))
      throw eitherOr();
    const keys = keysOf(context, input);
    const { id } = addEntry(context, keys);
    return { data: { do_not_mail_id: id }, sentence: `Added ${keys.owner_name ?? keys.address} to Do not mail` };
  },
});

/** One entry per pair of keys, however often it is added. */
function addEntry({ engine, at }: ChangeContext, keys: Keys): { readonly id: number; readonly isNew: boolean } {
  const { file } = engine.account;
  const standing = file.get<{ do_not_mail_id: number }>(
    'SELECT do_not_mail_id FROM do_not_mail WHERE mailing_key IS ? AND owner_key IS ?',
    keys.mailing_key,
    keys.owner_key,
  );
  if (standing) return { id: standing.do_not_mail_id, isNew: false };
  const { lastInsertRowid } = file.run(
    `INSERT INTO do_not_mail (mailing_key, owner_key, owner_name, address, property_id, added_at)
     VALUES (:mailing_key, :owner_key, :owner_name, :address, :property_id, :at)`,
    { ...keys, at },
  );
  return { id: Number(lastInsertRowid), isNew: true };
}

/** Blocks letters to a parcel's mailing address, or to its owner's name without one; `without`: there is neither. */
export function blockOwner(context: ChangeContext, id: number): 'new' | 'standing' | 'without' {
  const parcel = context.engine.land.file.get<ParcelOwner>(parcelSql, id);
  const by = parcel?.mailing_key ? 'address' : ownerKey(parcel?.owner_name ?? null) === null ? null : 'owner';
  if (by === null) return 'without';
  return addEntry(context, keysOf(context, { property_id: id, by: [by] })).isNew ? 'new' : 'standing';
}

export const doNotMailAddAll = defineChange({
  name: 'do_not_mail_add_all',
  docs: 'Blocks letters for good to the owners of several parcels: to their mailing address, or to their name if none is on record.',
  input: Type.Object({ ids: idsSchema }, strict),
  output: Type.Object(
    {
      added: Type.Integer({ description: 'Newly added owners.' }),
      without: Type.Integer({
        description: 'Parcels with neither a mailing address nor an owner’s name: they cannot be blocked.',
      }),
    },
    strict,
  ),
  write: ({ ids }, context) => {
    requireParcels(context.engine, ids);
    let [added, without] = [0, 0];
    for (const id of new Set(ids)) {
      const blocked = blockOwner(context, id);
      if (blocked === 'without') without += 1;
      else if (blocked === 'new') added += 1;
    }
    const owners = added === 1 ? '1 owner' : `${added.toLocaleString('en-US')} owners`;
    const rest = without === 0 ? '' : `; ${without.toLocaleString('en-US')} without an address or a name`;
    return { data: { added, without }, sentence: `Added ${owners} to Do not mail${rest}` };
  },
});

export const doNotMailRemove = defineChange({
  name: 'do_not_mail_remove',
  docs: 'Removes an entry from Do not mail: letters may go there again.',
  input: Type.Object({ do_not_mail_id: idSchema }, strict),
  output: Type.Null(),
  write: ({ do_not_mail_id: id }, { engine }) => {
    const { file } = engine.account;
    const row = file.get<{ owner_name: string | null; address: string | null }>(
      'SELECT owner_name, address FROM do_not_mail WHERE do_not_mail_id = ?',
      id,
    );
    if (!row) throw new EngineError('not_found', `There is no entry ${id} under Do not mail.`);
    file.run('DELETE FROM do_not_mail WHERE do_not_mail_id = ?', id);
    return { data: null, sentence: `Took ${row.owner_name ?? row.address} off Do not mail` };
  },
});

const said = { same: 'the same as', different: 'different from', shares: 'sharing a person with', none: 'unknown to' };

export const judgeOwners = defineChange({
  name: judgeOperation.name,
  docs: judgeOperation.docs,
  input: judgeOperation.input,
  output: judgeOperation.output,
  write: (input, { engine }) => {
    requirePlan(readPlan(engine.account));
    const data = runAtHome(judgeOperation, input, engine);
    const [first, second] = ownersOf(engine, [input.property_id, ...input.other_ids.slice(0, 1)]);
    return { data, sentence: `Called ${first?.owner_name} ${said[input.verdict]} ${second?.owner_name}` };
  },
});
