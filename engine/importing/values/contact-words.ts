/** Flags and line types of contact lists, in vendors' words. */
import type { LineType } from '../../contacts/match-contact.ts';

const table = <Value>(rows: readonly (readonly [Value, string])[]): ReadonlyMap<string, Value> =>
  new Map(rows.flatMap(([value, texts]) => texts.split('|').map((text): [string, Value] => [text.trim(), value])));

/** A litigator sues callers: must not be called either. */
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
  // The service knows two types; all others count as unknown.
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

/** True: on the registry; false: not on it; null: unknown; undefined for other words. */
export const parseDnc = (text: string | null): boolean | null | undefined => dncTexts.get(folded(text));

/** Undefined for unknown words. */
export const parseLineType = (text: string | null): LineType | null | undefined => lineTypes.get(folded(text));
