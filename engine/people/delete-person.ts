/** Deletes a person from one people.sqlite, and keeps the person away from it by the opt-out list. */
import { isSamePerson } from '../contacts/match-contact.ts';
import { OptOuts, personRows, phoneRow } from '../contacts/opt-out.ts';
import { findContacts, optOutsOf } from '../query/contact-query.ts';
import { addOptOuts, type DatedOptOut, readOptOuts, removeOptOuts, type StoredOptOut } from '../store/opt-out-rows.ts';
import type { PeopleStore } from '../store/people-store.ts';
import { plainNumber, type Swept, sweepPeople } from './sweep-people.ts';
import type { Unwanted } from './unwanted.ts';

export interface DeletedPerson extends Swept {
  /** Numbers that are on the opt-out list now. */
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
    // Who asks as SR is not to take JR along: what a record does not say of the person, the asking does.
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
    // Of an initial alone the list cannot tell: it goes by its number.
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

/** Brings the list of another file along, and takes out whom it names: of a backup, or of what a restore replaced. */
export function bringOptOuts({ file }: PeopleStore, rows: readonly DatedOptOut[]): Swept {
  return file.transaction(() => {
    for (const row of rows) addOptOuts(file, [row], row.added_at);
    return sweepPeople(file, new OptOuts(readOptOuts(file)));
  });
}

/**
 * Takes a person or number off the list, with all that went on it by the same deletion: lists that are imported from now on
 * bring them again. What was deleted does not come back.
 * @returns how many rows of the list are gone
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
