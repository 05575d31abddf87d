/** The county of a file that names none: where its first parcels lie. */
import { countyOfPlaces, holdsMost } from '../store/county-outlines.ts';
import type { Look } from './look.ts';
import { type CountyName, findCounty } from './sources-counties.ts';

/** The county, or what stands against proposing one, to follow "the file has". */
type ProposedCounty = { readonly county: CountyName } | { readonly why: string };

/** @param layer the one that is imported; without it the first that has places */
export function proposeCounty({ layers }: Look, layer?: string): ProposedCounty {
  const found = layers.find(({ name, places }) => (layer === undefined ? places.length > 0 : name === layer));
  const places = found?.places ?? [];
  if (places.length === 0) return { why: 'no shapes that say where it lies' };
  const outline = countyOfPlaces(places);
  if (!outline) return { why: 'parcels that lie in no county' };
  if (!holdsMost(outline.fips, places)) return { why: 'parcels that lie in several counties' };
  const county = findCounty(outline.fips);
  return county ? { county } : { why: `parcels that lie in ${outline.name} (${outline.fips}), an unknown code` };
}
