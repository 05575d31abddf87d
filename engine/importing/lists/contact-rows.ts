/** Turns a row of a contact list into a person with phones. */
import { givenName, lastNameKey } from '../../contacts/fold-name.ts';
import type { Contact, ContactPhone, LineType } from '../../contacts/match-contact.ts';
import { parseOwnerName } from '../../contacts/owner-name.ts';
import { doorOf, stateKey, townKey, zipKey } from '../../contacts/place-key.ts';
import { foldSpaces } from '../../spec/text-fold.ts';
import type { ListValues } from '../mapping/row-mapper.ts';
import type { BoundMapping } from './contact-mapping.ts';
import { type ContactCounts, countProblem } from './contact-report.ts';
import { parsePhoneCell } from './contact-values.ts';

type Values = readonly (string | null)[];

interface ContactRow {
  readonly row: number;
  readonly values: Values;
}

/** A row by contact columns; unreadable values are counted only when requested. */
interface MappedRow {
  readonly row: number;
  readonly values: ListValues;
  readonly faults: ReadonlyMap<string, { readonly value: unknown; readonly reason: string }>;
}

type Name = Pick<Contact, 'firstName' | 'middleName' | 'lastName' | 'suffix'>;
type Place = Pick<Contact, 'address' | 'city' | 'state' | 'zip'>;

/** A leading ' keeps a spreadsheet from reading a formula; it is not part of the text. */
const plainText = (text: unknown): string | null =>
  typeof text === 'string'
    ? text
        .replace(/^'(?=[=+\-@])/, '')
        .replace(/\s+/g, ' ')
        .trim() || null
    : null;

export class ContactRowReader {
  readonly #mapping: BoundMapping;
  readonly #counts: ContactCounts;

  constructor(mapping: BoundMapping, counts: ContactCounts) {
    this.#mapping = mapping;
    this.#counts = counts;
  }

  /** Null for a refused row; the counts say why. */
  read(given: ContactRow): Contact | null {
    const row = this.#mapped(given);
    const name = this.#name(row);
    if (name === null) return null;
    const place = this.#place(row);
    if (zipKey(place.zip) === null && townKey(place.city, place.state) === null) {
      return this.#refuse(row, 'zip', 'no ZIP of 5 digits, and no city with a state');
    }
    const phones = this.#phones(row);
    if (phones.length === 0) return this.#refuse(row, 'phone', 'no valid telephone number');
    return { ...name, ...place, phones };
  }

  #mapped({ row, values: cells }: ContactRow): MappedRow {
    const { mapper, headings } = this.#mapping;
    const faults = new Map<string, { value: unknown; reason: string }>();
    const properties = Object.fromEntries(headings.map((heading, at) => [heading, cells[at]]));
    const values = mapper.convert(properties, undefined, (column, value, reason) =>
      faults.set(column, { value, reason }),
    );
    return { row, values, faults };
  }

  #text({ values }: MappedRow, column: string): string | null {
    return plainText(values[column]);
  }

  #sourceOf(column: string): string {
    return this.#mapping.sources.get(column)?.join(' + ') ?? '';
  }

  #refuse({ row }: MappedRow, column: string, reason: string, value: string | null = null): null {
    countProblem(this.#counts.rows_refused, { row, column: this.#sourceOf(column) }, value, reason);
    return null;
  }

  #name(row: MappedRow): Name | null {
    const full = this.#text(row, 'full_name');
    if (!this.#mapping.sources.has('first_name')) return this.#fullName(row, full);
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

  /** If a cell has several names the first person counts, as in a trace by property. */
  #fullName(row: MappedRow, full: string | null): Name | null {
    if (full === null) return this.#refuse(row, 'full_name', 'no name');
    const order = this.#known(row, 'name_order') === 'surname first' ? 'surname first' : 'given name first';
    const read = parseOwnerName(full, order);
    if (read.kind === 'unreadable') return this.#refuse(row, 'full_name', 'no personal name found', full);
    if (read.kind !== 'individual')
      return this.#refuse(row, 'full_name', `a name of a ${read.kind}, not of a person`, full);
    const [person] = read.persons;
    if (!person) return this.#refuse(row, 'full_name', 'no personal name found', full);
    const { first, middle = null, last, suffix = null } = person;
    return { firstName: first, middleName: middle, lastName: last, suffix };
  }

  #place(row: MappedRow): Place {
    const [street, second] = [this.#text(row, 'address'), this.#text(row, 'address_2')];
    const own = { city: this.#text(row, 'city'), state: this.#text(row, 'state'), zip: this.#text(row, 'zip') };
    const address =
      street && second ? `${street} ${/^[\d#]/.test(second) ? `# ${second.replace(/^#\s*/, '')}` : second}` : street;
    if (own.zip !== null || own.city !== null) return { address, ...own };
    // 12 ELM ST, NOWHERE, NH 03280 in one cell, or the last three parts in another.
    const together = this.#text(row, 'city_state_zip');
    const parts = /^(?:(.*),\s*)?([^,]+),?\s+([A-Za-z]{2})\.?,?(?:\s+(\d{5}(?:-?\d{4})?))?$/.exec(
      together ?? address ?? '',
    );
    if (!parts || stateKey(parts[3]) === null) return { address, ...own };
    const [, before, city = null, state = null, zip = null] = parts;
    if (together === null && before === undefined) return { address, ...own };
    return { address: together === null ? (before ?? null) : address, city, state, zip };
  }

  #phones(row: MappedRow): ContactPhone[] {
    const rowFlag = this.#flag(row, 'dnc');
    return this.#mapping.phones.flatMap(({ number, lineType, dnc, usualType }) => {
      const text = this.#text(row, number.name);
      if (text === null) return [];
      const known = {
        lineType: this.#lineType(row, lineType.name) ?? this.#lineType(row, usualType.name),
        dnc: this.#flag(row, dnc.name) ?? rowFlag,
      };
      return parsePhoneCell(text, known).flatMap((cell) => {
        if ('phone' in cell) return [cell.phone];
        const at = { row: row.row, column: this.#sourceOf(number.name) };
        countProblem(this.#counts.phones_refused, at, cell.text, cell.refused);
        return [];
      });
    });
  }

  #flag(row: MappedRow, column: string): boolean | null {
    const flag = this.#known(row, column);
    return flag === null ? null : flag === 1;
  }

  #lineType(row: MappedRow, column: string): LineType | null {
    const type = this.#known(row, column);
    return type === 'Mobile' || type === 'Landline' ? type : null;
  }

  #known({ row, values, faults }: MappedRow, column: string): string | number | null {
    const fault = faults.get(column);
    if (fault)
      countProblem(this.#counts.values_unread, { row, column: this.#sourceOf(column) }, fault.value, fault.reason);
    return values[column] ?? null;
  }
}

/** Identifies a person of a source: rows with the same key are one record, also in a later import. */
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
