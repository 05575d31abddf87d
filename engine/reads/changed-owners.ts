/** Starred parcels whose owner has changed since, as an import shows. */
import Type from 'typebox';
import { ownerKey } from '../query/do-not-mail.ts';
import { noInput, orNull, strict } from '../spec/value-schemas.ts';
import { defineRead } from './read.ts';

interface Row {
  readonly property_id: number;
  readonly apn: string | null;
  readonly owner_name: string | null;
  readonly imported_at: string | null;
}

const parcelsSql = `
SELECT p.property_id, p.apn, p.owner_name, d.imported_at FROM json_each(?) e
JOIN parcels p ON p.property_id = e.value LEFT JOIN datasets d USING (dataset_id) ORDER BY p.property_id`;

const output = Type.Object(
  {
    parcels: Type.Array(
      Type.Object(
        {
          property_id: Type.Integer(),
          apn: orNull(Type.String()),
          owner_then: Type.String(),
          owner_now: Type.String(),
          imported_at: orNull(Type.String(), { description: 'When the county was last imported.' }),
        },
        strict,
      ),
    ),
  },
  strict,
);

export const changedOwners = defineRead({
  name: 'changed_owners',
  docs: 'Starred parcels whose owner has changed since. An unpublished name, then or now, does not count as a change.',
  input: noInput,
  output,
  run: (_input, { account, land }) => {
    const then = new Map(
      account.file
        .all<{ property_id: number; owner_then: string }>(
          'SELECT property_id, owner_then FROM stars WHERE owner_then IS NOT NULL',
        )
        .map((row) => [row.property_id, row.owner_then]),
    );
    const rows = land.file.all<Row>(parcelsSql, JSON.stringify([...then.keys()]));
    const parcels = rows.flatMap(({ property_id, apn, owner_name: now, imported_at }) => {
      const before = then.get(property_id) ?? '';
      if (now === null || ownerKey(now) === null || ownerKey(before) === ownerKey(now)) return [];
      return [{ property_id, apn, owner_then: before, owner_now: now, imported_at }];
    });
    return { parcels };
  },
});
