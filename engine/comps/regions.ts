/** Market regions: every county, and the ZIP codes of loaded parcels. Their ids never change. */
import { foldWords } from '../spec/text-fold.ts';
import { regionId } from './stable-id.ts';

export const regionTypes = ['county', 'zip'] as const;

export type RegionType = (typeof regionTypes)[number];

/** A region as answers show it. */
export interface Region {
  /** UUIDv5 of type and code. */
  readonly id: string;
  readonly type: RegionType;
  /** The county's full legal name (Sullivan County, Orleans Parish), or the ZIP. */
  readonly name: string;
  /** Two letters. */
  readonly state: string;
  /** The county itself, or the one that contains the ZIP. */
  readonly county_name: string;
  readonly fips: string;
}

/** A county by its row of the counties table. */
export interface County {
  readonly fips: string;
  readonly state: string;
  readonly name: string;
  /** FIPS codes that replaced it, separated by blanks; null if it still exists. */
  readonly superseded_by: string | null;
}

export const countyRegion = ({ fips, state, name }: County): Region => ({
  id: regionId('county', fips),
  type: 'county',
  name,
  state,
  county_name: name,
  fips,
});

export const zipRegion = (zip: string, { fips, state, name }: County): Region => ({
  id: regionId('zip', zip),
  type: 'zip',
  name: zip,
  state,
  county_name: name,
  fips,
});

/** Number of parcels of a ZIP within a county. */
export interface ZipShare {
  readonly zip: string;
  readonly fips: string;
  readonly parcels: number;
}

/** County of each ZIP: the one with most of its parcels; among equals the smallest FIPS. */
export function countiesOfZips(shares: Iterable<ZipShare>): Map<string, string> {
  const best = new Map<string, ZipShare>();
  for (const share of shares) {
    const known = best.get(share.zip);
    const isMore =
      !known || share.parcels > known.parcels || (share.parcels === known.parcels && share.fips < known.fips);
    if (isMore) best.set(share.zip, share);
  }
  return new Map([...best].map(([zip, { fips }]) => [zip, fips]));
}

/** The words of a name as `foldWords` writes them: blanks between and at both ends, so that ` x` is the start of a word. */
export interface SearchableRegion {
  readonly region: Region;
  readonly words: string;
}

export const searchable = (region: Region): SearchableRegion => ({ region, words: foldWords(region.name) });

/**
 * Each word of the search must be the start of a word of the name, or a whole state code beside such words. A single
 * number also finds a county by the start of its FIPS; with all five digits, the ZIPs in it.
 */
export function regionMatches({ region, words }: SearchableRegion, search: string): boolean {
  const given = foldWords(search).trim();
  if (given === '') return false;
  if (/^\d+$/.test(given) && fipsMatches(region, given)) return true;
  const tokens = given.split(' ');
  const starts = tokens.filter((token) => words.includes(` ${token}`));
  return starts.length > 0 && tokens.every((token) => words.includes(` ${token}`) || token === region.state);
}

const fipsMatches = ({ type, fips }: Region, digits: string): boolean =>
  type === 'county' ? fips.startsWith(digits) : digits.length === 5 && fips === digits;
