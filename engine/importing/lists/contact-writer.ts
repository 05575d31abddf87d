/** Writes contact records with the keys that traces look up. */
import { lastNameKey } from '../../contacts/fold-name.ts';
import type { Contact, ContactPhone } from '../../contacts/match-contact.ts';
import { townKey, zipKey } from '../../contacts/place-key.ts';
import { contactOfRow, phoneOfRow, type StoredContact, type StoredPhone } from '../../contacts/stored-contact.ts';
import type { SqliteFile } from '../../store/sqlite.ts';

const fieldsOf = (contact: Contact): unknown[] => [
  contact.firstName,
  contact.middleName,
  contact.lastName,
  contact.suffix,
  contact.address,
  contact.city,
  contact.state,
  contact.zip,
];

const keysOf = (contact: Contact): unknown[] => [
  lastNameKey(contact.lastName),
  zipKey(contact.zip),
  townKey(contact.city, contact.state),
];

/**
 * @param personKey identifies the person in imports; null for records that are replaced as a whole
 * @returns contact_id
 */
export function insertContact(file: SqliteFile, source: string, contact: Contact, personKey: string | null): number {
  const { lastInsertRowid } = file.run(
    `INSERT INTO contacts (source, person_key, first_name, middle_name, last_name, suffix, address, city, state, zip,
       last_key, zip_key, town_key) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    source,
    personKey,
    ...fieldsOf(contact),
    ...keysOf(contact),
  );
  const id = Number(lastInsertRowid);
  writePhones(file, id, contact.phones);
  return id;
}

function writePhones(file: SqliteFile, id: number, phones: readonly ContactPhone[]): void {
  for (const [position, { number, lineType, dnc }] of phones.entries()) {
    file.run(
      'INSERT INTO contact_phones (contact_id, position, number, line_type, dnc) VALUES (?, ?, ?, ?, ?)',
      id,
      position,
      number,
      lineType,
      dnc === null ? null : Number(dnc),
    );
  }
}

function findStored(file: SqliteFile, source: string, key: string): { id: number; contact: Contact } | null {
  const row = file.get<StoredContact>(
    `SELECT contact_id, first_name, middle_name, last_name, suffix, address, city, state, zip
     FROM contacts WHERE source = ? AND person_key = ?`,
    source,
    key,
  );
  if (!row) return null;
  const phones = file.all<StoredPhone>(
    'SELECT number, line_type, dnc FROM contact_phones WHERE contact_id = ? ORDER BY position',
    row.contact_id,
  );
  const contact = { ...contactOfRow(row), phones: phones.map(phoneOfRow) };
  return { id: row.contact_id, contact };
}

/** Known facts about a number stay where the newer file says nothing; what the file says replaces them. */
function keepKnown(phones: readonly ContactPhone[], before: readonly ContactPhone[]): ContactPhone[] {
  const known = new Map(before.map((phone) => [phone.number, phone]));
  return phones.map((phone) => {
    const old = known.get(phone.number);
    return { ...phone, lineType: phone.lineType ?? old?.lineType ?? null, dnc: phone.dnc ?? old?.dnc ?? null };
  });
}

const isSame = (a: Contact, b: Contact): boolean =>
  JSON.stringify([fieldsOf(a), a.phones]) === JSON.stringify([fieldsOf(b), b.phones]);

type Outcome = 'new' | 'changed' | 'unchanged';

/** Updates the record of one person of a source. Its numbers become those of the contact. */
export function putContact(file: SqliteFile, source: string, contact: Contact, key: string): Outcome {
  const stored = findStored(file, source, key);
  if (!stored) {
    insertContact(file, source, contact, key);
    return 'new';
  }
  const wanted = { ...contact, phones: keepKnown(contact.phones, stored.contact.phones) };
  if (isSame(wanted, stored.contact)) return 'unchanged';
  file.run(
    `UPDATE contacts SET first_name = ?, middle_name = ?, last_name = ?, suffix = ?, address = ?, city = ?, state = ?,
       zip = ?, last_key = ?, zip_key = ?, town_key = ? WHERE contact_id = ?`,
    ...fieldsOf(wanted),
    ...keysOf(wanted),
    stored.id,
  );
  file.run('DELETE FROM contact_phones WHERE contact_id = ?', stored.id);
  writePhones(file, stored.id, wanted.phones);
  return 'changed';
}
