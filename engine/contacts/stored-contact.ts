/** Converts rows of people.sqlite to contacts, for imports, which compare them, and skip traces, which search them. */
import type { Contact, ContactPhone } from './match-contact.ts';

export interface StoredContact {
  readonly contact_id: number;
  readonly first_name: string;
  readonly middle_name: string | null;
  readonly last_name: string;
  readonly suffix: string | null;
  readonly address: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly zip: string | null;
}

export interface StoredPhone {
  readonly number: string;
  readonly line_type: 'Mobile' | 'Landline' | null;
  readonly dnc: number | null;
}

/** A contact without its phones, which only some callers need. */
export const contactOfRow = (row: StoredContact): Omit<Contact, 'phones'> => ({
  firstName: row.first_name,
  middleName: row.middle_name,
  lastName: row.last_name,
  suffix: row.suffix,
  address: row.address,
  city: row.city,
  state: row.state,
  zip: row.zip,
});

export const phoneOfRow = ({ number, line_type, dnc }: StoredPhone): ContactPhone => ({
  number,
  lineType: line_type,
  dnc: dnc === null ? null : dnc !== 0,
});
