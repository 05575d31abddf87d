/** From a row of a contact list to a person with phones. */
import { givenName, lastNameKey } from '../contacts/fold-name.ts';
import type { Contact, ContactPhone } from '../contacts/match-contact.ts';
import { parseOwnerName } from '../contacts/owner-name.ts';
import { doorOf, stateKey, townKey, zipKey } from '../contacts/place-key.ts';
import { foldSpaces } from '../spec/text-fold.ts';
import type { BoundMapping, SingleRole } from './contact-mapping.ts';
import { type ContactCounts, countProblem } from './contact-report.ts';
import { parseDnc, parseLineType, parsePhoneCell } from './contact-values.ts';

type Values = readonly (string | null)[];

export interface ContactRow {
  readonly row: number;
  readonly values: Values;
}

type Name = Pick<Contact, 'firstName' | 'middleName' | 'lastName' | 'suffix'>;
type Place = Pick<Contact, 'address' | 'city' | 'state' | 'zip'>;

/** A leading ' keeps a spreadsheet from reading a formula; it is no part of the text. */
const plainText = (text: string | null | undefined): string | null =>
  text
    ?.replace(/^'(?=[=+\-@])/, '')
    .replace(/\s+/g, ' ')
    .trim() || null;

export class ContactRowReader {
  readonly #mapping: BoundMapping;
  readonly #counts: ContactCounts;

  constructor(mapping: BoundMapping, counts: ContactCounts) {
    this.#mapping = mapping;
    this.#counts = counts;
  }

  /** Null for a row that is refused; the counts say why. */
  read(row: ContactRow): Contact | null {
    const name = this.#name(row);
    if (name === null) return null;
    const place = this.#place(row);
    if (zipKey(place.zip) === null && townKey(place.city, place.state) === null) {
      return this.#refuse(row, 'zip', 'no ZIP of 5 digits, and no city with a state');
    }
    const phones = this.#phones(row);
    if (phones.length === 0) return this.#refuse(row, 'phone', 'no number that can be kept');
    return { ...name, ...place, phones };
  }

  #text(row: ContactRow, role: SingleRole): string | null {
    const at = this.#mapping.single[role];
    return at === undefined ? null : plainText(row.values[at]);
  }

  #refuse(row: ContactRow, role: SingleRole | 'phone', reason: string, value: string | null = null): null {
    const at = role === 'phone' ? undefined : this.#mapping.single[role];
    const column = at === undefined ? '' : (this.#mapping.headings[at] ?? '');
    countProblem(this.#counts.rows_refused, { row: row.row, column }, value, reason);
    return null;
  }

  #name(row: ContactRow): Name | null {
    const full = this.#mapping.single.full_name === undefined ? null : this.#text(row, 'full_name');
    if (this.#mapping.single.first_name === undefined) return this.#fullName(row, full);
    const name = {
      firstName: this.#text(row, 'first_name') ?? '',
      middleName: this.#text(row, 'middle_name'),
      lastName: this.#text(row, 'last_name') ?? '',
      suffix: this.#text(row, 'suffix'),
    };
    const isWhole =
      givenName(name.firstName, name.middleName ?? '').first !== null && lastNameKey(name.lastName) !== '';
    if (isWhole) return name;
    return full === null ? this.#refuse(row, 'first_name', 'no first and last name') : this.#fullName(row, full);
  }

  /** Of several names in one cell the first person is kept, as in a trace by property. */
  #fullName(row: ContactRow, full: string | null): Name | null {
    if (full === null) return this.#refuse(row, 'full_name', 'no name');
    const read = parseOwnerName(full, this.#mapping.nameOrder);
    if (read.kind === 'unreadable') return this.#refuse(row, 'full_name', 'no name of a person can be read', full);
    if (read.kind !== 'individual')
      return this.#refuse(row, 'full_name', `a name of a ${read.kind}, not of a person`, full);
    const [person] = read.persons;
    if (!person) return this.#refuse(row, 'full_name', 'no name of a person can be read', full);
    const { first, middle = null, last, suffix = null } = person;
    return { firstName: first, middleName: middle, lastName: last, suffix };
  }

  #place(row: ContactRow): Place {
    const [street, second] = [this.#text(row, 'address'), this.#text(row, 'address_2')];
    const own = { city: this.#text(row, 'city'), state: this.#text(row, 'state'), zip: this.#text(row, 'zip') };
    const address =
      street && second ? `${street} ${/^[\d#]/.test(second) ? `# ${second.replace(/^#\s*/, '')}` : second}` : street;
    if (own.zip !== null || own.city !== null) return { address, ...own };
    // 12 ELM ST, NOWHERE, NH 03280 in one cell, or the last three of it in another.
    const together = this.#text(row, 'city_state_zip');
    const parts = /^(?:(.*),\s*)?([^,]+),?\s+([A-Za-z]{2})\.?,?(?:\s+(\d{5}(?:-?\d{4})?))?$/.exec(
      together ?? address ?? '',
    );
    if (!parts || stateKey(parts[3]) === null) return { address, ...own };
    const [, before, city = null, state = null, zip = null] = parts;
    if (together === null && before === undefined) return { address, ...own };
    return { address: together === null ? (before ?? null) : address, city, state, zip };
  }

  #phones(row: ContactRow): ContactPhone[] {
    const { single, phones, headings } = this.#mapping;
    const rowFlag = single.dnc === undefined ? null : this.#flag(row, single.dnc);
    return phones.flatMap(({ number, line_type, dnc, always }) => {
      const text = plainText(row.values[number]);
      if (text === null) return [];
      const known = {
        lineType: (line_type === null ? null : this.#lineType(row, line_type)) ?? always,
        dnc: (dnc === null ? null : this.#flag(row, dnc)) ?? rowFlag,
      };
      return parsePhoneCell(text, known).flatMap((cell) => {
        if ('phone' in cell) return [cell.phone];
        const at = { row: row.row, column: headings[number] ?? '' };
        countProblem(this.#counts.phones_refused, at, cell.text, cell.refused);
        return [];
      });
    });
  }

  #flag(row: ContactRow, at: number): boolean | null {
    return this.#known(row, at, parseDnc(row.values[at] ?? null), 'expected yes or no');
  }

  #lineType(row: ContactRow, at: number) {
    return this.#known(row, at, parseLineType(row.values[at] ?? null), 'expected Mobile or Landline');
  }

  #known<Value>(row: ContactRow, at: number, value: Value | undefined, expected: string): Value | null {
    if (value !== undefined) return value;
    const column = this.#mapping.headings[at] ?? '';
    countProblem(this.#counts.values_unread, { row: row.row, column }, row.values[at], expected);
    return null;
  }
}

/** What a person of a source is known by: rows that have it in common are one record, also in a later import. */
export function personKey(contact: Omit<Contact, 'phones'>): string {
  const given = givenName(contact.firstName, contact.middleName ?? '', contact.suffix ?? '');
  const door = doorOf(contact.address);
  return [
    lastNameKey(contact.lastName),
    given.joined,
    given.middle ?? '',
    given.generation ?? '',
    door ? `${door.street} ${door.unit}` : foldSpaces(contact.address ?? ''),
    zipKey(contact.zip) ?? townKey(contact.city, contact.state) ?? '',
  ].join('|');
}
