/** Where the matches lie, for the dots of the map. */
import Type from 'typebox';
import { parseLiveRequest } from '../query/live-request.ts';
import { livePoints } from '../query/live-rows.ts';
import { orNull, strict } from '../spec/value-schemas.ts';
import { filterBodySchema } from '../work/filter-body.ts';
import { defineRead } from './read.ts';

/** More dots than this lie on each other. */
const mostDots = 5000;
/** A meter. */
const digits = 1e5;

export const matchPoints = defineRead({
  name: 'match_points',
  docs: 'Longitude and latitude of the middle of each matching parcel; null if more than 5,000 match.',
  input: Type.Object({ filter: filterBodySchema }, strict),
  output: Type.Object({ points: orNull(Type.Array(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }))) }, strict),
  run: ({ filter }, { land, account }) => {
    const { points } = livePoints(land, parseLiveRequest(filter, account), mostDots);
    return {
      points: points === null ? null : points.map((at) => at.map((degrees) => Math.round(degrees * digits) / digits)),
    };
  },
});
