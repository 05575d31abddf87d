/** The live count of the filter panel. */
import Type from 'typebox';
import { type LiveCount, liveCount } from '../query/live-count.ts';
import { type LiveFilter, parseLiveRequest } from '../query/live-request.ts';
import { filterBodySchema } from '../work/filter-body.ts';
import { defineRead } from './read.ts';

export const countProperties = defineRead<{ filter: LiveFilter }, LiveCount>({
  name: 'count_properties',
  docs: 'How many parcels match, how many of them have no shape, and for each filter how many it alone removes and how many are unknown to it.',
  input: Type.Object({ filter: filterBodySchema }, { additionalProperties: false }),
  output: Type.Object(
    {
      count: Type.Integer({ minimum: 0 }),
      without_shape: Type.Integer({ minimum: 0 }),
      filters: Type.Array(
        Type.Object({
          name: Type.String(),
          removes: Type.Integer({ minimum: 0 }),
          unknown: Type.Integer({ minimum: 0 }),
        }),
      ),
    },
    { additionalProperties: false },
  ),
  run: ({ filter }, { land, account }) => liveCount(land, parseLiveRequest(filter, account)),
});
