/** GET properties/{id}/owner/: whose a parcel is, in all spellings, and what else that owner has. */
import Type from 'typebox';
import { andThen } from '../land/answered.ts';
import type { Owner } from '../owners/read-owner.ts';
import { readVerdicts } from '../owners/update-owners.ts';
import { noParcel } from '../spec/errors.ts';
import { count, oneOf, orNull, parcelIdSchema, strict } from '../spec/value-schemas.ts';
import { defineOperation } from './operation.ts';

const price = 10;

const reasons = Type.Array(
  Type.Object({ points: Type.Number({ description: 'Above 0: for one owner.' }), text: Type.String() }, strict),
);
const acres = orNull(Type.Number(), { description: 'Recorded, else mapped; null if none is known.' });
const propertyId = Type.Integer({ description: 'One of its parcels: it names the owner in `judge_owners`.' });
const spelling = {
  property_id: propertyId,
  name: Type.String({ description: 'As recorded, without care-of.' }),
  mailing_address: orNull(Type.String()),
  parcels: count(),
};
const related = Type.Array(
  Type.Object({ ...spelling, acres, score: Type.Number(), reasons }, { ...strict, title: 'RelatedOwner' }),
);

const ownerSchema = Type.Unsafe<Owner & { readonly is_current: boolean }>(
  Type.Object(
    {
      is_current: Type.Boolean({
        description: 'False: parcels or verdicts changed since, and owners are being worked out again.',
      }),
      name: orNull(Type.String(), { description: 'The spelling that most of its parcels have.' }),
      owner_type: orNull(Type.String()),
      parcel_count: count('Current parcels in all spellings and counties.'),
      acres,
      spellings: Type.Array(
        Type.Object(
          {
            ...spelling,
            joined: orNull(oneOf(['automatic', 'same']), {
              description: '`automatic` by score, `same` by verdict; null for the first, or joined by way of another.',
            }),
            score: orNull(Type.Number()),
            reasons,
          },
          strict,
        ),
        { description: 'Most parcels first. Empty: the owner is unknown, or not worked out yet.' },
      ),
      perhaps_same: related,
      shares_person: related,
      holdings: Type.Array(
        Type.Object(
          {
            parcels: count(),
            acres,
            property_ids: Type.Array(Type.Integer(), { description: 'The first 100.' }),
          },
          strict,
        ),
        {
          description: 'Parcels in one piece, also across a road; largest first. Parcels without a shape are in none.',
        },
      ),
      counties: Type.Array(
        Type.Object(
          {
            fips: Type.String(),
            county_name: orNull(Type.String()),
            parcels: count(),
            acres,
            market_total_value: orNull(Type.Number()),
            assessed_total_value: orNull(Type.Number()),
          },
          strict,
        ),
      ),
      parcels: Type.Array(
        Type.Object({ property_id: Type.Integer(), apn: orNull(Type.String()), fips: Type.String(), acres }, strict),
        { description: 'Largest first, the first 1,000.' },
      ),
    },
    { ...strict, title: 'Owner' },
  ),
);

export const getOwner = defineOperation({
  name: 'get_owner',
  summary: 'Get the owner of a parcel with all spellings and parcels',
  docs: 'Spellings at one mailing address are joined where name and score leave no doubt, each with its reasons; others are listed as perhaps the same, until `judge_owners` says what they are. `owner_parcel_id` of filters stays the mailing address alone.',
  http: { method: 'GET', path: 'properties/{id}/owner/', status: 200 },
  scope: 'read',
  needsPlan: true,
  meteringKey: 'public_owner_detail',
  priceDocs: `${price} tokens; 0 when there is no such parcel`,
  quote: () => price,
  price: () => price,
  input: Type.Object({ id: parcelIdSchema }, strict),
  output: ownerSchema,
  run: ({ id }, { land, account }) =>
    andThen(land.ownerCard(id, readVerdicts(account.file)), (owner) => {
      if (!owner) throw noParcel(id);
      return owner;
    }),
  examples: [{ title: 'The owner of a parcel', input: { id: 1 } }],
});
