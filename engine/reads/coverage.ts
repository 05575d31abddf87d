/** What the county's file has: filters without data are greyed. */
import Type from 'typebox';
import { type Coverage, liveCoverage } from '../query/live-facet.ts';
import { type LiveFilter, parseLiveRequest } from '../query/live-request.ts';
import { filterBodySchema } from '../work/filter-body.ts';
import { defineRead } from './read.ts';

export const coverage = defineRead<{ filter: LiveFilter }, Coverage>({
  name: 'coverage',
  docs: 'For each filter, of how many parcels of the place its column says anything; 0: "not in this county\'s file".',
  input: Type.Object({ filter: filterBodySchema }, { additionalProperties: false }),
  output: Type.Object(
    {
      parcels: Type.Integer({ minimum: 0 }),
      filters: Type.Array(Type.Object({ name: Type.String(), known: Type.Integer({ minimum: 0 }) })),
    },
    { additionalProperties: false },
  ),
  run: ({ filter }, { land, account }) => liveCoverage(land, parseLiveRequest(filter, account)),
});
