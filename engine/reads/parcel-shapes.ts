/** Shapes of a few parcels: the map outlines the selected parcels and the one under the pointer. */
import Type from 'typebox';
import { shapeSchema } from '../operations/get-property.ts';
import { type ParcelShape, parcelShapes as shapesOf } from '../query/parcel-shapes.ts';
import { listSchema, strict, wholeNumberSchema } from '../spec/value-schemas.ts';
import { defineRead } from './read.ts';

export const parcelShapes = defineRead({
  name: 'parcel_shapes',
  docs: 'The shapes of parcels, by property_id; those without a shape are left out.',
  input: Type.Object({ ids: listSchema(wholeNumberSchema(0, Number.MAX_SAFE_INTEGER)) }, strict),
  output: Type.Object(
    {
      shapes: Type.Array(
        Type.Object({ property_id: Type.Integer(), shape: Type.Unsafe<ParcelShape['shape']>(shapeSchema) }, strict),
      ),
    },
    strict,
  ),
  run: ({ ids }, { land }) => ({ shapes: shapesOf(land, ids) }),
});
