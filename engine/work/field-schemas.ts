/** Waypoints, tracks and photos as works and reads answer them. */
import Type from 'typebox';
import { oneOf, orNull, strict } from '../spec/value-schemas.ts';

const text = Type.String();

const onParcel = {
  property_id: orNull(Type.Integer(), {
    description: 'The parcel that held the place when it was kept; null on a road, or off the data.',
  }),
  apn: orNull(text),
};

export const waypointSchema = Type.Object(
  {
    waypoint_id: Type.Integer(),
    name: text,
    note: orNull(text),
    longitude: Type.Number(),
    latitude: Type.Number(),
    accuracy_meters: orNull(Type.Number()),
    elevation_m: orNull(Type.Number()),
    symbol: orNull(text),
    extras: orNull(text, { description: 'Texts of the file it came from that have no field here, a line each.' }),
    ...onParcel,
    made_at: text,
  },
  strict,
);

export const trackSchema = Type.Object(
  {
    track_id: Type.Integer(),
    name: text,
    note: orNull(text),
    started_at: text,
    ended_at: orNull(text, { description: 'Null: it is being recorded, or its program was killed.' }),
    points: Type.Integer(),
    feet: Type.Integer(),
    lines: Type.Array(
      Type.Array(
        Type.Unsafe<readonly [longitude: number, latitude: number]>(
          Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }),
        ),
      ),
      { description: 'A line for each segment, thinned: no dropped point lies farther than a meter from it.' },
    ),
  },
  strict,
);

export const photoSchema = Type.Object(
  {
    photo_id: Type.Integer(),
    name: text,
    media_type: text,
    bytes: Type.Integer(),
    longitude: orNull(Type.Number(), { description: 'Null: only its parcel is known.' }),
    latitude: orNull(Type.Number()),
    place_from: orNull(oneOf(['photo', 'given', 'track']), {
      description: '`photo`: written in it; `track`: where the track was at its time.',
    }),
    track_id: orNull(Type.Integer()),
    place_error_m: orNull(Type.Integer(), { description: 'Meters that a place from a track may be off.' }),
    heading: orNull(Type.Number(), { description: 'Degrees that the camera looked to.' }),
    heading_is_magnetic: Type.Boolean(),
    ...onParcel,
    taken_at: orNull(text, { description: 'By the camera’s clock, without a zone.' }),
    taken_utc: orNull(text, { description: 'Null: the clock is not known.' }),
    caption: orNull(text),
    added_at: text,
  },
  strict,
);
