/**
 * Parses phone numbers of the North American plan: ten digits, valid by libphonenumber's `isValid` (`isPossible` would
 * accept 111-111-1111). Fictional numbers, 555-0100 to 555-0199 after a real area code, are valid; the sample county uses
 * them.
 */
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

type PhoneReading = { readonly number: string } | { readonly refused: string };

/** Spreadsheets write 6035550100.0 and 6.035550100E9; in 6.04E+09 digits are lost. */
function fromSpreadsheet(text: string): string {
  if (!/^\d+(?:\.0+)?$|^\d(?:\.\d+)?E\+?\d+$/i.test(text)) return text;
  const value = Number(text);
  return Number.isSafeInteger(value) ? String(value) : text;
}

/**
 * Ten digits, or the reason for refusal. Marks, a leading 1 and an extension are allowed.
 * @param text one phone number in any notation
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
  return parsed.isValid() ? { number: nationalNumber } : { refused: 'is not a number that can be assigned' };
}
