/** The box around the matches, so that the map can show them all. */
import Type from 'typebox';
import { liveBounds } from '../query/live-bounds.ts';
import { parseLiveRequest } from '../query/live-request.ts';
import { boxSchema, orNull, strict } from '../spec/value-schemas.ts';
import { filterBodySchema } from '../work/filter-body.ts';
import { defineRead } from './read.ts';

export const resultBounds = defineRead({
  name: 'result_bounds',
  docs: 'The box around the matching parcels, as west, south, east, north; null if none has a place.',
  input: Type.Object({ filter: filterBodySchema }, strict),
  output: Type.Object({ bounds: orNull(boxSchema) }, strict),
  run: ({ filter }, { land, account }) => ({ bounds: liveBounds(land, parseLiveRequest(filter, account)) }),
});
