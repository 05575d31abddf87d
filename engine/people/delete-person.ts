/** Deletes a person from one people.sqlite and adds the person to its opt-out list. */
import { isSamePerson } from '../contacts/match-contact.ts';
import { OptOuts, personRows, phoneRow } from '../contacts/opt-out.ts';
import { findContacts, optOutsOf } from '../query/contact-query.ts';
import { addOptOuts, type DatedOptOut, readOptOuts, removeOptOuts, type StoredOptOut } from '../store/opt-out-rows.ts';
import type { PeopleStore } from '../store/people-store.ts';
import { plainNumber, type Swept, sweepPeople } from './sweep-people.ts';
import type { Unwanted } from './unwanted.ts';

export interface DeletedPerson extends Swept {
  /** Numbers now on the opt-out list. */
  readonly numbers: number;
}

/** @param newSalt random bytes, used if the list has none yet */
export function deletePerson(people: PeopleStore, unwanted: Unwanted, newSalt: Uint8Array, at: Date): DeletedPerson {
  const { file } = people;
  return file.transaction(() => {
    const records = recordsOf(people, unwanted);
    const numbers = new Set(records.flatMap(({ phones }) => phones.map(({ number }) => plainNumber(number))));
    if (unwanted.phone !== null) numbers.add(unwanted.phone);
    const salt = readOptOuts(file)[0]?.salt ?? newSalt;
    // A request by SR must not delete JR: the request fills in what a record does not say.
    const { middleName = null, suffix = null } = unwanted.person ?? {};
    const persons = [
      ...(unwanted.person ? [unwanted.person] : []),
      ...records.map((each) => ({
        ...each,
        middleName: each.middleName ?? middleName,
        suffix: each.suffix ?? suffix,
      })),
    ];
    const rows: StoredOptOut[] = [
      ...persons.flatMap((person) => personRows(salt, person)),
      ...[...numbers].map((number) => phoneRow(salt, number)),
    ];
    addOptOuts(file, rows, at.toISOString());
    // The list cannot match a record with only an initial: its number goes on the list.
    for (const { id } of records) file.run('DELETE FROM contacts WHERE contact_id = ?', id);
    const swept = sweepPeople(file, optOutsOf(people));
    // The report of the last import may quote rows of it.
    file.run('DELETE FROM job_note');
    return { ...swept, records: swept.records + records.length, numbers: numbers.size };
  });
}

function recordsOf(people: PeopleStore, { person, phone }: Unwanted) {
  if (person !== null) return findContacts(people, person).filter((contact) => isSamePerson(person, contact));
  const names = people.file.all<{ first_name: string; last_name: string; city: string; state: string; zip: string }>(
    `SELECT DISTINCT first_name, last_name, city, state, zip FROM contacts JOIN contact_phones USING (contact_id)
     WHERE number = ?`,
    phone,
  );
  const found = names.flatMap(({ first_name: firstName, last_name: lastName, city, state, zip }) =>
    findContacts(people, { firstName, lastName, city, state, zip }).filter(({ phones }) =>
      phones.some(({ number }) => plainNumber(number) === phone),
    ),
  );
  return [...new Map(found.map((contact) => [contact.id, contact])).values()];
}

/** Adds the opt-out list of a backup or of a replaced file, and deletes the persons on it. */
export function bringOptOuts({ file }: PeopleStore, rows: readonly DatedOptOut[]): Swept {
  return file.transaction(() => {
    for (const row of rows) addOptOuts(file, [row], row.added_at);
    return sweepPeople(file, new OptOuts(readOptOuts(file)));
  });
}

/**
 * Removes a person or number from the opt-out list, with every row of the same deletion: later imports may bring them
 * again. Deleted records do not come back.
 * @returns the number of removed rows
 */
export function liftOptOut(people: PeopleStore, { person, phone }: Unwanted): number {
  const { file } = people;
  return file.transaction(() => {
    const all = readOptOuts(file);
    const own: readonly StoredOptOut[] =
      person !== null ? optOutsOf(people).personRows(person) : all.map(({ salt }) => phoneRow(salt, phone));
    const keyOf = ({ kind, key, sealed }: StoredOptOut): string =>
      [kind, ...[key, sealed].map((bytes) => Buffer.from(bytes).toString('hex'))].join(' ');
    const keys = new Set(own.map(keyOf));
    const deletions = new Set(all.filter((row) => keys.has(keyOf(row))).map((row) => row.added_at));
    return removeOptOuts(
      file,
      all.filter((row) => deletions.has(row.added_at)),
    );
  });
}
