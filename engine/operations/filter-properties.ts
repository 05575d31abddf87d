/** POST properties/filter/: parcels by any of some seventy criteria. */
import Type, { type TUnsafe } from 'typebox';
import { andThen } from '../land/answered.ts';
import { filterHints } from '../land/hints.ts';
import { filterNotices } from '../land/notices.ts';
import { includableNames, parseFilterRequest, unknownableFilters } from '../query/filter-request.ts';
import { filterKinds } from '../spec/filter-kinds.ts';
import { filters } from '../spec/filters.ts';
import { pageFields, pageOf } from '../spec/paging.ts';
import { fieldsField } from '../spec/parcel-fields.ts';
import { sampleSearch } from '../spec/sample-search.ts';
import { choiceSchema, listSchema, strict, type ValueOf } from '../spec/value-schemas.ts';
import type { FilterFields } from '../spec/wire-types.ts';
import { defineOperation, hinting, telling } from './operation.ts';
import { envelopeOf, orderingField, parcelListSchema, parcelTable, parseOrdering, withFields } from './parcel-list.ts';

const pageSizes = { standard: 100, maximum: 500 };
const price = 30;

/** The wire fields of every filter kind, typed from the table of filters. */
const filterFields = Object.assign({}, ...filters.map((row) => filterKinds[row.kind].fields(row))) as {
  [Name in Exclude<keyof FilterFields, 'include_unknown'>]-?: TUnsafe<NonNullable<FilterFields[Name]>>;
};

const unknownSchema = listSchema(
  choiceSchema(includableNames, { expected: 'the name of a filter that leaves unknown values out' }),
  {
    description: `Names of filters, without _min and _max, that unknown values pass. Any of: ${unknownableFilters.join(', ')}.`,
  },
);

const inputSchema = Type.Partial(
  Type.Object({
    ...filterFields,
    include_unknown: Type.Unsafe<NonNullable<FilterFields['include_unknown']>>(unknownSchema),
    ordering: orderingField,
    fields: fieldsField,
    ...pageFields(pageSizes),
  }),
  strict,
);
export type FilterInput = ValueOf<typeof inputSchema>;

export const filterProperties = defineOperation({
  name: 'filter_properties',
  summary: 'Filter parcels by criteria',
  docs: 'Every parcel that meets all criteria, one page at a time, with the exact count. At least one scope is needed: county, counties, zips_include, geom_intersects, owner_parcel_id or neighbour_of. A value that the county did not publish satisfies no range, list, *is* or *only*, and is never removed by an *exclude*; `include_unknown` lets unknown values pass. A GET of the same path with this body as JSON in `q` is the same search at the same price, as one address.',
  http: {
    method: 'POST',
    path: 'properties/filter/',
    status: 200,
    queryFields: ['page', 'page_size', 'ordering', 'fields'],
    eitherFields: ['ordering', 'fields'],
    bodyInQuery: 'q',
  },
  scope: 'read',
  needsPlan: true,
  meteringKey: 'public_parcel_filter',
  priceDocs: `${price} tokens a search; 0 when nothing matches`,
  quote: () => price,
  price: (list) => (list.count === 0 ? 0 : price),
  input: inputSchema,
  output: parcelListSchema,
  hasNotices: true,
  table: parcelTable,
  takesFilters: true,
  pages: pageSizes,
  run: (input, context) => {
    const request = parseFilterRequest(input);
    const page = pageOf(input, pageSizes);
    return context.land.reading((land) =>
      andThen(land.findParcels(request, page, parseOrdering(input.ordering)), (found) =>
        telling(
          context,
          () => filterNotices(land, request, found),
          () =>
            hinting(
              context,
              () => filterHints(land, request, found),
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
    {
      title: 'Vacant land of 5 to 40 acres whose owner lives in another state',
      input: { ...sampleSearch },
    },
    {
      title: 'The largest lots of a ZIP code, companies left out, unknown flood shares kept',
      input: {
        zips_include: ['00142'],
        exclude_corp_owner: true,
        flood_zone_percent_max: 10,
        include_unknown: ['flood_zone_percent'],
        ordering: '-acres',
        page_size: 3,
      },
    },
    {
      title: 'With what the land is worth and may be used for, and its shape as WKT',
      input: { county: '99001', acres_min: 300, fields: ['zoning', 'market_total_value', 'county_name', 'shape_wkt'] },
    },
  ],
});
