/** The parcels of a list, or all starred ones, in the order of a column: as in the table and in exports. */
import type { Engine } from '../engine.ts';
import { parseOrdering } from '../operations/parcel-list.ts';
import { orderListed } from '../query/live-rows.ts';
import { rowOrderings } from '../query/row-columns.ts';
import { EngineError } from '../spec/errors.ts';
import { choiceSchema } from '../spec/value-schemas.ts';

/** The parcels of a frozen list, or all starred ones. */
export type ListOf = { readonly list_id: number } | { readonly starred: true };

/** Columns of the list itself; unknown values come last in either direction. */
const ownOrderings = ['mailed_on', 'value'] as const;

export const listOrderingSchema = choiceSchema(
  [...rowOrderings, ...ownOrderings].flatMap((column) => [column, `-${column}`]),
  { expected: 'a column to sort by, like "acres" or "-acres"' },
);

/** Only to sort by: avoids parsing a hundred thousand explanations for a page of a hundred. */
const valueSql = `(SELECT json_extract(explained, '$.numbers.mean_adjusted_price') FROM stored_values v
  WHERE v.property_id = m.property_id) AS value`;

/** All of them. @param order absent or null: the list's own order @throws EngineError not_found */
export function orderedMembers(
  { account: { file }, land }: Pick<Engine, 'account' | 'land'>,
  of: ListOf,
  order: string | null | undefined,
): number[] {
  const ordering = parseOrdering(order ?? undefined);
  const own = ownOrderings.find((column) => column === ordering?.column);
  const direction = ordering?.descending ? 'DESC' : 'ASC';
  const by = (column: string, otherwise: string) =>
    own ? `${column} ${direction} NULLS LAST, ${otherwise}` : otherwise;
  const isStarred = 'starred' in of;
  if (!isStarred && !file.get('SELECT 1 FROM lists WHERE list_id = ?', of.list_id))
    throw new EngineError('not_found', `There is no list ${of.list_id}: it may have been deleted.`);
  const value = own === 'value' ? valueSql : 'NULL AS value';
  const ids = isStarred
    ? file.column<number>(
        `SELECT property_id, NULL AS mailed_on, ${value} FROM stars m ORDER BY ${by(own ?? '', 'starred_at DESC, property_id')}`,
      )
    : file.column<number>(
        `SELECT property_id, mailed_on, ${value} FROM list_members m WHERE list_id = ? ORDER BY ${by(own ?? '', 'position')}`,
        of.list_id,
      );
  return ordering && !own ? orderListed(land, ids, ordering) : ids;
}
