/** What a book can be asked for: options of the command, of the library and of the job. */

import Type from 'typebox';
import { multiPolygonFromGeoJson } from '../geo/geojson-geometry.ts';
import { validationError } from '../spec/errors.ts';
import { paperField } from '../spec/paper-field.ts';
import { longestTitle } from '../spec/sheet-paper.ts';
import { strict, type ValueOf, wholeNumberSchema } from '../spec/value-schemas.ts';
import type { PageArea } from './area-pages.ts';
import type { BookChoice } from './book-parcels.ts';
import { mostPages } from './page-plan.ts';
import type { BookOptions } from './plan-book.ts';

const ids = Type.Array(wholeNumberSchema(1, Number.MAX_SAFE_INTEGER), {
  ...{ maxItems: 5_000_000, 'x-expected': 'a list of property_ids' },
  description: 'Parcels; absent: all of the counties.',
});

/** Letters of sentences on the cover. */
export const longestShows = 1000;

export const bookFields = {
  counties: Type.Optional(
    Type.Array(Type.String({ minLength: 5, maxLength: 5 }), {
      ...{ minItems: 1, maxItems: 4000 },
      description: 'FIPS codes; absent: all counties of the home.',
    }),
  ),
  ids: Type.Optional(ids),
  scale: Type.Optional(
    wholeNumberSchema(600, 500_000, { description: '24000 for 1:24,000; absent: as the land needs.' }),
  ),
  paper: Type.Optional(paperField),
  landscape: Type.Optional(Type.Boolean({ description: 'Turns the paper: wider than high.' })),
  pages: Type.Optional(
    Type.Union(
      [
        Type.Literal('grid'),
        Type.Literal('townships'),
        Type.Array(
          Type.Object({ name: Type.String({ minLength: 1, maxLength: 24 }), geometry: Type.Unknown() }, strict),
          { minItems: 1, maxItems: mostPages },
        ),
      ],
      {
        'x-expected': 'grid, townships, or a list of { name, geometry }',
        description:
          'grid (the default), townships (one page each, of the survey), or areas: one page for each GeoJSON polygon.',
      },
    ),
  ),
  details: Type.Optional(
    wholeNumberSchema(0, 100_000, {
      description: 'Crowded parts get pages of larger scales, up to this one: 6000 without it; 0: no such pages.',
    }),
  ),
  names: Type.Optional(Type.Boolean({ description: 'False: parcel numbers stand for owners. True without it.' })),
  title: Type.Optional(Type.String({ maxLength: longestTitle, description: 'On every page; the county without it.' })),
  shows: Type.Optional(
    Type.String({ maxLength: longestShows, description: 'On the cover: what the chosen parcels are, in sentences.' }),
  ),
} as const;

const { counties: _counties, ids: _ids, shows: _shows, ...layoutFields } = bookFields;

/** How a book looks, whatever it shows. */
export { layoutFields as bookLayoutFields };

export type BookRequest = ValueOf<Type.TObject<typeof bookFields>>;

/** A choice as fields of a request. */
export const choiceFields = ({ counties, ids: chosen }: BookChoice): Pick<BookRequest, 'counties' | 'ids'> => ({
  ...(counties && { counties }),
  ...(chosen && { ids: chosen }),
});

/** @throws EngineError validation_error */
function areaOf({ name, geometry }: { readonly name: string; readonly geometry: unknown }): PageArea {
  const read = multiPolygonFromGeoJson(geometry);
  if (!read.ok || !read.polygons)
    throw validationError({ pages: [`page ${name}: ${read.ok ? 'expected a polygon, found none' : read.problem}`] });
  return { name, polygons: read.polygons };
}

const usualDetails = 6000;

export const bookOptions = (
  { counties, ids: chosen, scale, paper = 'letter', pages = 'grid', details = usualDetails, ...more }: BookRequest,
  madeAt: Date,
): BookOptions => ({
  choice: { counties: counties ?? null, ids: chosen ?? null },
  scale: scale ?? null,
  details: details === 0 ? null : details,
  pages: typeof pages === 'string' ? pages : pages.map(areaOf),
  hasNames: more.names ?? true,
  ...{ title: more.title ?? null, shows: more.shows ?? null },
  ...{ paper, madeAt },
  isLandscape: more.landscape ?? false,
});
