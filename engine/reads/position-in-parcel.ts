/** Where the user stands against the line: asked with every new position of a GPS. */
import Type from 'typebox';
import { findPosition, type ParcelPosition } from '../query/parcel-position.ts';
import { wholeNumberSchema } from '../spec/value-schemas.ts';
import { defineRead } from './read.ts';

const text = Type.String();

const degrees = (limit: number) =>
  Type.Number({ minimum: -limit, maximum: limit, 'x-expected': `degrees from -${limit} to ${limit}` });

export interface PositionInput {
  readonly longitude: number;
  readonly latitude: number;
  readonly accuracy_meters: number;
  readonly id?: number;
}

export const positionInParcel = defineRead<PositionInput, { position: ParcelPosition | null }>({
  name: 'position_in_parcel',
  docs: 'Inside or outside a parcel and how far from its line, in feet; `unsure` when the line is nearer than the accuracy. Against the parcel `id`, else the one that holds the point, else the nearest within 300 m; null where there is none. Boundaries are approximate, not a survey.',
  input: Type.Object(
    {
      longitude: degrees(180),
      latitude: degrees(90),
      accuracy_meters: Type.Number({ minimum: 0, maximum: 100_000, 'x-expected': 'metres from 0 to 100,000' }),
      id: Type.Optional(wholeNumberSchema(0, Number.MAX_SAFE_INTEGER)),
    },
    { additionalProperties: false },
  ),
  output: Type.Object(
    {
      position: Type.Union([
        Type.Object(
          {
            property_id: Type.Integer(),
            apn: text,
            side: Type.Union([Type.Literal('inside'), Type.Literal('outside'), Type.Literal('unsure')]),
            feet_to_line: Type.Integer({ minimum: 0 }),
            accuracy_feet: Type.Integer({ minimum: 0 }),
            sentence: text,
          },
          { additionalProperties: false },
        ),
        Type.Null(),
      ]),
    },
    { additionalProperties: false },
  ),
  run: ({ longitude, latitude, accuracy_meters: accuracyMeters, id }, { land }) => ({
    position: findPosition(land, { longitude, latitude, accuracyMeters }, id ?? null),
  }),
});
