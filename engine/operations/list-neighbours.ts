/** GET properties/{id}/neighbours/: whose land lies around a parcel. */
import Type from 'typebox';
import { andThen } from '../land/answered.ts';
import { directions, type Neighbour, relations } from '../query/neighbours.ts';
import { pastTheEnd } from '../query/parcel-query.ts';
import { noParcel } from '../spec/errors.ts';
import { mostFeetAround } from '../spec/filter-kinds.ts';
import { envelopeSchema, pageFields, pageOf } from '../spec/paging.ts';
import { type AddedFields, fieldsField } from '../spec/parcel-fields.ts';
import { numberSchema, oneOf, orNull, parcelIdSchema, strict } from '../spec/value-schemas.ts';
import { defineOperation, telling } from './operation.ts';
import { envelopeOf, parcelTable, rowFields, withFields } from './parcel-list.ts';

const pageSizes = { standard: 100, maximum: 500 };
const price = 10;

const ownFields = {
  relation: oneOf(relations, {
    description:
      'abutting: at least 2 m of common boundary, drawn within a meter of each other; across: faces the parcel over a road of up to 25 m, with nothing parcelled between but the road, where its land use says so; within: neither, but nearer than `within_feet`.',
  }),
  shared_feet: Type.Number({
    description:
      'Feet of common boundary; across a road, of boundary that faces the parcel; 0 within a distance and on the same ground.',
  }),
  distance_feet: Type.Number({
    description: 'Feet between the boundaries, the geodesic on WGS84; 0 where they touch.',
  }),
  direction: orNull(oneOf(directions), {
    description: 'From the middle of the parcel to the common boundary, else to the nearest; null on the same ground.',
  }),
  same_owner: orNull(Type.Boolean(), {
    description: 'Whether both owners have one name; null where one is unknown.',
  }),
  stacked_on: orNull(Type.Integer(), {
    description: 'The property_id of the listed lot on whose ground the account lies: a condominium, a mobile home.',
  }),
};

export const neighbourFields = {
  ...rowFields,
  ...ownFields,
};

const neighbourSchema = Type.Unsafe<Neighbour & Omit<AddedFields, 'stacked_on'>>(
  Type.Object(neighbourFields, { ...strict, title: 'Neighbour' }),
);

export const listNeighbours = defineOperation({
  name: 'list_neighbours',
  summary: 'List whose land lies around a parcel',
  docs: 'Parcels that share a boundary with a parcel, that face it across a road, or that lie within a distance of its boundary; clockwise from north in each of these relations. A lot brings every account on its ground. Touching at a corner is no common boundary. Of an account without a shape, the neighbours of its lot. Boundaries are approximate, not a survey.',
  http: { method: 'GET', path: 'properties/{id}/neighbours/', status: 200 },
  scope: 'read',
  needsPlan: true,
  meteringKey: 'public_property_search',
  priceDocs: `${price} tokens a call; 0 when there is no neighbour`,
  quote: () => price,
  price: (list) => (list.count === 0 ? 0 : price),
  input: Type.Object(
    {
      id: parcelIdSchema,
      within_feet: Type.Optional(
        Type.Number({
          ...numberSchema(),
          ...{ minimum: 0, maximum: mostFeetAround, 'x-expected': `a number from 0 to ${mostFeetAround} (5 miles)` },
          description:
            'Also parcels within so many feet of the boundary; 0 means those that touch it, if only at a corner.',
        }),
      ),
      fields: Type.Optional(fieldsField),
      ...Type.Partial(Type.Object(pageFields(pageSizes))).properties,
    },
    strict,
  ),
  output: envelopeSchema(neighbourSchema),
  hasNotices: true,
  table: {
    columns: [...parcelTable.columns, ...Object.keys(ownFields)],
    addedColumns: (input) => parcelTable.addedColumns(input).filter((name) => !(name in ownFields)),
    rows: parcelTable.rows,
    total: parcelTable.total,
  },
  pages: pageSizes,
  run: (input, context) => {
    const page = pageOf(input, pageSizes);
    return context.land.reading((land) =>
      andThen(land.neighbours(input.id, input.within_feet ?? null), (found) => {
        if (!found) throw noParcel(input.id);
        const { neighbours, notices } = found;
        if (page.number > 1 && page.offset >= neighbours.length) throw pastTheEnd(page, neighbours.length);
        const results = neighbours.slice(page.offset, page.offset + page.size);
        return telling(
          context,
          () => notices,
          () =>
            andThen(withFields(land, results, input.fields), (rows) =>
              envelopeOf({ count: neighbours.length, results: rows }, page, context),
            ),
        );
      }),
    );
  },
  examples: [
    { title: 'What abuts a parcel, and what lies across the road', input: { id: 1 } },
    {
      title: 'Everything within 300 feet, too',
      input: { id: 1, within_feet: 300, page_size: 3, fields: ['zoning', 'mailing_state'] },
    },
  ],
});
