/** Flags and line types of contact lists, in the words that vendors use. */
import type { LineType } from '../../contacts/match-contact.ts';

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
