/** A visit to land, as it is kept, and as its report is printed. */
import Type from 'typebox';
import {
  latitudeSchema,
  longitudeSchema,
  orNull,
  strict,
  textSchema,
  type ValueOf,
  wholeNumberSchema,
} from './value-schemas.ts';

export const mostVisitParcels = 200;
export const mostReportPhotos = 500;
export const mostVisitFields = 40;
export const longestFindings = 10_000;

const id = wholeNumberSchema(1, Number.MAX_SAFE_INTEGER);
const clock = Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', 'x-expected': 'a time like 09:05' });
const words = (length: number) =>
  Type.String({ maxLength: length, 'x-expected': `a text of at most ${length.toLocaleString('en-US')} characters` });

export const answerSchema = Type.Object(
  {
    label: textSchema(),
    text: words(2000),
    is_flagged: Type.Optional(Type.Boolean({ description: 'Stands out on the page: something to settle.' })),
  },
  strict,
);

/** What goes out only where it is ticked. */
const ticks = {
  owners: Type.Optional(Type.Boolean({ description: 'Owners’ names, also of abutters.' })),
  mailing: Type.Optional(Type.Boolean({ description: 'Mailing addresses of abutters.' })),
  abutters: Type.Optional(Type.Boolean({ description: 'The baseline: abutters, acres and sources.' })),
  photo_places: Type.Optional(Type.Boolean({ description: 'Where photos were taken, as numbers on the map.' })),
};

export const visitFields = {
  parcels: Type.Array(id, {
    minItems: 1,
    maxItems: mostVisitParcels,
    'x-expected': `a list of 1 to ${mostVisitParcels} parcel ids`,
  }),
  day: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$', 'x-expected': 'a day like 2026-11-30' }),
  started: Type.Optional(clock),
  ended: Type.Optional(clock),
  visitor: Type.Optional(words(200)),
  answers: Type.Optional(Type.Array(answerSchema, { maxItems: mostVisitFields })),
  findings: Type.Optional(words(longestFindings)),
  photos: Type.Optional(
    Type.Array(id, { maxItems: mostReportPhotos, description: 'Their photo_id, in the order of their numbers.' }),
  ),
  tracks: Type.Optional(Type.Array(id, { maxItems: 50 })),
  notes: Type.Optional(Type.Array(id, { maxItems: 100, description: 'Notes of the parcels that go out.' })),
  ...ticks,
};

export const visitSchema = Type.Object(visitFields, strict);
export type Visit = ValueOf<typeof visitSchema>;

/** All that the pages show, and nothing else: what was not chosen is not in it. */
export const visitReportSchema = Type.Object(
  {
    parcels: visitFields.parcels,
    day: visitFields.day,
    time: orNull(Type.String()),
    visitor: orNull(Type.String()),
    answers: Type.Array(answerSchema),
    findings: orNull(Type.String()),
    notes: Type.Array(Type.String()),
    photos: Type.Array(
      Type.Object(
        {
          /** Of the kept original. */
          file: Type.String(),
          caption: orNull(Type.String()),
          time: orNull(Type.String()),
          longitude: orNull(longitudeSchema),
          latitude: orNull(latitudeSchema),
          direction: orNull(Type.Number({ description: 'Degrees from true north.' })),
          place: orNull(Type.String(), { description: '`GPS`, `placed by time, ± 12 m`.' }),
        },
        strict,
      ),
    ),
    tracks: Type.Array(Type.Array(Type.Number(), { description: 'Longitude, latitude, longitude …' })),
    feet: Type.Number(),
    owners: Type.Boolean(),
    mailing: Type.Boolean(),
    abutters: Type.Boolean(),
    photo_places: Type.Boolean(),
  },
  strict,
);
export type VisitReport = ValueOf<typeof visitReportSchema>;
