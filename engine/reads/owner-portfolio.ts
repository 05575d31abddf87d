/** Everything one owner has, by mailing address: free in the app. */
import Type from 'typebox';
import { ownerPortfolio as portfolioOf } from '../query/owner-portfolio.ts';
import { boxSchema, oneOf, orNull, strict, wholeNumberSchema } from '../spec/value-schemas.ts';
import { defineRead } from './read.ts';

export const ownerPortfolio = defineRead({
  name: 'owner_portfolio',
  docs: 'The current parcels with the mailing address of a parcel, itself included, largest first, with acres (recorded, else mapped) and value in dollars (market or assessed, whichever more of them publish), and the box around them.',
  input: Type.Object({ id: wholeNumberSchema(1, Number.MAX_SAFE_INTEGER) }, strict),
  output: Type.Object(
    {
      parcels: Type.Array(
        Type.Object(
          {
            property_id: Type.Integer(),
            apn: orNull(Type.String()),
            fips: Type.String(),
            acres: orNull(Type.Number()),
            value: orNull(Type.Number()),
          },
          strict,
        ),
      ),
      value_is: oneOf(['market', 'assessed']),
      bounds: orNull(boxSchema),
    },
    strict,
  ),
  run: ({ id }, { land }) => portfolioOf(land, id),
});
