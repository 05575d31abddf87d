/** The live count of the filter panel. */
import Type from 'typebox';
import { atOnce } from '../land/answered.ts';
import { LocalLand } from '../land/local-land.ts';
import { unmatched, unmatchedAt } from '../land/notices.ts';
import { type LiveRequest, parseLiveRequest } from '../query/live-request.ts';
import { liveCount } from '../query/live-rows.ts';
import { count, strict } from '../spec/value-schemas.ts';
import type { LandStore } from '../store/land-store.ts';
import { filterBodySchema } from '../work/filter-body.ts';
import { defineRead } from './read.ts';

/** A filter whose unknown parcels are wanted asks for no value. */
function unmatchedIn(land: LandStore, request: LiveRequest) {
  const criteria = request.criteria.filter(({ row }) => !request.onlyUnknown.has(row.name));
  return atOnce(unmatched(new LocalLand(land), { ...request, criteria }));
}

export const countProperties = defineRead({
  name: 'count_properties',
  docs: 'How many parcels match, how many of them have no shape, and for each filter how many it alone removes and how many are unknown to it; also what no parcel of the counties has, whatever the other filters: values of lists, and if none match, anything else.',
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
      unmatched: Type.Array(Type.Object({ name: Type.String(), values: Type.Array(Type.String()) }, strict)),
    },
    strict,
  ),
  run: ({ filter }, { land, account }) => {
    const request = parseLiveRequest(filter, account);
    const { absent, ...counted } = liveCount(land, request);
    const found = counted.count > 0 ? unmatchedAt(request, absent) : unmatchedIn(land, request);
    return { ...counted, unmatched: found.map(({ row, values }) => ({ name: row.name, values: [...values] })) };
  },
});
