/** The parcel at a point, exactly: for a click on the map. */
import Type from 'typebox';
import { parcelsAt } from '../query/parcels-at.ts';
import { latitudeSchema, longitudeSchema, orNull, strict } from '../spec/value-schemas.ts';
import { defineRead } from './read.ts';

export const parcelAt = defineRead({
  name: 'parcel_at',
  docs: 'The parcel that contains a point, except in its holes: the smallest if there are several, and the others.',
  input: Type.Object(
    {
      longitude: longitudeSchema,
      latitude: latitudeSchema,
    },
    strict,
  ),
  output: Type.Object(
    {
      property_id: orNull(Type.Integer(), { description: 'The smallest of overlapping ones.' }),
      others: Type.Array(Type.Integer(), { description: 'The larger ones, smallest first.' }),
    },
    strict,
  ),
  run: ({ longitude, latitude }, { land }) => {
    const [first = null, ...others] = parcelsAt(land, longitude, latitude);
    return { property_id: first, others };
  },
});
