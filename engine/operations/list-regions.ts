/** GET regions/: the counties and ZIP codes that a market can be saved for. */
import Type from 'typebox';
import { regionTypes } from '../comps/regions.ts';
import { andThen } from '../land/answered.ts';
import { pastTheEnd } from '../query/parcel-query.ts';
import { findRegions } from '../query/region-query.ts';
import { envelopeSchema, pageFields, pageOf } from '../spec/paging.ts';
import { choiceSchema, oneOf, strict, textSchema } from '../spec/value-schemas.ts';
import { defineOperation, free } from './operation.ts';
import { envelopeOf } from './parcel-list.ts';

const pageSizes = { standard: 25, maximum: 100 };

/** The fields of a region in answers. */
export const regionFields = {
  id: Type.String({ description: 'UUID of the region; never changes. `save_market` takes it.' }),
  type: oneOf(regionTypes, { description: '`county`, or `zip` for a single ZIP code.' }),
  name: Type.String({ description: 'Full legal name of the county, or the ZIP code.' }),
  state: Type.String({ description: 'State, two letters.' }),
  county_name: Type.String({ description: 'The county; for a ZIP, the county with most of its parcels.' }),
  fips: Type.String({ description: 'FIPS code of that county, five digits.' }),
};

export const regionSchema = Type.Object(regionFields, { ...strict, title: 'Region' });

export const listRegions = defineOperation({
  name: 'list_regions',
  summary: 'List counties and ZIP codes',
  docs: 'Every county of the nation, and every ZIP code of the loaded parcels. Counties with loaded parcels come first, then ZIP codes, then the others, by state and name. Superseded counties are listed only while parcels under their code are loaded.',
  http: { method: 'GET', path: 'regions/', status: 200 },
  scope: 'read',
  needsPlan: true,
  ...free,
  input: Type.Partial(
    Type.Object({
      search: textSchema({
        description:
          'Starts of words of the name (`sull`, `st law`, with or without the state: `sullivan nh`), or the start of a FIPS or ZIP code.',
      }),
      type: choiceSchema(regionTypes, { description: 'Only counties, or only ZIP codes.' }),
      ...pageFields(pageSizes),
    }),
    strict,
  ),
  output: envelopeSchema(regionSchema),
  table: {
    columns: Object.keys(regionFields),
    rows: (list) => list.results.map((region) => ({ ...region })),
    total: (list) => list.count,
  },
  pages: pageSizes,
  run: ({ search, type, ...input }, context) => {
    const page = pageOf(input, pageSizes);
    return andThen(context.land.regions(), (regions) => {
      const found = findRegions(regions, {
        ...(search === undefined ? {} : { search }),
        ...(type === undefined ? {} : { type }),
      });
      if (page.number > 1 && page.offset >= found.length) throw pastTheEnd(page, found.length);
      const results = found.slice(page.offset, page.offset + page.size);
      return envelopeOf({ count: found.length, results }, page, context);
    });
  },
  examples: [
    { title: 'Counties whose name has a word that begins with "ald"', input: { search: 'ald', type: 'county' } },
    { title: 'By the start of a ZIP code', input: { search: '0014', page_size: 2 } },
  ],
});
