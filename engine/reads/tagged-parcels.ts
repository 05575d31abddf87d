/** Which parcels have which tag: the map fills lots by it, and its legend counts them. */
import Type from 'typebox';
import { parseLiveRequest } from '../query/live-request.ts';
import { taggedInBox, tagLegend as tagLegendOf } from '../query/tagged-parcels.ts';
import { count, listSchema, strict, wholeNumberSchema } from '../spec/value-schemas.ts';
import { buffer, maxZoom, tilePlace } from '../tiles/tile-place.ts';
import { filterBodySchema } from '../work/filter-body.ts';
import { defineRead } from './read.ts';

const id = wholeNumberSchema(1, Number.MAX_SAFE_INTEGER);
/** Groups of tags that a tile is asked for: each has a colour, and no map has more. */
const mostTagGroups = 6;

export const tagLegend = defineRead({
  name: 'tag_legend',
  docs: 'How many parcels with a shape have each tag in the place of the filter, the most used first; beyond `most` lines together as others.',
  input: Type.Object({ filter: filterBodySchema, most: wholeNumberSchema(1, mostTagGroups) }, strict),
  output: Type.Object(
    {
      tags: Type.Array(Type.Object({ tag_id: Type.Integer(), name: Type.String(), count: count() }, strict)),
      others: Type.Object({ tag_ids: Type.Array(Type.Integer()), count: count() }, strict),
      made: count(),
    },
    strict,
  ),
  run: ({ filter, most }, { land, account }) => tagLegendOf(land, account, parseLiveRequest(filter, account), most),
});

export const taggedInTile = defineRead({
  name: 'tagged_in_tile',
  docs: 'Of each group of tags the property_ids of parcels in the place of the filter whose box meets a tile with its buffer; a parcel stands in the first of its groups only.',
  input: Type.Object(
    {
      filter: filterBodySchema,
      groups: Type.Array(listSchema(id), { minItems: 1, maxItems: mostTagGroups }),
      z: wholeNumberSchema(0, maxZoom),
      x: wholeNumberSchema(0, 2 ** maxZoom - 1),
      y: wholeNumberSchema(0, 2 ** maxZoom - 1),
    },
    strict,
  ),
  output: Type.Object({ groups: Type.Array(Type.Array(Type.Integer())) }, strict),
  run: ({ filter, groups, z, x, y }, { land, account }) => ({
    groups: taggedInBox(land, account, parseLiveRequest(filter, account), groups, tilePlace(z, x, y).bounds(buffer)),
  }),
});
