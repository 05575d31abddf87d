/** Which parcel is at a place: a click on the map, exactly. */
import Type from 'typebox';
import { orNull, strict } from '../spec/value-schemas.ts';
import { parcelsAt } from '../tiles/parcel-at.ts';
import { defineRead } from './read.ts';

export const parcelAt = defineRead({
  name: 'parcel_at',
  docs: 'The parcel that holds a point, holes respected: the smallest where there are several, and the others.',
  input: Type.Object(
    {
      longitude: Type.Number({ minimum: -180, maximum: 180, 'x-expected': 'a longitude' }),
      latitude: Type.Number({ minimum: -90, maximum: 90, 'x-expected': 'a latitude' }),
    },
    strict,
  ),
  output: Type.Object(
    {
      property_id: orNull(Type.Integer(), { description: 'The smallest, where several lie upon each other.' }),
      others: Type.Array(Type.Integer(), { description: 'The larger ones, from the smallest on.' }),
    },
    strict,
  ),
  run: ({ longitude, latitude }, { land }) => {
    const [first = null, ...others] = parcelsAt(land, longitude, latitude);
    return { property_id: first, others };
  },
});
