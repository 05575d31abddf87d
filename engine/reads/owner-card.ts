/** The card of an owner: free in the app, while `get_owner` charges callers of the API. */
import Type from 'typebox';
import { getOwner } from '../operations/get-owner.ts';
import { type OwnerLand, parcelsOfOwner, readOwnerLand } from '../owners/owner-card.ts';
import { readOwner } from '../owners/read-owner.ts';
import { readVerdicts, staleOwnerCounties } from '../owners/update-owners.ts';
import { noParcel } from '../spec/errors.ts';
import { pointSchema } from '../spec/parcel-summary.ts';
import { boxSchema, count, oneOf, orNull, strict, wholeNumberSchema } from '../spec/value-schemas.ts';
import { defineRead, type ReadContext } from './read.ts';

const text = Type.String();
const number = orNull(Type.Number());
const ids = Type.Array(Type.Integer());

const land = {
  pieces: Type.Array(Type.Object({ parcels: count(), acres: number, point: orNull(pointSchema) }, strict), {
    description: 'Holdings, largest first.',
  }),
  totals: Type.Array(
    Type.Object(
      {
        ...{ fips: text, county_name: orNull(text), town: orNull(text), parcels: count(), acres: number },
        ...{ holdings: count(), value: number },
      },
      strict,
    ),
    { description: 'Each county, with town null, then its towns; an empty town is unknown.' },
  ),
  value_is: oneOf(['market', 'assessed']),
  valued: count('Parcels with a known value.'),
  property_ids: ids,
};

export interface OwnerEvent {
  readonly at: string;
  readonly what: 'sale' | 'note' | 'deal';
  readonly property_id: number;
  readonly apn: string | null;
  readonly text: string;
  readonly price: number | null;
}

const output = Type.Object(
  {
    owner: getOwner.output,
    ...land,
    perhaps: Type.Array(Type.Object({ property_id: Type.Integer(), property_ids: ids }, strict), {
      description: 'The parcels of each owner that is perhaps the same.',
    }),
    history: Type.Array(
      Type.Unsafe<OwnerEvent>(
        Type.Object(
          {
            ...{ at: text, what: oneOf(['sale', 'note', 'deal']), property_id: Type.Integer(), apn: orNull(text) },
            ...{ text, price: number },
          },
          strict,
        ),
      ),
      { description: 'Sales on record, notes and deals of all its parcels, newest first, at most 200.' },
    ),
    bounds: orNull(boxSchema),
  },
  strict,
);

const mostEvents = 200;

export const ownerCard = defineRead({
  name: 'owner_card',
  docs: 'The owner of a parcel as `get_owner` has it, with holdings placed on the map, sums by county and town, and the sales, notes and deals of all its parcels.',
  input: Type.Object({ id: wholeNumberSchema(1, Number.MAX_SAFE_INTEGER) }, strict),
  output,
  run: ({ id }, context) => {
    const { file } = context.land;
    return file.snapshot(() => {
      const owner = readOwner(file, id);
      if (!owner) throw noParcel(id);
      const isCurrent = staleOwnerCounties(file, readVerdicts(context.account.file)).length === 0;
      if (!isCurrent) context.land.onStaleOwners();
      const { sales, ...own } = readOwnerLand(file, id) ?? noLand;
      return {
        owner: { is_current: isCurrent, ...owner },
        ...{ ...own, pieces: own.pieces.map((piece) => ({ ...piece, point: piece.point && [...piece.point] })) },
        ...{ totals: [...own.totals], property_ids: [...own.property_ids] },
        perhaps: owner.perhaps_same.map(({ property_id: of }) => ({
          ...{ property_id: of, property_ids: parcelsOfOwner(file, of) },
        })),
        history: historyOf(context, own.property_ids, sales),
        bounds: boundsOf(context, own.property_ids),
      };
    });
  },
});

const noLand: OwnerLand = { pieces: [], totals: [], value_is: 'market', valued: 0, property_ids: [], sales: [] };

function historyOf({ account, land: { file } }: ReadContext, of: readonly number[], sales: OwnerLand['sales']) {
  const given = JSON.stringify(of);
  const lines = (table: string, at: string, words: string) =>
    account.file.all<{ property_id: number; at: string; text: string; detail: string | null }>(
      `SELECT property_id, ${at} AS at, ${words} FROM ${table} WHERE property_id IN (SELECT value FROM json_each(?))
       ORDER BY ${at} DESC LIMIT ${mostEvents}`,
      given,
    );
  const notes = lines('notes', 'made_at', 'text, NULL AS detail');
  const deals = lines('deal_log', 'at', 'what AS text, detail');
  const worked = [...new Set([...notes, ...deals].map(({ property_id: id }) => id))];
  const named = file.all<{ property_id: number; apn: string | null }>(
    'SELECT property_id, apn FROM parcels WHERE property_id IN (SELECT value FROM json_each(?))',
    JSON.stringify(worked),
  );
  const apns = new Map(named.map(({ property_id: id, apn }) => [id, apn]));
  const eventOf = (what: 'note' | 'deal', row: { property_id: number; at: string }, words: string): OwnerEvent => ({
    ...{ at: row.at, what, property_id: row.property_id, apn: apns.get(row.property_id) ?? null },
    ...{ text: words, price: null },
  });
  return [
    ...sales.map(({ date, seller, ...sale }): OwnerEvent => ({ ...sale, at: date, what: 'sale', text: seller ?? '' })),
    ...notes.map((row) => eventOf('note', row, row.text)),
    ...deals.map((row) => eventOf('deal', row, dealWords(row.text, row.detail))),
  ]
    .sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : a.property_id - b.property_id))
    .slice(0, mostEvents);
}

const dealWords = (what: string, detail: string | null): string =>
  what === 'stage' ? (detail ?? what) : [what, detail ?? ''].join(' ').trim();

function boundsOf({ land: { file } }: ReadContext, of: readonly number[]): [number, number, number, number] | null {
  const box = file.get<Record<'west' | 'south' | 'east' | 'north', number | null>>(
    `SELECT min(i.xmin) AS west, min(i.ymin) AS south, max(i.xmax) AS east, max(i.ymax) AS north
     FROM idx_parcels_geom i WHERE i.pkid IN (SELECT value FROM json_each(?))`,
    JSON.stringify(of),
  );
  const { west = null, south = null, east = null, north = null } = box ?? {};
  return west === null || south === null || east === null || north === null ? null : [west, south, east, north];
}
