/** Which columns the county's file has: filters without data are grayed out. */
import Type from 'typebox';
import { parseLiveRequest } from '../query/live-request.ts';
import { liveCoverage } from '../query/live-values.ts';
import { count, strict } from '../spec/value-schemas.ts';
import { filterBodySchema } from '../work/filter-body.ts';
import { defineRead } from './read.ts';

export const coverage = defineRead({
  name: 'coverage',
  docs: 'For each filter, the number of the place’s parcels with a value in its column; 0: "not in this county\'s file".',
  input: Type.Object({ filter: filterBodySchema }, strict),
  output: Type.Object(
    {
      parcels: count(),
      filters: Type.Array(Type.Object({ name: Type.String(), known: count() })),
    },
    strict,
  ),
  run: ({ filter }, { land, account }) => liveCoverage(land, parseLiveRequest(filter, account)),
});
