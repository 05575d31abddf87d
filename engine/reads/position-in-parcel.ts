/** The user's position relative to a parcel's line, requested with every new GPS position. */
import Type from 'typebox';
import { findPosition } from '../query/parcel-position.ts';
import {
  accuracySchema,
  count,
  latitudeSchema,
  longitudeSchema,
  oneOf,
  orNull,
  strict,
  wholeNumberSchema,
} from '../spec/value-schemas.ts';
import { defineRead } from './read.ts';

const namedParcel = {
  property_id: Type.Integer(),
  apn: Type.String(),
  owner_name: orNull(Type.String()),
};

export const positionInParcel = defineRead({
  name: 'position_in_parcel',
  docs: 'Inside or outside a parcel and how far from its line, in feet, where that line is nearest and what lies across it; `unsure` when the line is nearer than the accuracy. Relative to the parcel `id`, else to the one that contains the point, else to the nearest within 300 m; null if there is none. Boundaries are approximate, not a survey.',
  input: Type.Object(
    {
      longitude: longitudeSchema,
      latitude: latitudeSchema,
      accuracy_meters: accuracySchema,
      id: Type.Optional(wholeNumberSchema(0, Number.MAX_SAFE_INTEGER)),
    },
    strict,
  ),
  output: Type.Object(
    {
      position: orNull(
        Type.Object(
          {
            ...namedParcel,
            side: oneOf(['inside', 'outside', 'unsure']),
            feet_to_line: count(),
            accuracy_feet: count(),
            toward: Type.Number({ description: 'True bearing from the position to `line_point`, degrees.' }),
            line_point: Type.Object({ longitude: Type.Number(), latitude: Type.Number() }, strict),
            beyond: orNull(Type.Object(namedParcel, strict), {
              description: 'Across that line from the parcel; null: no loaded parcel, as where a road runs.',
            }),
            sentence: Type.String(),
          },
          strict,
        ),
      ),
    },
    strict,
  ),
  run: ({ longitude, latitude, accuracy_meters: accuracyMeters, id }, { land }) => ({
    position: findPosition(land, { longitude, latitude, accuracyMeters }, id ?? null),
  }),
});
