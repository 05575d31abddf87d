/** Parcels by tag: the map colors lots by tag, and its legend counts them. */
import Type from 'typebox';
import { parseLiveRequest } from '../query/live-request.ts';
import { taggedInBox, tagLegend as tagLegendOf } from '../query/tagged-parcels.ts';
import { count, listSchema, strict, wholeNumberSchema } from '../spec/value-schemas.ts';
import { buffer, maxZoom, tilePlace } from '../tiles/tile-place.ts';
import { filterBodySchema } from '../work/filter-body.ts';
import { defineRead } from './read.ts';

const id = wholeNumberSchema(1, Number.MAX_SAFE_INTEGER);
/** Maximum number of tag groups in a tile request: each has a color, and no map has more. */
const mostTagGroups = 6;

export const tagLegend = defineRead({
  name: 'tag_legend',
  docs: 'The number of parcels with a shape for each tag in the place of the filter, most used first; tags beyond `most` lines are combined as others.',
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
  docs: 'For each group of tags, the property_ids of parcels in the place of the filter whose box meets a tile with its buffer; a parcel appears only in its first group.',
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
