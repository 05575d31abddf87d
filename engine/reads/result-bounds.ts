/** Where the parcels that match are, so that the map can show them all. */
import Type from 'typebox';
import { type LongitudeLatitudeBox, liveBounds } from '../query/live-bounds.ts';
import { type LiveFilter, parseLiveRequest } from '../query/live-request.ts';
import { filterBodySchema } from '../work/filter-body.ts';
import { defineRead } from './read.ts';

export const resultBounds = defineRead<{ filter: LiveFilter }, { bounds: LongitudeLatitudeBox | null }>({
  name: 'result_bounds',
  docs: 'The box around the matching parcels, as west, south, east, north; null where none has a place.',
  input: Type.Object({ filter: filterBodySchema }, { additionalProperties: false }),
  output: Type.Object(
    { bounds: Type.Union([Type.Array(Type.Number(), { minItems: 4, maxItems: 4 }), Type.Null()]) },
    { additionalProperties: false },
  ),
  run: ({ filter }, { land, account }) => ({ bounds: liveBounds(land, parseLiveRequest(filter, account)) }),
});
