/** Parses a phone cell of a contact list: one or several numbers, with words beside them. */
import type { ContactPhone, LineType } from '../../contacts/match-contact.ts';
import { parsePhoneNumber } from '../../contacts/phone-number.ts';
import { parseDnc, parseLineType } from '../values/contact-words.ts';

const placeholders = /^(?:N\/?A|NONE|NULL|NO|UNKNOWN|-+|0+|X+|\.)$/i;
/** Words beside a number in one cell: `(603) 555-0100 (Mobile, DNC)`. */
const besideNumber = /\b(?:MOBILE|CELL(?:ULAR)?|WIRELESS|LAND ?LINE|DNC|DO NOT CALL|HOME|WORK|PHONE|TEL)\b/gi;

type PhoneCell = { readonly phone: ContactPhone } | { readonly refused: string; readonly text: string };

/** Every number of a cell; separated by comma, semicolon, bar or a new line. */
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

/** `(Mobile, DNC)` is not a number: pieces without a digit belong to the one before. */
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
