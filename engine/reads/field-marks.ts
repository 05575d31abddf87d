/** Waypoints, tracks and photos, for the map, Field mode and exports. */
import Type from 'typebox';
import { fieldMarksIn } from '../query/field-marks.ts';
import { boxSchema, fipsSchema, strict } from '../spec/value-schemas.ts';
import { photoSchema, trackSchema, waypointSchema } from '../work/field-schemas.ts';
import { defineRead } from './read.ts';

const output = Type.Object(
  { waypoints: Type.Array(waypointSchema), tracks: Type.Array(trackSchema), photos: Type.Array(photoSchema) },
  strict,
);

export const fieldMarks = defineRead({
  name: 'field_marks',
  docs: 'Waypoints, tracks and photos: all, those in a box, or those in the box around a county’s parcels.',
  input: Type.Object({ county: Type.Optional(fipsSchema()), box: Type.Optional(boxSchema) }, strict),
  output,
  run: ({ county, box }, context) =>
    fieldMarksIn(context, { box, county: county === undefined ? undefined : String(county) }),
});
