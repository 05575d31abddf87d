/** GET properties/search/: parcels of one county by APN or owner name. */
import Type from 'typebox';
import { findParcels } from '../query/find-parcels.ts';
import { apnNotices, parcelNotices } from '../query/notices.ts';
import { searchQuestion } from '../query/parcel-questions.ts';
import { nonFieldErrors, validationError } from '../spec/errors.ts';
import { pageFields, pageOf } from '../spec/paging.ts';
import { fipsSchema, normalFips, strict, textSchema } from '../spec/value-schemas.ts';
import type { LandStore } from '../store/land-store.ts';
import { defineOperation } from './operation.ts';
import { envelopeOf, orderingField, parcelListSchema, parcelTable, parseOrdering } from './parcel-list.ts';

const pageSizes = { standard: 25, maximum: 100 };
const price = 10;

export const searchProperties = defineOperation({
  name: 'search_properties',
  summary: 'Search parcels by APN or owner name',
  docs: 'Parcels of one county by APN, by owner name, or by both. An APN matches exactly; without an exact match, parcels with the same letters and digits match. The primary owner must contain every given word as a part of the name, in any case.',
  http: { method: 'GET', path: 'properties/search/', status: 200 },
  scope: 'read',
  needsPlan: true,
  meteringKey: 'public_property_search',
  priceDocs: `${price} tokens a search; 0 when nothing matches`,
  quote: () => price,
  price: (list) => (list.count === 0 ? 0 : price),
  input: Type.Object(
    {
      fips: fipsSchema({ description: 'The county to search.' }),
      apn: Type.Optional(textSchema({ description: "Assessor's Parcel Number." })),
      owner_name: Type.Optional(textSchema({ description: 'Words of the owner name; each must occur.' })),
      ordering: Type.Optional(orderingField),
      ...Type.Partial(Type.Object(pageFields(pageSizes))).properties,
    },
    strict,
  ),
  output: parcelListSchema,
  table: parcelTable,
  pages: pageSizes,
  run: (input, context) => {
    if (input.apn === undefined && input.owner_name === undefined) {
      throw validationError({ [nonFieldErrors]: ['at least one of apn and owner_name is needed'] });
    }
    const wanted = {
      fips: normalFips(input.fips),
      ...(input.apn === undefined ? {} : { apn: input.apn }),
      ...(input.owner_name === undefined ? {} : { ownerName: input.owner_name }),
    };
    const page = pageOf(input, pageSizes);
    const ask = (land: LandStore) => searchQuestion(land, wanted);
    return envelopeOf(findParcels(context.land, ask, page, parseOrdering(input.ordering)), page, context);
  },
  notices: ({ fips, apn }, _output, { land }) => [
    ...parcelNotices(land, [normalFips(fips)]),
    ...apnNotices(land, normalFips(fips), apn),
  ],
  examples: [
    { title: 'By APN', input: { fips: '99001', apn: '12-201' } },
    { title: 'By two words of the owner name', input: { fips: '99001', owner_name: 'town wrenfield', page_size: 2 } },
  ],
});
