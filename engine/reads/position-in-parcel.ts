/** Where the user stands against the line: asked with every new position of a GPS. */
import Type from 'typebox';
import { findPosition } from '../query/parcel-position.ts';
import { count, oneOf, orNull, strict, wholeNumberSchema } from '../spec/value-schemas.ts';
import { defineRead } from './read.ts';

const text = Type.String();

const degrees = (limit: number) =>
  Type.Number({ minimum: -limit, maximum: limit, 'x-expected': `degrees from -${limit} to ${limit}` });

export const positionInParcel = defineRead({
  name: 'position_in_parcel',
  docs: 'Inside or outside a parcel and how far from its line, in feet; `unsure` when the line is nearer than the accuracy. Against the parcel `id`, else the one that holds the point, else the nearest within 300 m; null where there is none. Boundaries are approximate, not a survey.',
  input: Type.Object(
    {
      longitude: degrees(180),
      latitude: degrees(90),
      accuracy_meters: Type.Number({ minimum: 0, maximum: 100_000, 'x-expected': 'metres from 0 to 100,000' }),
      id: Type.Optional(wholeNumberSchema(0, Number.MAX_SAFE_INTEGER)),
    },
    strict,
  ),
  output: Type.Object(
    {
      position: orNull(
        Type.Object(
          {
            property_id: Type.Integer(),
            apn: text,
            side: oneOf(['inside', 'outside', 'unsure']),
            feet_to_line: count(),
            accuracy_feet: count(),
            sentence: text,
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
