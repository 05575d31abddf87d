/** The user's position relative to a parcel's line, requested with every new GPS position. */
import Type from 'typebox';
import { findPosition } from '../query/parcel-position.ts';
import { count, oneOf, orNull, strict, wholeNumberSchema } from '../spec/value-schemas.ts';
import { defineRead } from './read.ts';

const text = Type.String();

const degrees = (limit: number) =>
  Type.Number({ minimum: -limit, maximum: limit, 'x-expected': `degrees from -${limit} to ${limit}` });

export const positionInParcel = defineRead({
  name: 'position_in_parcel',
  docs: 'Inside or outside a parcel and how far from its line, in feet; `unsure` when the line is nearer than the accuracy. Relative to the parcel `id`, else to the one that contains the point, else to the nearest within 300 m; null if there is none. Boundaries are approximate, not a survey.',
  input: Type.Object(
    {
      longitude: degrees(180),
      latitude: degrees(90),
      accuracy_meters: Type.Number({ minimum: 0, maximum: 100_000, 'x-expected': 'meters from 0 to 100,000' }),
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
