/**
 * Deletes a person from every file of a home: contact records, what traces found, exports that wait to be saved, and the
 * files that restores replaced. It says in words what holds the person still.
 */

import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { saltBytes } from '../contacts/opt-out.ts';
import { clearShelf } from '../exporting/export-shelf.ts';
import { bringOptOuts, type DeletedPerson, deletePerson } from '../people/delete-person.ts';
import { rewriteFile } from '../people/sweep-people.ts';
import type { Unwanted } from '../people/unwanted.ts';
import { EngineError } from '../spec/errors.ts';
import { type DatedOptOut, readOptOuts } from '../store/opt-out-rows.ts';
import { openPeopleStore, type PeopleStore } from '../store/people-store.ts';
import { isAsideFolder, plannedFolder } from './restore-plan.ts';

export interface DeletedContact extends DeletedPerson {
  /** Folders of the home with an older people.sqlite, from which the person is gone too. */
  readonly copies: readonly string[];
  /** Sentences: what still holds the person, or may. */
  readonly still_held: readonly string[];
}

/** What no program can reach from here. */
const elsewhere: readonly string[] = [
  'Backups and exports that were saved before, wherever they are, hold the person as they did. Restoring such a backup in this home takes the person out again; in another home it does not.',
  'Owner names and addresses of the public record, and what you typed yourself (notes, searches, lists), are not touched.',
];

/** @throws EngineError as the opening of people.sqlite; disk_full, file_locked: nothing was deleted then */
export function deleteContact(home: string, unwanted: Unwanted, now: Date): DeletedContact {
  const salt = randomBytes(saltBytes);
  const own = inPeople(home, (people) => {
    const deleted = deletePerson(people, unwanted, salt, now);
    return { deleted, left: rewriteFile(people.file), list: readOptOuts(people.file) };
  });
  clearShelf(home, now, { isWhole: true });
  const copies: string[] = [];
  const left = own.left === null ? [] : [own.left];
  for (const name of olderFolders(home)) {
    const problem = cleanCopy(path.join(home, name), unwanted, own.list, now);
    if (problem === null) copies.push(name);
    else left.push(`${name}/people.sqlite still holds the person: ${problem}`);
  }
  return { ...own.deleted, copies, still_held: [...left, ...elsewhere] };
}

function inPeople<Result>(folder: string, work: (people: PeopleStore) => Result): Result {
  const people = openPeopleStore(folder);
  try {
    return work(people);
  } finally {
    people.close();
  }
}

/** What restores replaced, and what one that is planned will bring. */
function olderFolders(home: string): string[] {
  const planned = plannedFolder(home);
  return fs
    .readdirSync(home)
    .filter((name) => isAsideFolder(home, name) || name === planned)
    .filter((name) => fs.existsSync(path.join(home, name, 'people.sqlite')));
}

/** @returns why it could not be done; null if it was */
function cleanCopy(folder: string, unwanted: Unwanted, list: readonly DatedOptOut[], now: Date): string | null {
  try {
    return inPeople(folder, (people) => {
      deletePerson(people, unwanted, list[0]?.salt ?? randomBytes(saltBytes), now);
      bringOptOuts(people, list);
      const left = rewriteFile(people.file);
      // No log beside it, so that one rename moves it.
      people.file.pragma('journal_mode = DELETE');
      return left;
    });
  } catch (error) {
    if (error instanceof EngineError) return error.message;
    throw error;
  }
}

/** Persons who opted out of this home do not come back with a backup. @param folder where it was unpacked */
export function keepOptedOut(home: string, folder: string): void {
  if (!fs.existsSync(path.join(home, 'people.sqlite'))) return;
  const list = listOf(home);
  if (list.length === 0) return;
  inPeople(folder, (people) => {
    bringOptOuts(people, list);
    rewriteFile(people.file);
    people.file.pragma('journal_mode = DELETE');
  });
}

/** Nothing of a file that cannot be read: it is the best reason for a restore. */
function listOf(home: string): readonly DatedOptOut[] {
  try {
    return inPeople(home, ({ file }) => readOptOuts(file));
  } catch (error) {
    if (error instanceof EngineError) return [];
    throw error;
  }
}
