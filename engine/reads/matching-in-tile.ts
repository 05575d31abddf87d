/** The matches in a tile, and their number in each density cell, for the map. */
import Type from 'typebox';
import { parseLiveRequest } from '../query/live-request.ts';
import { strict, wholeNumberSchema } from '../spec/value-schemas.ts';
import { matchingDensity as densityOf, matchingInTile as idsOf } from '../tiles/matching.ts';
import { maxZoom, tilePlace } from '../tiles/tile-place.ts';
import { filterBodySchema } from '../work/filter-body.ts';
import { defineRead } from './read.ts';

const input = Type.Object(
  {
    filter: filterBodySchema,
    z: wholeNumberSchema(0, maxZoom),
    x: wholeNumberSchema(0, 2 ** maxZoom - 1),
    y: wholeNumberSchema(0, 2 ** maxZoom - 1),
  },
  strict,
);

export const matchingInTile = defineRead({
  name: 'matching_in_tile',
  docs: 'property_ids of the parcels with a shape that match the filter and whose box meets a tile with its buffer.',
  input,
  output: Type.Object({ ids: Type.Array(Type.Integer()) }, strict),
  run: ({ filter, z, x, y }, { land, account }) => ({
    ids: idsOf(land, parseLiveRequest(filter, account), tilePlace(z, x, y)),
  }),
});

export const matchingDensity = defineRead({
  name: 'matching_density',
  docs: 'The number of matches in each density cell of a tile, by the tile’s cell numbers; empty cells are left out.',
  input,
  output: Type.Object(
    { cells: Type.Array(Type.Object({ id: Type.Integer(), count: Type.Integer({ minimum: 1 }) })) },
    strict,
  ),
  run: ({ filter, z, x, y }, { land, account }) => ({
    cells: densityOf(land, parseLiveRequest(filter, account), tilePlace(z, x, y)),
  }),
});
