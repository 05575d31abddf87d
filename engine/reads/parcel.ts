/** One parcel for the detail pane, and its neighbours: free in the app, while the operations charge callers of the API. */
import Type from 'typebox';
import { getProperty, shapeSchema } from '../operations/get-property.ts';
import { listNeighbours, neighbourFields } from '../operations/list-neighbours.ts';
import { bandBeside, findNeighbours, type Neighbour, placesBeside } from '../query/neighbours.ts';
import { findParcel } from '../query/parcel-detail.ts';
import type { ParcelShape } from '../query/parcel-shapes.ts';
import { stackedOf } from '../query/stacked.ts';
import { noParcel } from '../spec/errors.ts';
import { pointSchema } from '../spec/parcel-summary.ts';
import { count, orNull, strict, wholeNumberSchema } from '../spec/value-schemas.ts';
import { defineRead, type ReadContext } from './read.ts';

const stackedParcel = Type.Object(
  { property_id: Type.Integer(), apn: orNull(Type.String()), owner_name: orNull(Type.String()) },
  strict,
);

const output = Type.Object(
  {
    parcel: getProperty.output,
    other_parcels: orNull(count(), {
      description: 'Further parcels whose owner has the same mailing address; null when this one has none on record.',
    }),
    stacked: Type.Object(
      { lot: orNull(stackedParcel), count: count(), accounts: Type.Array(stackedParcel) },
      { ...strict, description: 'Accounts without a shape on this lot, the first by APN; for one of them its lot.' },
    ),
    raw_columns: orNull(Type.Record(Type.String(), Type.Unknown()), {
      description: 'The county file’s columns beyond the dictionary, unchanged; null: none, or an older import.',
    }),
  },
  strict,
);

export const parcel = defineRead({
  name: 'parcel',
  docs: 'Every column of one parcel, with its shape, and how many other parcels its owner has by mailing address.',
  input: Type.Object({ id: wholeNumberSchema(0, Number.MAX_SAFE_INTEGER) }, strict),
  output,
  run: ({ id }, context) => {
    const found = findParcel(context.land, id);
    if (!found) throw noParcel(id);
    return {
      parcel: found,
      other_parcels: otherParcels(context, id),
      stacked: stackedOf(context.land, id),
      raw_columns: rawColumns(context, id),
    };
  },
});

function rawColumns({ land }: ReadContext, id: number): Record<string, unknown> | null {
  const row = land.file.get<{ json: string }>('SELECT json FROM raw_columns WHERE property_id = ?', id);
  return row ? (JSON.parse(row.json) as Record<string, unknown>) : null;
}

function otherParcels({ land }: ReadContext, id: number): number | null {
  const key = land.file.get<{ mailing_key: string | null }>(
    'SELECT mailing_key FROM parcels WHERE property_id = ?',
    id,
  )?.mailing_key;
  if (key === null || key === undefined) return null;
  return (
    land.file.get<{ n: number }>(
      "SELECT count(*) AS n FROM parcels WHERE mailing_key = ? AND property_id <> ? AND status = 'current'",
      key,
      id,
    )?.n ?? 0
  );
}

const { id, within_feet } = listNeighbours.input.properties;

export const neighbours = defineRead({
  name: 'neighbours',
  docs: 'Parcels that abut a parcel, lie across the road, or within a distance of its boundary, all in one answer, in the order of list_neighbours; and sentences beside them.',
  input: Type.Object({ id, within_feet }, strict),
  output: Type.Object(
    {
      property_id: id,
      within_feet: orNull(Type.Number()),
      neighbours: Type.Array(
        Type.Unsafe<Neighbour & { place: number[] | null }>(
          Type.Object(
            {
              ...neighbourFields,
              place: orNull(pointSchema, { description: 'Where the map has its number: beside the parcel.' }),
            },
            strict,
          ),
        ),
      ),
      notices: Type.Array(Type.String()),
      band: Type.Unsafe<ParcelShape['shape'] | null>(
        orNull(shapeSchema, { description: 'What lies within the distance; null without one, or a shape of its own.' }),
      ),
    },
    strict,
  ),
  run: ({ id: asked, within_feet: feet = null }, { land }) => {
    const found = findNeighbours(land, asked, feet);
    if (!found) throw noParcel(asked);
    const { neighbours: around, notices } = found;
    const places = placesBeside(land, asked, around);
    const placed = around.map((one) => ({ ...one, place: places.get(one.property_id)?.slice() ?? null }));
    return {
      ...{ property_id: asked, within_feet: feet, neighbours: placed, notices: [...notices] },
      band: bandBeside(land, asked, feet),
    };
  },
});
