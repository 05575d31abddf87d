/** Counties in sentences, and what is said where one is not loaded. */

/** A county that was asked for; without its name, no county has the code. */
export interface AskedCounty {
  readonly fips: string;
  readonly county: { readonly name: string; readonly state: string } | undefined;
}

/** `Sullivan County, NH (33019)` */
export const countyWords = ({ fips, county }: AskedCounty): string =>
  county ? `${county.name}, ${county.state} (${fips})` : `a county with the FIPS code ${fips}`;

/** Without a full stop. */
export const notLoaded = (counties: readonly AskedCounty[]): string =>
  `No parcels are loaded for ${counties.map(countyWords).join('; ')}`;

const mostListed = 12;

/** `99001, 99003 and 2 more` */
export function codesListed(fips: readonly string[]): string {
  const rest = fips.length - mostListed;
  return `${fips.slice(0, mostListed).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
