/** What stands in the cells of a contact list: flags, line types, and one or several phones. */
import type { ContactPhone, LineType } from '../contacts/match-contact.ts';
import { parsePhoneNumber } from '../contacts/phone-number.ts';

const table = <Value>(rows: readonly (readonly [Value, string])[]): ReadonlyMap<string, Value> =>
  new Map(rows.flatMap(([value, texts]) => texts.split('|').map((text): [string, Value] => [text.trim(), value])));

/** A litigator sues who calls: not to be called either. */
const dncTexts = table<boolean | null>([
  [
    true,
    'Y|YES|TRUE|T|1|X|DNC|DO NOT CALL|ON DNC|DNC LISTED|LISTED|FEDERAL|FEDERAL DNC|NATIONAL DNC|STATE DNC|ON LIST|REGISTERED|LITIGATOR|DNC LITIGATOR|FLAGGED',
  ],
  [
    false,
    'N|NO|FALSE|F|0|CLEAN|SAFE|OK|OK TO CALL|CALLABLE|NOT LISTED|NOT ON DNC|NOT DNC|NO DNC|NOT ON LIST|NOT REGISTERED',
  ],
  [null, '|UNKNOWN|N A|NA|NULL|NO DATA|NOT AVAILABLE|NONE|U'],
]);

const lineTypes = table<LineType | null>([
  ['Mobile', 'MOBILE|CELL|CELLULAR|CELL PHONE|CELLPHONE|MOBILE PHONE|WIRELESS|M|W|C'],
  ['Landline', 'LANDLINE|LAND LINE|LAND|RESIDENTIAL|FIXED|FIXED LINE|FIXEDLINE|HOME|L|R'],
  // The service knows two types; a type that is neither is not known to it.
  [
    null,
    '|UNKNOWN|VOIP|FIXED VOIP|NON FIXED VOIP|NONFIXEDVOIP|OTHER|WORK|BUSINESS|FAX|PAGER|TOLL FREE|N A|NA|NULL|U|FIXED LINE OR MOBILE',
  ],
]);

const folded = (text: string | null): string =>
  (text ?? '')
    .trim()
    .replace(/^(\d)\.0+$/, '$1')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** On the registry, not on it, not known; undefined for words that say none of these. */
export const parseDnc = (text: string | null): boolean | null | undefined => dncTexts.get(folded(text));

/** Undefined for words that are no type. */
export const parseLineType = (text: string | null): LineType | null | undefined => lineTypes.get(folded(text));

const placeholders = /^(?:N\/?A|NONE|NULL|NO|UNKNOWN|-+|0+|X+|\.)$/i;
/** Words beside a number in one cell: `(603) 555-0100 (Mobile, DNC)`. */
const besideNumber = /\b(?:MOBILE|CELL(?:ULAR)?|WIRELESS|LAND ?LINE|DNC|DO NOT CALL|HOME|WORK|PHONE|TEL)\b/gi;

export type PhoneCell = { readonly phone: ContactPhone } | { readonly refused: string; readonly text: string };

/** Every number of a cell; several stand apart by comma, semicolon, bar or a new line. */
export function parsePhoneCell(
  text: string | null,
  known: { readonly lineType: LineType | null; readonly dnc: boolean | null },
): PhoneCell[] {
  return separate(text ?? '').map((piece) => {
    const notes = [...piece.matchAll(besideNumber)].map(([word]) => word.toUpperCase());
    const reading = parsePhoneNumber(piece.replace(besideNumber, ' ').replace(/[()\s-]+$|\(\s*\)/g, ' '));
    if ('refused' in reading) return { ...reading, text: piece };
    const noted = notes.map((note) => parseLineType(note)).find((type) => type) ?? null;
    const isFlagged = notes.some((note) => parseDnc(note) === true);
    return { phone: { number: reading.number, lineType: known.lineType ?? noted, dnc: isFlagged ? true : known.dnc } };
  });
}

/** `(Mobile, DNC)` is no number: pieces without a digit belong to the one before. */
function separate(text: string): string[] {
  const pieces: string[] = [];
  for (const piece of text.split(/[;,|\n\r]+|\s\/\s/).map((each) => each.trim())) {
    if (piece === '' || placeholders.test(piece)) continue;
    const last = pieces.at(-1);
    if (last !== undefined && !/\d/.test(piece)) pieces[pieces.length - 1] = `${last} ${piece}`;
    else pieces.push(piece);
  }
  return pieces;
}
