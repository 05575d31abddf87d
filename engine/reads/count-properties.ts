/** The live count of the filter panel. */
import Type from 'typebox';
import { liveCount } from '../query/live-count.ts';
import { parseLiveRequest } from '../query/live-request.ts';
import { count, strict } from '../spec/value-schemas.ts';
import { filterBodySchema } from '../work/filter-body.ts';
import { defineRead } from './read.ts';

export const countProperties = defineRead({
  name: 'count_properties',
  docs: 'How many parcels match, how many of them have no shape, and for each filter how many it alone removes and how many are unknown to it.',
  input: Type.Object({ filter: filterBodySchema }, strict),
  output: Type.Object(
    {
      count: count(),
      without_shape: count(),
      filters: Type.Array(
        Type.Object({
          name: Type.String(),
          removes: count(),
          unknown: count(),
        }),
      ),
    },
    strict,
  ),
  run: ({ filter }, { land, account }) => liveCount(land, parseLiveRequest(filter, account)),
});
