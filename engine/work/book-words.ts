/** What a book of chosen parcels shows: its title where none is given, and a sentence for its cover. */
import { type BookRequest, longestShows } from '../book/book-fields.ts';
import type { Engine } from '../engine.ts';
import { acresOfMultiPolygon } from '../geo/area.ts';
import { boundsOfMultiPolygon, middleOfBounds } from '../geo/geometry.ts';
import { parseWkt } from '../geo/wkt.ts';
import { type LiveFilter, parseLiveRequest } from '../query/live-request.ts';
import { liveFacet } from '../query/live-values.ts';
import { type FilterBody, hasScope, scopeBody } from '../spec/active-filters.ts';
import { choiceWords } from '../spec/choice-words.ts';
import { counted, grouped } from '../spec/counted.ts';
import { defined } from '../spec/defined.ts';
import { type Words as Names, sentenceOf } from '../spec/filter-sentence.ts';
import { type FilterRow, filters } from '../spec/filters.ts';
import { longestTitle } from '../spec/sheet-paper.ts';
import { workFields } from '../spec/work-fields.ts';
import { wholeCounties } from './book-choice.ts';
import { type ExportWhat, listName } from './export-choice.ts';

type Home = Pick<Engine, 'land' | 'account'>;
type Words = Pick<BookRequest, 'title' | 'shows'>;

/** @param layout a title that was typed, and whether the book names owners: then a filter may, too */
export function bookWords(
  engine: Home,
  what: ExportWhat,
  { title, names }: Pick<BookRequest, 'title' | 'names'> = {},
): Words {
  const given = title?.trim() || undefined;
  const { name, more = [] } = wordsOf(engine, what, names !== false);
  const isTitle = given === undefined && name !== null && name.length <= longestTitle;
  const shows = [...(name === null || isTitle ? [] : [`${name}.`]), ...more].join(' ');
  return defined({
    title: isTitle ? name : given,
    shows: shows === '' ? undefined : shows.slice(0, longestShows),
  });
}

/** Null: whole counties, which name themselves. */
function wordsOf(
  engine: Home,
  what: ExportWhat,
  hasNames: boolean,
): { readonly name: string | null; readonly more?: readonly string[] } {
  if ('list_id' in what) return { name: listName(engine, what) };
  if ('starred' in what) return { name: 'Starred parcels' };
  if ('ids' in what) return { name: counted(what.ids.length, 'selected parcel', 'selected parcels') };
  const { filter } = what;
  if (wholeCounties(filter)) return { name: null };
  return { name: filterWords(engine, filter, hasNames), more: areaWords(filter) };
}

const isOfNames = (row: FilterRow): boolean =>
  'column' in row && ['owner_name', 'owner_name_2', 'last_sale_seller_name'].includes(row.column);

/** `Parcels in Alder County of 5 to 80 acres, vacant`, as the app says it. */
function filterWords(engine: Home, filter: LiveFilter, hasNames: boolean): string {
  const nameFields: readonly string[] = hasNames ? [] : filters.filter(isOfNames).map(({ name }) => name);
  const body = Object.fromEntries(Object.entries(filter).filter(([field]) => !nameFields.includes(field)));
  return [
    `Parcels${sentenceOf(body, namesIn(engine, body))}`,
    ...(nameFields.some((field) => field in filter) ? ['by names'] : []),
    ...(workFields.some((field) => field in filter) ? ['by own stars, tags, lists or mailings'] : []),
  ].join(', ');
}

function namesIn({ land, account }: Home, body: FilterBody): Names {
  const scope = scopeBody(body);
  const hasCodes = body.land_use_codes !== undefined && hasScope(scope);
  const uses = hasCodes ? liveFacet(land, parseLiveRequest(scope, account), 'land_use_code', mostUses).values : [];
  const labels = choiceWords(uses);
  return {
    countyName: (fips) => land.county(fips)?.name ?? `county ${fips}`,
    valueLabel: (name, value) => (name === 'land_use_codes' ? (labels.get(value) ?? value) : value),
  };
}
const mostUses = 500;

/** Size and place of a drawn area. */
function areaWords({ geom_intersects: text }: LiveFilter): string[] {
  const read = text === undefined ? null : parseWkt(text);
  if (!read?.ok || read.geometry.polygons.length === 0) return [];
  const { polygons } = read.geometry;
  const [longitude, latitude] = middleOfBounds(boundsOfMultiPolygon(polygons));
  const acres = acresOfMultiPolygon(polygons);
  return [
    `The area has ${acres < 100 ? acres.toFixed(1) : grouped(Math.round(acres))} acres around ${latitude.toFixed(4)}, ${longitude.toFixed(4)}.`,
  ];
}
