/** Stars: parcels to return to. */
import Type from 'typebox';
import { count, strict } from '../spec/value-schemas.ts';
import { defineChange } from './change.ts';
import { idsSchema, ownersOf, parcelWords, requireParcels } from './chosen-parcels.ts';

const input = Type.Object({ ids: idsSchema }, strict);
const output = Type.Object({ changed: count() }, strict);

export const star = defineChange({
  name: 'star',
  docs: 'Stars parcels, and records their current owners.',
  input,
  output,
  write: ({ ids }, { engine, at }) => {
    requireParcels(engine, ids);
    const { changes } = engine.account.file.run(
      `INSERT INTO stars (property_id, starred_at, owner_then)
       SELECT e.value ->> 'property_id', ?, e.value ->> 'owner_name' FROM json_each(?) e WHERE true
       ON CONFLICT (property_id) DO NOTHING`,
      at,
      JSON.stringify(ownersOf(engine, ids)),
    );
    return { data: { changed: changes }, sentence: `Starred ${parcelWords(engine, ids)}` };
  },
});

export const unstar = defineChange({
  name: 'unstar',
  docs: 'Takes the star off parcels.',
  input,
  output,
  write: ({ ids }, { engine }) => {
    const { changes } = engine.account.file.run(
      'DELETE FROM stars WHERE property_id IN (SELECT value FROM json_each(?))',
      JSON.stringify(ids),
    );
    return { data: { changed: changes }, sentence: `Took the star off ${parcelWords(engine, ids)}` };
  },
});

export const acceptOwners = defineChange({
  name: 'accept_owners',
  docs: 'Marks the new owners of starred and listed parcels as seen.',
  input,
  output,
  write: ({ ids }, { engine }) => {
    requireParcels(engine, ids);
    const { file } = engine.account;
    const owners = JSON.stringify(ownersOf(engine, ids));
    const changes = ['stars', 'list_members'].map(
      (table) =>
        file.run(
          `UPDATE ${table} AS t SET owner_then = e.value ->> 'owner_name' FROM json_each(?) e
           WHERE t.property_id = e.value ->> 'property_id' AND t.owner_then IS NOT e.value ->> 'owner_name'`,
          owners,
        ).changes,
    );
    return {
      data: { changed: changes.reduce((sum, count) => sum + count, 0) },
      sentence: `Noted the new owner of ${parcelWords(engine, ids)}`,
    };
  },
});
