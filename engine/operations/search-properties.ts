/** GET properties/search/: parcels of one county by APN, owner name, or township and section. */
import Type from 'typebox';
import { andThen } from '../land/answered.ts';
import { searchHints } from '../land/hints.ts';
import { alikeNotices, parcelNotices } from '../land/notices.ts';
import { parseFilterRequest } from '../query/filter-request.ts';
import { nonFieldErrors, validationError } from '../spec/errors.ts';
import { pageFields, pageOf } from '../spec/paging.ts';
import { fieldsField } from '../spec/parcel-fields.ts';
import { fipsSchema, normalFips, strict, textSchema } from '../spec/value-schemas.ts';
import { defineOperation, hinting, telling } from './operation.ts';
import { envelopeOf, orderingField, parcelListSchema, parcelTable, parseOrdering, withFields } from './parcel-list.ts';

const pageSizes = { standard: 25, maximum: 100 };
const price = 10;

export const searchProperties = defineOperation({
  name: 'search_properties',
  summary: 'Search parcels by APN, owner name or section',
  docs: 'Parcels of one county by APN, by owner name, by township and section, or by several of these. An APN matches exactly; without an exact match, parcels with the same letters and digits match. The primary owner must contain every given word as a part of the name, in any case.',
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
      plss: Type.Optional(
        textSchema({ description: 'Township or section of the public land survey, like `T5N R3W S12`.' }),
      ),
      ordering: Type.Optional(orderingField),
      fields: Type.Optional(fieldsField),
      ...Type.Partial(Type.Object(pageFields(pageSizes))).properties,
    },
    strict,
  ),
  output: parcelListSchema,
  hasNotices: true,
  table: parcelTable,
  pages: pageSizes,
  run: (input, context) => {
    if (input.apn === undefined && input.owner_name === undefined && input.plss === undefined) {
      throw validationError({ [nonFieldErrors]: ['at least one of apn, owner_name and plss is needed'] });
    }
    const fips = normalFips(input.fips);
    const page = pageOf(input, pageSizes);
    const place = input.plss === undefined ? null : parseFilterRequest({ county: fips, plss: input.plss });
    const search = { fips, apn: input.apn ?? null, ownerName: input.owner_name ?? null, place };
    return context.land.reading((land) =>
      andThen(land.searchParcels(search, page, parseOrdering(input.ordering)), (found) =>
        telling(
          context,
          () => andThen(parcelNotices(land, [fips]), (missing) => [...missing, ...alikeNotices(found.alike)]),
          () =>
            hinting(
              context,
              () => (found.count > 0 ? [] : searchHints(land, search)),
              () =>
                andThen(withFields(land, found.results, input.fields), (results) =>
                  envelopeOf({ ...found, results }, page, context),
                ),
            ),
        ),
      ),
    );
  },
  examples: [
    { title: 'By APN', input: { fips: '99001', apn: '12-201' } },
    { title: 'By two words of the owner name', input: { fips: '99001', owner_name: 'town wrenfield', page_size: 2 } },
    { title: 'With every column', input: { fips: '99001', apn: '12-201', fields: ['all'] } },
  ],
});
