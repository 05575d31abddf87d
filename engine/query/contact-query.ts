/** Finds the contact records that may match a person, and the person's telephone numbers in them. */
import { lastNameKey } from '../contacts/fold-name.ts';
import {
  type Contact,
  type ContactMatch,
  type ContactPhone,
  matchContact,
  type WantedPerson,
} from '../contacts/match-contact.ts';
import { OptOuts } from '../contacts/opt-out.ts';
import { townKey, zipKey } from '../contacts/place-key.ts';
import { contactOfRow, phoneOfRow, type StoredContact, type StoredPhone } from '../contacts/stored-contact.ts';
import { readOptOuts } from '../store/opt-out-rows.ts';
import type { PeopleStore } from '../store/people-store.ts';

const columns = 'contact_id, first_name, middle_name, last_name, suffix, address, city, state, zip';

/**
 * In a search by ZIP a record without one matches by its town. Records of an older Platbook have no keys and are always
 * included; the match then excludes the wrong ones.
 */
const byZip = `
  SELECT ${columns} FROM contacts WHERE last_key = ? AND zip_key = ?
  UNION ALL SELECT ${columns} FROM contacts WHERE last_key = ? AND zip_key IS NULL AND town_key = ?
  UNION ALL SELECT ${columns} FROM contacts WHERE last_key IS NULL
  ORDER BY contact_id`;
const byTown = `
  SELECT ${columns} FROM contacts WHERE last_key = ? AND town_key = ?
  UNION ALL SELECT ${columns} FROM contacts WHERE last_key IS NULL
  ORDER BY contact_id`;

function findRows({ file }: PeopleStore, person: WantedPerson): StoredContact[] {
  const lastName = lastNameKey(person.lastName);
  const zip = zipKey(person.zip);
  const town = townKey(person.city, person.state);
  if (zip !== null) return file.all<StoredContact>(byZip, lastName, zip, lastName, town);
  return file.all<StoredContact>(byTown, lastName, town);
}

function phonesOf({ file }: PeopleStore, contactId: number): ContactPhone[] {
  const rows = file.all<StoredPhone>(
    'SELECT number, line_type, dnc FROM contact_phones WHERE contact_id = ? ORDER BY position',
    contactId,
  );
  return rows.map(phoneOfRow);
}

/** Reads phones lazily: of hundreds of records with the name, a few match the person. */
function contactOf(people: PeopleStore, row: StoredContact): Contact & { readonly id: number } {
  return {
    id: row.contact_id,
    ...contactOfRow(row),
    get phones() {
      return phonesOf(people, row.contact_id);
    },
  };
}

/** Persons and numbers that must not be found; read with the question, since another program may add to it. */
export const optOutsOf = ({ file }: PeopleStore): OptOuts => new OptOuts(readOptOuts(file));

/** The person's telephone numbers; null if no contact record of the person has any, or the person has opted out. */
export function findContact(people: PeopleStore, person: WantedPerson): ContactMatch | null {
  const optOuts = optOutsOf(people);
  if (optOuts.hasPerson(person)) return null;
  const contacts = findContacts(people, person).filter((contact) => !optOuts.hasPerson(contact));
  return matchContact(
    person,
    optOuts.isEmpty ? contacts : contacts.map((contact) => withoutOptedOut(contact, optOuts)),
  );
}

const withoutOptedOut = (contact: Contact, optOuts: OptOuts): Contact => ({
  ...contact,
  phones: contact.phones.filter(({ number }) => !optOuts.hasPhone(number)),
});

/** Every record that may be of the person, with its number. */
export const findContacts = (people: PeopleStore, person: WantedPerson): (Contact & { readonly id: number })[] =>
  findRows(people, person).map((row) => contactOf(people, row));
