/** A range of rows of a list: the county's columns, and those added by the user and priced runs. */
import Type from 'typebox';
import { isDoNotMail, readDoNotMail } from '../query/do-not-mail.ts';
import { listedRows } from '../query/live-rows.ts';
import { rowColumns } from '../query/row-columns.ts';
import { choiceSchema, count, orNull, strict, type ValueOf, wholeNumberSchema } from '../spec/value-schemas.ts';
import { type ListOf, listOrderingSchema, orderedMembers } from '../work/list-order.ts';
import { type AddedColumns, addedColumns, addedColumnsSchema } from './added-columns.ts';
import { defineRead, type ReadContext } from './read.ts';

const idSchema = wholeNumberSchema(1, Number.MAX_SAFE_INTEGER);

const input = Type.Object(
  {
    of: Type.Union([Type.Object({ list_id: idSchema }, strict), Type.Object({ starred: Type.Literal(true) }, strict)], {
      'x-expected': '{ list_id } or { starred: true }',
    }),
    columns: Type.Array(choiceSchema(rowColumns, { expected: 'a column of the parcel dictionary' }), { maxItems: 200 }),
    ordering: Type.Optional(listOrderingSchema),
    offset: Type.Optional(wholeNumberSchema(0, Number.MAX_SAFE_INTEGER, { default: 0 })),
    limit: Type.Optional(wholeNumberSchema(1, 1000, { default: 100 })),
    find: Type.Optional(
      wholeNumberSchema(1, Number.MAX_SAFE_INTEGER, { description: 'A parcel whose index is wanted.' }),
    ),
  },
  strict,
);
type ListPageInput = ValueOf<typeof input>;

const row = Type.Object({
  property_id: Type.Integer(),
  has_shape: Type.Boolean(),
  is_gone: Type.Boolean({ description: 'No longer in the county’s file.' }),
  is_starred: Type.Boolean(),
  is_do_not_mail: Type.Boolean(),
  mailed_on: orNull(Type.String()),
  ...addedColumnsSchema,
});
type ListRow = ValueOf<typeof row>;

const output = Type.Object(
  {
    count: count(),
    rows: Type.Array(Type.Unsafe<ListRow & Record<string, unknown>>(row), {
      description: 'Also the requested columns.',
    }),
    index: orNull(Type.Integer({ minimum: -1 })),
  },
  strict,
);

interface KeptOrder {
  readonly key: string;
  readonly ids: Float64Array;
}

/** The order of the displayed list: scrolling requests one page after the other. */
const keptOrders = new WeakMap<ReadContext['account'], KeptOrder>();

function membersOf(context: ReadContext, asked: ListPageInput): Float64Array {
  const { account, land } = context;
  const key = JSON.stringify([asked.of, asked.ordering, account.file.writesSeen(), land.file.writesSeen()]);
  const known = keptOrders.get(account);
  if (known?.key === key) return known.ids;
  const ids = Float64Array.from(orderedMembers(context, asked.of, asked.ordering));
  keptOrders.set(account, { key, ids });
  return ids;
}

/** Read for every row, whatever columns are displayed. */
const always = ['status', 'owner_name', 'owner_name_2'];

const keysSql = 'SELECT property_id, mailing_key FROM parcels WHERE property_id IN (SELECT value FROM json_each(?))';

function rowsOf(context: ReadContext, ids: readonly number[], asked: ListPageInput) {
  const { account, land } = context;
  const rows = listedRows(land, ids, [...new Set([...always, ...asked.columns])]);
  const json = JSON.stringify(ids);
  const keys = new Map(
    land.file
      .all<{ property_id: number; mailing_key: string | null }>(keysSql, json)
      .map((row) => [row.property_id, row.mailing_key]),
  );
  const starred = new Set(
    account.file.column<number>(
      'SELECT property_id FROM stars WHERE property_id IN (SELECT value FROM json_each(?))',
      json,
    ),
  );
  const blocked = readDoNotMail(account);
  const mailed = mailedOn(context, asked.of, json);
  const added = addedColumns(context, 'list_id' in asked.of ? asked.of.list_id : null, ids);
  return ids.map((id) => {
    const row = rows.get(id) ?? { property_id: id, has_shape: false, status: 'retired' };
    const owner = {
      mailing_key: keys.get(id) ?? null,
      owner_name: (row.owner_name as string | null | undefined) ?? null,
      owner_name_2: (row.owner_name_2 as string | null | undefined) ?? null,
    };
    return {
      ...row,
      ...(added.get(id) as AddedColumns),
      property_id: id,
      has_shape: row.has_shape === true,
      is_gone: row.status !== 'current',
      is_starred: starred.has(id),
      is_do_not_mail: isDoNotMail(blocked, owner),
      mailed_on: mailed.get(id) ?? null,
    };
  });
}

/** Mailing days by property_id, of parcels that were mailed. */
function mailedOn({ account: { file } }: ReadContext, of: ListOf, ids: string): ReadonlyMap<number, string> {
  if ('starred' in of) return new Map();
  const rows = file.rawRows(
    `SELECT property_id, mailed_on FROM list_members WHERE list_id = ? AND mailed_on IS NOT NULL
       AND property_id IN (SELECT value FROM json_each(?))`,
    of.list_id,
    ids,
  );
  return new Map(rows as [number, string][]);
}

export const listPage = defineRead({
  name: 'list_page',
  docs: 'A range of rows of a list or of the starred parcels, with the requested columns, values, traces and the user’s notes. Parcels that left the county’s file stay listed, marked as such.',
  input,
  output,
  run: (asked, context) => {
    const { offset = 0, limit = 100, find } = asked;
    const ids = membersOf(context, asked);
    return {
      count: ids.length,
      rows: rowsOf(context, [...ids.subarray(offset, offset + limit)], asked),
      index: find === undefined ? null : ids.indexOf(find),
    };
  },
});
