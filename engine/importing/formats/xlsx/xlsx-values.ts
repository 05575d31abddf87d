/**
 * The displayed value of a spreadsheet cell: numbers with the zeros of their format, dates as ISO for both date
 * systems.
 */

/** A number format, as far as it matters for data. */
export type NumberForm =
  | { readonly kind: 'plain' }
  | { readonly kind: 'date' }
  /** Zeros and separators only: `00000`, `00000-0000`, `000-00-0000`. */
  | { readonly kind: 'digits'; readonly pattern: string };

export const plainForm: NumberForm = { kind: 'plain' };
const dateForm: NumberForm = { kind: 'date' };

/** Formats with reserved numbers (ECMA-376 part 1, 18.8.30). */
const isBuiltInDate = (id: number): boolean =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);

/** @param code null for a built-in format */
export function formOf(id: number, code: string | null): NumberForm {
  if (code === null) return isBuiltInDate(id) ? dateForm : plainForm;
  // A format has sections for positive, negative, zero and text; only the first matters here.
  const [first = ''] = code.split(';');
  const digits = first.replaceAll('"', '').replaceAll('\\', '');
  if (/^0[0\- ]*$/.test(digits) && digits.replace(/[^0]/g, '').length > 1) return { kind: 'digits', pattern: digits };
  const bare = first.replace(/"[^"]*"|\\.|\[[^\]]*\]|_.|\*./g, '');
  return /[ymdhs]/i.test(bare) && !/general/i.test(bare) ? dateForm : plainForm;
}

/** @param text the cell's content in the file; null if it is not a number */
export function showNumber(text: string, form: NumberForm, startsIn1904: boolean): string | null {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number)) return null;
  if (form.kind === 'date') return showDate(number, startsIn1904) ?? showPlain(text, number);
  if (form.kind === 'digits' && Number.isInteger(number) && number >= 0) return fillDigits(number, form.pattern);
  return showPlain(text, number);
}

/** Excel keeps fifteen digits: 0.30000000000000004 is 0.3. */
const showPlain = (text: string, number: number): string =>
  String(text.length <= 15 ? number : Number(number.toPrecision(15)));

function fillDigits(number: number, pattern: string): string {
  const places = pattern.replace(/[^0]/g, '').length;
  const digits = String(number).padStart(places, '0');
  // Digits beyond the pattern precede it.
  let at = digits.length - places;
  return digits.slice(0, at) + pattern.replace(/0/g, () => digits[at++] ?? '');
}

const dayMilliseconds = 86_400_000;
const lastSerial = 2_958_465;

/** Null if it is not a date. Excel counts February 29, 1900, which did not exist: earlier days are one higher. */
function showDate(serial: number, startsIn1904: boolean): string | null {
  if (serial < 0 || serial > lastSerial + 1) return null;
  const days = startsIn1904 ? serial + 1462 : serial < 60 ? serial + 1 : serial;
  const milliseconds = Math.round((days - 25_569) * 86_400) * 1000;
  const iso = new Date(milliseconds).toISOString();
  return milliseconds % dayMilliseconds === 0 ? iso.slice(0, 10) : iso.slice(0, 19);
}
