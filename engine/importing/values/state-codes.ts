/** Codes of the Postal Service: two letters of states and territories, by name; ZIP codes. */
import { foldCase } from '../../spec/text-fold.ts';

const names = `ALABAMA AL|ALASKA AK|ARIZONA AZ|ARKANSAS AR|CALIFORNIA CA|COLORADO CO|CONNECTICUT CT|DELAWARE DE|FLORIDA FL|GEORGIA GA|
HAWAII HI|IDAHO ID|ILLINOIS IL|INDIANA IN|IOWA IA|KANSAS KS|KENTUCKY KY|LOUISIANA LA|MAINE ME|MARYLAND MD|MASSACHUSETTS MA|MICHIGAN MI|
MINNESOTA MN|MISSISSIPPI MS|MISSOURI MO|MONTANA MT|NEBRASKA NE|NEVADA NV|NEW HAMPSHIRE NH|NEW JERSEY NJ|NEW MEXICO NM|NEW YORK NY|
NORTH CAROLINA NC|NORTH DAKOTA ND|OHIO OH|OKLAHOMA OK|OREGON OR|PENNSYLVANIA PA|RHODE ISLAND RI|SOUTH CAROLINA SC|SOUTH DAKOTA SD|
TENNESSEE TN|TEXAS TX|UTAH UT|VERMONT VT|VIRGINIA VA|WASHINGTON WA|WEST VIRGINIA WV|WISCONSIN WI|WYOMING WY|DISTRICT OF COLUMBIA DC|
AMERICAN SAMOA AS|GUAM GU|NORTHERN MARIANA ISLANDS MP|PUERTO RICO PR|VIRGIN ISLANDS VI|US VIRGIN ISLANDS VI`;

const codes = new Map(names.split(/\s*\|\s*/).map((entry): [string, string] => [entry.slice(0, -3), entry.slice(-2)]));

/** Codes of the United States: stateCodeOf accepts other provinces too. */
export const usStates: ReadonlySet<string> = new Set(codes.values());

const isCode = /^[A-Z]{2}$/;

/** `NH` for `nh`, `N.H.` and `New Hampshire`; also codes of other countries' provinces (ON). Null for anything else. */
export function stateCodeOf(text: string): string | null {
  if (isCode.test(text)) return text;
  if (text.length > 40) return null;
  const folded = foldCase(text).replaceAll('.', '').replace(/\s+/g, ' ').trim();
  const letters = folded.replace(' ', '');
  return isCode.test(letters) ? letters : (codes.get(folded) ?? null);
}

/** Digits of a ZIP, with the zeros that spreadsheets drop; null: none; undefined: not a US ZIP. */
export function zipDigits(text: string): { five: string; four: string } | null | undefined {
  // Five digits, the usual case.
  if (/^\d{5}$/.test(text)) return text === '00000' ? null : { five: text, four: '' };
  const match = /^(\d{1,9})(?:\.0+)?(?:\s*-\s*(\d{0,4})[^\p{L}\p{N}]*)?$/u.exec(text);
  if (!match) return undefined;
  const [, digits = '', plus = ''] = match;
  if (Number(digits) === 0) return null;
  // Six are a foreign code: the lowest ZIP with four more digits, 00501, has seven.
  if (digits.length === 6) return undefined;
  if (digits.length > 6 && plus === '') {
    const nine = digits.padStart(9, '0');
    return { five: nine.slice(0, 5), four: nine.slice(5) };
  }
  if (digits.length > 5 || digits.length < 3) return undefined;
  return { five: digits.padStart(5, '0'), four: plus };
}
