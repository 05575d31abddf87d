/** Suggestions of the search box. */
import Type from 'typebox';
import { liveSuggest } from '../query/live-suggest.ts';
import { fipsSchema, normalFips, oneOf, orNull, strict, textSchema, wholeNumberSchema } from '../spec/value-schemas.ts';
import { defineRead } from './read.ts';

const placeSchema = Type.Object({ latitude: Type.Number(), longitude: Type.Number() });
const textOrNull = orNull(Type.String());

export const suggest = defineRead({
  name: 'suggest',
  docs: 'Parcels whose APN contains the text, or whose address or owner contains every word of it, a few of each kind; for coordinates, the parcels at that point, and in `meant` the place in the United States if longitude came first or lacks its minus; for a township or section, its place.',
  input: Type.Object(
    {
      text: textSchema(),
      county: Type.Optional(fipsSchema()),
      limit: Type.Optional(wholeNumberSchema(1, 20, { default: 5 })),
    },
    strict,
  ),
  output: Type.Object(
    {
      place: orNull(placeSchema),
      meant: orNull(placeSchema),
      survey: Type.Array(
        Type.Object({
          name: Type.String(),
          fips: Type.String(),
          bounds: Type.Tuple([Type.Number(), Type.Number(), Type.Number(), Type.Number()]),
          plss: textOrNull,
        }),
      ),
      parcels: Type.Array(
        Type.Object({
          kind: oneOf(['apn', 'address', 'owner', 'place']),
          property_id: Type.Integer(),
          apn: textOrNull,
          owner_name: textOrNull,
          situs_address: textOrNull,
          situs_city: textOrNull,
          fips: Type.String(),
        }),
      ),
    },
    strict,
  ),
  run: ({ text, county, limit = 5 }, { land }) =>
    withBoxes(liveSuggest(land, { text, fips: county === undefined ? null : normalFips(county), limit })),
});

const withBoxes = ({ survey, ...found }: ReturnType<typeof liveSuggest>) => ({
  ...found,
  survey: survey.map(({ bounds: { minX, minY, maxX, maxY }, ...place }) => ({
    ...place,
    bounds: [minX, minY, maxX, maxY] as [number, number, number, number],
  })),
});
