/**
 * Telephone numbers of the North American plan, ten digits, valid by libphonenumber. Its `isValid`, not `isPossible`, which
 * would let 111-111-1111 pass. The numbers for stories, 555-0100 to 555-0199 behind a real area code, are valid too: the
 * sample county lives on them.
 */
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

export type PhoneReading = { readonly number: string } | { readonly refused: string };

/** 6035550100.0 and 6.035550100E9 are how a spreadsheet keeps a number; 6.04E+09 has lost it. */
function fromSpreadsheet(text: string): string {
  if (!/^\d+(?:\.0+)?$|^\d(?:\.\d+)?E\+?\d+$/i.test(text)) return text;
  const value = Number(text);
  return Number.isSafeInteger(value) ? String(value) : text;
}

/**
 * Ten digits, or why there are none. Marks, a leading 1 and an extension are allowed.
 * @param text one number as somebody wrote it
 */
export function parsePhoneNumber(text: string): PhoneReading {
  const trimmed = text.trim();
  const rounded = /^(\d)(?:\.(\d+))?E\+?\d+$/i.exec(trimmed);
  if (rounded && (rounded[2] ?? '').length < 9)
    return { refused: 'rounded by a spreadsheet: its last digits are lost' };
  const parsed = parsePhoneNumberFromString(fromSpreadsheet(trimmed), 'US');
  const digits = trimmed.replace(/\D/g, '').length;
  if (!parsed) return { refused: digits === 0 ? 'holds no number' : `has ${digits} digits; expected 10` };
  if (parsed.countryCallingCode !== '1') return { refused: `is of another country (+${parsed.countryCallingCode})` };
  const { nationalNumber } = parsed;
  if (nationalNumber.length !== 10) return { refused: `has ${nationalNumber.length} digits; expected 10` };
  return parsed.isValid() ? { number: nationalNumber } : { refused: 'is no number that can be assigned' };
}
