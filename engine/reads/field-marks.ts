/**
 * Waypoints, tracks and photos, for the map, Field mode and exports; and whether a file holds some of another app: a KML, a
 * GeoJSON and a CSV may hold a walk or parcels.
 */
import Type from 'typebox';
import { holdsOf } from '../importing/walks/walk-or-parcels.ts';
import { fieldMarksIn } from '../query/field-marks.ts';
import { EngineError } from '../spec/errors.ts';
import { boxSchema, fipsSchema, oneOf, strict } from '../spec/value-schemas.ts';
import { photoSchema, trackSchema, waypointSchema } from '../work/field-schemas.ts';
import { walkFileSchema, walkOf } from '../work/walk-file.ts';
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

export const tellWalk = defineRead({
  name: 'tell_walk',
  docs: 'Whether a file holds a walk (places with names or times, lines), parcels, or both. What no walk is read from counts as parcels: their import says what is wrong with it.',
  input: walkFileSchema,
  output: Type.Object({ holds: oneOf(['walk', 'parcels', 'both']) }, strict),
  run: async (file, engine) => {
    try {
      return { holds: holdsOf((await walkOf(engine, file)).walk) };
    } catch (error) {
      if (error instanceof EngineError && error.code === 'import_refused') return { holds: 'parcels' as const };
      throw error;
    }
  },
});
