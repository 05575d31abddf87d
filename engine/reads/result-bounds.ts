/** The box around the matches, so that the map can show them all, and how many of them it shows already. */
import Type from 'typebox';
import { parseLiveRequest } from '../query/live-request.ts';
import { liveBounds } from '../query/live-rows.ts';
import { boxSchema, orNull, strict } from '../spec/value-schemas.ts';
import { filterBodySchema } from '../work/filter-body.ts';
import { defineRead } from './read.ts';

export const resultBounds = defineRead({
  name: 'result_bounds',
  docs: 'The box around the matching parcels, as west, south, east, north; null if none has a place; and the share of them, 0 to 1, in a view.',
  input: Type.Object({ filter: filterBodySchema, view: boxSchema }, strict),
  output: Type.Object({ bounds: orNull(boxSchema), share: Type.Number() }, strict),
  run: ({ filter, view }, { land, account }) => liveBounds(land, parseLiveRequest(filter, account), view),
});
