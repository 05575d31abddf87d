/** Folds a person's place for comparison: five-digit ZIP, city and state, and the door (street and unit). */
import { foldAccents } from './fold-name.ts';
import { mailingKey } from './mailing-key.ts';

/** `03280` for 03280-1234, 032801234, 3280 (a spreadsheet dropped the zero) and `3280.0`; null for anything else. */
export function zipKey(zip: string | null | undefined): string | null {
  const text = (zip ?? '').trim().replace(/\.0+$/, '');
  const five = /^(\d{3,5})$/.exec(text) ?? /^(\d{5})[- ]?\d{4}$/.exec(text);
  const key = five?.[1]?.padStart(5, '0') ?? null;
  return key === '00000' ? null : key;
}

const stateNames: ReadonlyMap<string, string> = new Map(
  `ALABAMA AL|ALASKA AK|ARIZONA AZ|ARKANSAS AR|CALIFORNIA CA|COLORADO CO|CONNECTICUT CT|DELAWARE DE|DISTRICT OF COLUMBIA DC|FLORIDA FL|
  GEORGIA GA|HAWAII HI|IDAHO ID|ILLINOIS IL|INDIANA IN|IOWA IA|KANSAS KS|KENTUCKY KY|LOUISIANA LA|MAINE ME|MARYLAND MD|MASSACHUSETTS MA|
  MICHIGAN MI|MINNESOTA MN|MISSISSIPPI MS|MISSOURI MO|MONTANA MT|NEBRASKA NE|NEVADA NV|NEW HAMPSHIRE NH|NEW JERSEY NJ|NEW MEXICO NM|
  NEW YORK NY|NORTH CAROLINA NC|NORTH DAKOTA ND|OHIO OH|OKLAHOMA OK|OREGON OR|PENNSYLVANIA PA|PUERTO RICO PR|RHODE ISLAND RI|
  SOUTH CAROLINA SC|SOUTH DAKOTA SD|TENNESSEE TN|TEXAS TX|UTAH UT|VERMONT VT|VIRGINIA VA|WASHINGTON WA|WEST VIRGINIA WV|WISCONSIN WI|
  WYOMING WY|GUAM GU|VIRGIN ISLANDS VI|AMERICAN SAMOA AS|NORTHERN MARIANA ISLANDS MP`
    .split('|')
    .map((row): [string, string] => [row.trim().slice(0, -3), row.trim().slice(-2)]),
);

const townWords: Readonly<Record<string, string>> = {
  SAINT: 'ST',
  SAINTE: 'STE',
  FORT: 'FT',
  MOUNT: 'MT',
  MOUNTAIN: 'MTN',
  NORTH: 'N',
  SOUTH: 'S',
  EAST: 'E',
  WEST: 'W',
  HEIGHTS: 'HTS',
  SPRINGS: 'SPGS',
  JUNCTION: 'JCT',
  BEACH: 'BCH',
  TOWNSHIP: 'TWP',
};

const plainWords = (text: string): string[] =>
  foldAccents(text)
    .replace(/['’.]/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** Two letters for `NH`, `N.H.` and `New Hampshire`; null for anything else. */
export function stateKey(state: string | null | undefined): string | null {
  const text = plainWords(state ?? '').join(' ');
  return stateNames.get(text) ?? (/^[A-Z]{2}$/.test(text) ? text : null);
}

/** `ST JOHNSBURY|VT`; null unless both city and state are known. */
export function townKey(city: string | null | undefined, state: string | null | undefined): string | null {
  const town = plainWords(city ?? '')
    .map((word) => townWords[word] ?? word)
    .join(' ');
  const code = stateKey(state);
  return town === '' || code === null ? null : `${town}|${code}`;
}

export interface Door {
  readonly street: string;
  readonly unit: string;
}

/** Street and unit by the rules of mailing-key.ts; null without a house number or box. */
export function doorOf(address: string | null | undefined): Door | null {
  if (!address) return null;
  const key = mailingKey({ address, city: null, state: null, zip: '00000' });
  if (key === null) return null;
  const [street = '', unit = ''] = key.split('|');
  return { street, unit };
}
