/**
 * Makes one key for all spellings of a mailing address, which identifies an owner portfolio: street, unit and ZIP with the
 * abbreviations of USPS Publication 28. An address without a house number or box has no key: it could join the portfolios
 * of different owners.
 */

import { directions, endings, streetWords } from '../spec/street-words.ts';
import { foldCase } from '../spec/text-fold.ts';

const maxAddressLength = 300;

interface MailingAddress {
  readonly address: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly zip: string | null;
}

const unitWords = new Set(
  'APT APARTMENT UNIT STE SUITE SUIT RM ROOM FL FLOOR BLDG BUILDING SPC SPACE TRLR TRAILER LOT NUM PMB'.split(' '),
);
const unitWithNumber = /^(?:APT|UNIT|STE|SUITE|RM|LOT|SPC|PMB)(\d+[A-Z]?)$/;

/** The number of a box: digits, or one or two letters. */
const boxNumber = String.raw`((?:\S*\d\S*|[A-Z]{1,2}(?= |$))(?: (?:[A-Z]|\d{1,4})$)?)`;
const mark = '(?:# |NO |NUMBER )?';
const postOffice = '(?:P O|PO|POST OFFICE|POST OFC|P 0|P)';
const rural = '(?:R R|RR|RURAL RTE|RTE|RT|RFD|RD|RURAL DELIVERY)';
const contract = '(?:HC|HCR|HC RTE|STAR RTE|HIGHWAY CONTRACT RTE)';
const routeNumber = String.raw`(\d+[A-Z]?)`;
const routeBox = new RegExp(
  `^(?:(${rural})|${contract}) ${mark}${routeNumber} (?:${postOffice} ?)?(?:BOX|BX) ${mark}${boxNumber}`,
);
/** BOX 40 HC 30 means HC 30 BOX 40. */
const boxOfRoute = new RegExp(
  String.raw`^(?:${postOffice} ?)?(?:BOX|BX) ${mark}(\S*\d\S*) (?:(${rural})|${contract}) ${mark}${routeNumber}(?= |$)`,
);
/** Military post offices: a box number is unique within its unit. */
const forcesBox = new RegExp(
  String.raw`(?:^|^.* (?=PSC|CMR))(PSC|CMR|UNIT|OMR) ${mark}(\d+) (?:${postOffice} ?)?(?:BOX|BX) ${mark}${boxNumber}`,
);
/** Also inside a line: 9 SAMPLE POND RD PO BOX 611 is delivered to the box. */
const postBox = new RegExp(`(?:^| )${postOffice} ?(?:BOX|BX|B0X|DRAWER|DWR) ${mark}${boxNumber}`);
const bareBox = new RegExp(`^(?:BOX|BX|DRAWER|POB|POBOX) ${mark}${boxNumber}(?! (?:STAR RTE|RR|HC)(?: |$))`);
/** In large towns each station numbers its own boxes. */
const stationOf = / (?:STATION|STA) (\S+)$/;
const careOf = /^(?:C O|CARE OF|ATTN|ATTENTION|%) /;

/** Words with single spaces only, as most addresses: no expression below would change them. */
const wordsAlone = /^[A-Z0-9]+(?: [A-Z0-9]+)*$/;

/** Words in upper case, without dots and apostrophes; # is a word, other marks become spaces (12-34 and 3/5 stay). */
function wordsOf(address: string): string[] {
  const upper = foldCase(address);
  if (wordsAlone.test(upper)) return upper.split(' ');
  const folded = upper
    .replace(/[.'’]/g, '')
    .replace(/\bC\/O\b/g, 'C O ')
    .replace(/#/g, ' # ')
    .replace(/(\d) ?([-/]) ?(?=\d)/g, '$1$2');
  return folded.split(/[^\p{L}\p{M}\p{N}#%/-]+/u).filter((word) => /[\p{L}\p{N}#%]/u.test(word));
}

/** `0012` → `12`, `17-A` and `17 A` → `17A`; digits on both sides of a hyphen keep it: `4-1234`, also written `4 1234`. */
const plainNumber = (text: string): string =>
  text
    .replace(/^(\S*\d) (?=\d)/, '$1-')
    .replace(/ /g, '')
    .replace(/(\d)-(?=[A-Z])|([A-Z])-(?=\d)/g, '$1$2')
    .replace(/^0+(?=\d)/, '');

/** Whether the unit precedes the house number: APT 2 12 MAIN ST. */
const leadsWithUnit = ([first = '', second = '', third = '']: readonly string[]): boolean =>
  unitWords.has(first) && /^(?:\d\S*|[A-Z])$/.test(second) && /^\d/.test(third);

function startsWithDigit(word: string): boolean {
  const code = word.charCodeAt(0);
  return code >= 0x30 && code <= 0x39;
}

/** The unit's number after its word, with a separate letter that belongs to it: APT 14 A at the end of a line. */
function unitAt(words: readonly string[], at: number): { unit: string; length: number } {
  const [number = '', letter = ''] = words.slice(at, at + 2);
  const isSplit = at + 2 === words.length && /^\d+$/.test(number) && /^[A-Z]$/.test(letter);
  return isSplit ? { unit: number + letter, length: 2 } : { unit: plainNumber(number), length: 1 };
}

/** Whether a unit's number follows this word. NO counts only before the last word: in 850 NO ELM ST it means north. */
function isUnitMark(words: readonly string[], at: number): boolean {
  const word = words[at] as string;
  if (word === '#') return true;
  if (word === 'NO') return at > 0 && at + 2 === words.length && /^\d+[A-Z]?$/.test(words[at + 1] as string);
  return unitWords.has(word) && (at > 0 || leadsWithUnit(words));
}

/** Splits the unit from the street: APT 2, UNIT 2, STE 2, PMB 2, # 2, NO 2 and APT2 are equal. */
function splitUnit(words: readonly string[]): { street: string[]; unit: string } {
  const street: string[] = [];
  const units: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const joined = unitWithNumber.exec(words[at] as string)?.[1];
    if (joined !== undefined && at > 0) units.push(plainNumber(joined));
    else if (!isUnitMark(words, at)) street.push(words[at] as string);
    else if (words[at + 1] !== undefined && words[at + 1] !== '#') {
      const { unit, length } = unitAt(words, at + 1);
      units.push(unit);
      at += length;
    }
  }
  return { street, unit: units.join(' ') };
}

/** Normalizes numbered roads: CR 5, HWY 287. State and US highways stay different. */
function foldNumberedRoads(words: readonly string[]): readonly string[] {
  if (!words.some((word, at) => at > 0 && startsWithDigit(word))) return words;
  return words
    .join(' ')
    .replace(/(^| )(?:COUNTY|CNTY|CO) (?:ROAD|RD) (?:NO |# )?(?=\d)/g, '$1CR ')
    .replace(/(^| )C R (?=\d)/g, '$1CR ')
    .replace(/(^| )(?:US|U S) (?:HIGHWAY|HWY|ROUTE|RTE|RT)? ?(?:NO |# )?(?=\d)/g, '$1HWY ')
    .replace(/(^| )(HIGHWAY|HWY|ROUTE|RTE|RT|CR) (?:NO|#) (?=\d)/g, '$1$2 ')
    .split(' ');
}

/** 14 A MAIN ST and 14-A MAIN ST become 14A MAIN ST; in 14 N MAIN ST the N means north, and 14 A ST is on A Street. */
function foldHouseNumber(words: readonly string[]): readonly string[] {
  const [number = '', letter = '', next, ...rest] = words;
  if (letter.length !== 1 && !number.includes('-')) return words;
  const isSplit = /^\d+$/.test(number) && /^[A-DF-MO-RT-VX-Z]$/.test(letter) && next !== undefined;
  if (isSplit && !endings.has(streetWords.get(next) ?? next)) return [number + letter, next, ...rest];
  return /^\d+-[A-Z]$/.test(number) ? [number.replace('-', ''), ...words.slice(1)] : words;
}

function standardStreet(words: readonly string[]): string {
  const mapped = words.map((word, at) => {
    const next = words[at + 1] ?? '';
    // MT RD is Mountain Road; in MT SAMPLE RD it means Mount.
    if ((word === 'MT' || word === 'MNT') && endings.has(streetWords.get(next) ?? next)) return 'MTN';
    return streetWords.get(word) ?? word;
  });
  return mapped
    .map((word, at) => {
      const direction = directions.get(word);
      if (direction === undefined) return word;
      // 12 NORTH ST is North Street; 12 NORTH MAIN ST is on Main.
      const isName = at === mapped.length - 2 && endings.has(mapped[at + 1] ?? '');
      return isName ? word : direction;
    })
    .join(' ');
}

/** What every box is called by; most addresses are streets, and need none of the expressions for boxes. */
const anyBox = /BO?X|B0X|DRAWER|DWR|POB/;

function boxOf(words: readonly string[]): string | null {
  if (!anyBox.test(words.join(' '))) return null;
  const text = words.map((word) => (word === 'ROUTE' ? 'RTE' : word)).join(' ');
  const route = routeBox.exec(text);
  // A trailer park may have one box and many lots.
  if (route) return routeDoor(route[1], route[2], route[3], splitUnit(words).unit);
  const reversed = boxOfRoute.exec(text);
  if (reversed) return routeDoor(reversed[2], reversed[3], reversed[1], splitUnit(words).unit);
  const forces = forcesBox.exec(text);
  if (forces) return `${forces[1]} ${plainNumber(forces[2] ?? '')} BOX ${plainNumber(forces[3] ?? '')}|`;
  const box = postBox.exec(text) ?? bareBox.exec(text);
  if (!box) return null;
  const station = stationOf.exec(text)?.[1];
  return `PO BOX ${plainNumber(box[1] ?? '')}${station === undefined ? '' : ` STA ${station}`}|`;
}

const routeDoor = (ruralWord: string | undefined, route = '', box = '', unit = ''): string =>
  `${ruralWord === undefined ? 'HC' : 'RR'} ${plainNumber(route)} BOX ${plainNumber(box)}|${unit}`;

function doorOf(address: string): string | null {
  const words = wordsOf(address);
  const box = boxOf(words);
  if (box) return box;
  const { street, unit } = splitUnit(foldNumberedRoads(words.slice(startOfStreet(words))));
  // A street without a house number means the whole street; GENERAL DELIVERY means the post office.
  const isUnitAlone = words.length === 2 && unitWords.has(words[0] ?? '');
  if (isUnitAlone || street.length < 2 || !street.some((word) => /\d/.test(word))) return null;
  return `${standardStreet(foldHouseNumber(street))}|${unit}`;
}

const streetStandards = new Set([...streetWords.values(), ...streetWords.keys(), 'US', 'STATE', 'COUNTY', 'CR']);

/**
 * Index where the street begins. After C/O or a person's name (DOE, JANE A 12 ELM ST) it begins at the house number. A
 * number after a street word belongs to the street: US HWY 2 EAST.
 */
function startOfStreet(words: readonly string[]): number {
  if (leadsWithUnit(words)) return 0;
  const number = words.findIndex((word) => /^\d/.test(word));
  if (careOf.test(`${words.join(' ')} `)) return number === -1 ? words.length : number;
  const isName = number > 0 && number + 2 < words.length && !words.slice(0, number).some((w) => streetStandards.has(w));
  return isName ? number : 0;
}

function placeOf({ city, state, zip }: MailingAddress): string | null {
  const five = /^\d{5}/.exec(zip ?? '')?.[0];
  if (five) return five;
  const [town, code] = [city, state].map((text) =>
    foldCase(text ?? '')
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim(),
  );
  return town && code ? `${town} ${code}` : null;
}

/**
 * `street|unit|place`, where place is the ZIP, else city and state; null without a place, or without a house number or box.
 * Addresses with equal keys form one owner portfolio.
 */
export function mailingKey(mailing: MailingAddress): string | null {
  // Longer than any envelope holds: not an address.
  if (mailing.address === null || mailing.address.length > maxAddressLength) return null;
  const place = placeOf(mailing);
  if (place === null) return null;
  const door = doorOf(mailing.address);
  return door === null ? null : `${door}|${place}`;
}
