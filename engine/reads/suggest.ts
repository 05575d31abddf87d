/** Suggestions of the search box. */
import Type from 'typebox';
import { liveSuggest, type Suggestions } from '../query/live-suggest.ts';
import { fipsSchema, normalFips, textSchema, wholeNumberSchema } from '../spec/value-schemas.ts';
import { defineRead } from './read.ts';

const textOrNull = Type.Union([Type.String(), Type.Null()]);

export const suggest = defineRead<{ text: string; county?: string; limit?: number }, Suggestions>({
  name: 'suggest',
  docs: 'Parcels whose APN holds the text, or whose address or owner every word of it, a few of each kind; for coordinates the parcels at that place.',
  input: Type.Object(
    {
      text: textSchema(),
      county: Type.Optional(fipsSchema()),
      limit: Type.Optional(wholeNumberSchema(1, 20, { default: 5 })),
    },
    { additionalProperties: false },
  ),
  output: Type.Object(
    {
      place: Type.Union([Type.Object({ latitude: Type.Number(), longitude: Type.Number() }), Type.Null()]),
      parcels: Type.Array(
        Type.Object({
          kind: Type.Union(['apn', 'address', 'owner', 'place'].map((kind) => Type.Literal(kind))),
          property_id: Type.Integer(),
          apn: textOrNull,
          owner_name: textOrNull,
          situs_address: textOrNull,
          situs_city: textOrNull,
          fips: Type.String(),
        }),
      ),
    },
    { additionalProperties: false },
  ),
  run: ({ text, county, limit = 5 }, { land }) =>
    liveSuggest(land, { text, fips: county === undefined ? null : normalFips(county), limit }),
});
