/**
 * Skip trace: finds the phone numbers of one person in contact records. A match needs
 *  - an equal last name (ignoring case, accents, marks, spaces, JR and the like),
 *  - an equal first name or a known short form; an initial alone never matches,
 *  - an equal place: the ZIP if both sides have one, else city and state;
 *  - no contradiction: JR is not SR, and JOHN A is not JOHN B. Calling the wrong person is worse than finding none.
 * The street only raises the rank, since people move within a ZIP and spell streets in many ways.
 */
import { isShortFormOf, isShortFormPair } from './first-names.ts';
import { type GivenName, givenName, lastNameKey } from './fold-name.ts';
import { parsePhoneNumber } from './phone-number.ts';
import { type Door, doorOf, townKey, zipKey } from './place-key.ts';

export type LineType = 'Mobile' | 'Landline';

export interface ContactPhone {
  readonly number: string;
  readonly lineType: LineType | null;
  /** Whether the number is on the federal Do Not Call registry; null if unknown. */
  readonly dnc: boolean | null;
}

/** A contact record, texts as the source wrote them. */
export interface Contact {
  readonly firstName: string;
  readonly middleName: string | null;
  readonly lastName: string;
  readonly suffix: string | null;
  readonly address: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly zip: string | null;
  /** In the source's order, best first. */
  readonly phones: readonly ContactPhone[];
}

/** The person to find. The place is the ZIP, or city and state. */
export interface WantedPerson {
  readonly firstName: string;
  readonly middleName?: string;
  readonly lastName: string;
  readonly suffix?: string;
  readonly address?: string;
  readonly city?: string;
  readonly state?: string;
  readonly zip?: string;
}

export interface ContactMatch {
  /** Names as in the best record. */
  readonly firstName: string;
  readonly lastName: string;
  /** Best match first, each number once, at most six. */
  readonly phones: readonly ContactPhone[];
}

export const maxPhones = 6;

/** Name and place, folded for comparison. */
interface Comparable {
  readonly lastName: string;
  readonly given: GivenName;
  readonly zip: string | null;
  readonly town: string | null;
  readonly door: Door | null;
}

export interface NamedPlace {
  readonly firstName: string;
  readonly middleName?: string | null;
  readonly lastName: string;
  readonly suffix?: string | null;
  readonly address?: string | null;
  readonly city?: string | null;
  readonly state?: string | null;
  readonly zip?: string | null;
}

function comparable(person: NamedPlace): Comparable {
  const generation =
    person.suffix ??
    person.lastName
      .split(/[\s,]+/)
      .slice(1)
      .at(-1);
  return {
    lastName: lastNameKey(person.lastName),
    given: givenName(person.firstName, person.middleName ?? '', generation ?? ''),
    zip: zipKey(person.zip),
    town: townKey(person.city, person.state),
    door: doorOf(person.address),
  };
}

const isSameOrShort = (a: string, b: string): boolean => a === b || isShortFormPair(a, b);

const isSameFirstName = (a: GivenName, b: GivenName): boolean =>
  a.first !== null && b.first !== null && (isSameOrShort(a.first, b.first) || a.joined === b.joined);

/** Whether both are known and differ; an initial agrees with a name that it begins. */
function contradicts(a: string | null, b: string | null): boolean {
  if (a === null || b === null) return false;
  return a.length === 1 || b.length === 1 ? a[0] !== b[0] : !isSameOrShort(a, b);
}

function isSamePlace(a: Comparable, b: Comparable): boolean {
  if (a.zip !== null && b.zip !== null) return a.zip === b.zip;
  return a.town !== null && a.town === b.town;
}

/** Whether generation and middle names allow both to be one person. */
function agree(a: GivenName, b: GivenName): boolean {
  if (a.generation !== null && b.generation !== null && a.generation !== b.generation) return false;
  // MARYANN and MARY ANN are one name.
  return a.joined === b.joined || !contradicts(a.middle, b.middle);
}

const isMatch = (wanted: Comparable, found: Comparable): boolean =>
  wanted.lastName !== '' &&
  wanted.lastName === found.lastName &&
  isSamePlace(wanted, found) &&
  isSameFirstName(wanted.given, found.given) &&
  agree(wanted.given, found.given);

/** Whether a trace for the one finds the other. */
export const isSamePerson = (a: NamedPlace, b: NamedPlace): boolean => isMatch(comparable(a), comparable(b));

/** Whether two matching records are one person: for PAT, PATRICK and PATRICIA are not; for ROBERT, BOB and ROB are. */
function isOnePerson(wanted: GivenName, a: GivenName, b: GivenName): boolean {
  const full = wanted.first ?? '';
  const bothShort = isShortFormOf(a.first ?? '', full) && isShortFormOf(b.first ?? '', full);
  return (bothShort || isSameFirstName(a, b)) && agree(a, b);
}

function doorRank(wanted: Door | null, found: Door | null): number {
  if (wanted === null || found === null) return 1;
  if (wanted.street !== found.street) return 0;
  return wanted.unit === found.unit ? 3 : 2;
}

/** Higher is better: an equal address counts more than the spelling of the first name, and that more than JR or a middle name. */
function rank(wanted: Comparable, found: Comparable): number {
  const sameFirst = wanted.given.first === found.given.first || wanted.given.joined === found.given.joined;
  const sameGeneration = wanted.given.generation === found.given.generation;
  const sameMiddle = wanted.given.middle !== null && found.given.middle !== null;
  return (
    doorRank(wanted.door, found.door) * 8 + Number(sameFirst) * 4 + Number(sameGeneration) * 2 + Number(sameMiddle)
  );
}

/**
 * Merges one number from several records: it is on the registry if any record says so, not on it if one says no and the
 * others say nothing. The line type comes from the best record that has one.
 */
function mergePhones(a: ContactPhone, b: ContactPhone): ContactPhone {
  return { number: a.number, lineType: a.lineType ?? b.lineType, dnc: mergeDnc(a.dnc, b.dnc) };
}

const mergeDnc = (a: boolean | null, b: boolean | null): boolean | null => (a === true || b === true ? true : (a ?? b));

/** Each number once, in order of first occurrence. The input numbers have ten digits. */
export function mergePhoneLists(lists: readonly (readonly ContactPhone[])[]): ContactPhone[] {
  const merged = new Map<string, ContactPhone>();
  for (const phone of lists.flat()) {
    const known = merged.get(phone.number);
    merged.set(phone.number, known ? mergePhones(known, phone) : phone);
  }
  return [...merged.values()];
}

const validPhones = (phones: readonly ContactPhone[]): ContactPhone[] =>
  phones.flatMap((phone) => {
    const reading = parsePhoneNumber(phone.number);
    return 'number' in reading ? [{ ...phone, number: reading.number }] : [];
  });

interface Match {
  readonly contact: Contact;
  readonly given: GivenName;
  readonly rank: number;
  readonly phones: readonly ContactPhone[];
}

function findMatch(wanted: Comparable, contact: Contact): Match[] {
  // Most records have another last name, and the rest of the comparison is expensive.
  if (lastNameKey(contact.lastName) !== wanted.lastName) return [];
  const found = comparable(contact);
  if (!isMatch(wanted, found)) return [];
  const phones = validPhones(contact.phones);
  return phones.length > 0 ? [{ contact, given: found.given, rank: rank(wanted, found), phones }] : [];
}

/**
 * The person's numbers from all matching records, best record first; null if no record with a valid number matches.
 * @param contacts any records, in a stable order, which equal ranks keep
 */
export function matchContact(person: WantedPerson, contacts: readonly Contact[]): ContactMatch | null {
  const wanted = comparable(person);
  const matches = contacts.flatMap((contact) => findMatch(wanted, contact)).sort((a, b) => b.rank - a.rank);
  const [best] = matches;
  if (!best) return null;
  const same: Match[] = [];
  for (const match of matches) {
    if (same.every((each) => isOnePerson(wanted.given, each.given, match.given))) same.push(match);
  }
  const phones = mergePhoneLists(same.map((match) => match.phones)).slice(0, maxPhones);
  return { firstName: best.contact.firstName, lastName: best.contact.lastName, phones };
}
