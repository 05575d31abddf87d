/** Which parcel is at a place: a click on the map, exactly. */
import Type from 'typebox';
import { parcelsAt } from '../tiles/parcel-at.ts';
import { defineRead } from './read.ts';

export interface ParcelAt {
  /** The smallest, where several lie upon each other. */
  readonly property_id: number | null;
  /** The larger ones, from the smallest on. */
  readonly others: readonly number[];
}

export const parcelAt = defineRead<{ longitude: number; latitude: number }, ParcelAt>({
  name: 'parcel_at',
  docs: 'The parcel that holds a point, holes respected: the smallest where there are several, and the others.',
  input: Type.Object(
    {
      longitude: Type.Number({ minimum: -180, maximum: 180, 'x-expected': 'a longitude' }),
      latitude: Type.Number({ minimum: -90, maximum: 90, 'x-expected': 'a latitude' }),
    },
    { additionalProperties: false },
  ),
  output: Type.Object(
    { property_id: Type.Union([Type.Integer(), Type.Null()]), others: Type.Array(Type.Integer()) },
    { additionalProperties: false },
  ),
  run: ({ longitude, latitude }, { land }) => {
    const [first = null, ...others] = parcelsAt(land, longitude, latitude);
    return { property_id: first, others };
  },
});
