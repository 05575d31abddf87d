/** people.sqlite: the user's own contact records for skip trace. Never part of a shared copy. */
import path from 'node:path';
import { peopleMigrations } from './migrations/people.ts';
import { applicationId, openSqliteFile, type SqliteFile } from './sqlite.ts';

export interface PeopleStore {
  readonly file: SqliteFile;
  close(): void;
}

export function openPeopleStore(home: string): PeopleStore {
  const file = openSqliteFile(path.join(home, 'people.sqlite'), {
    fileName: 'people.sqlite',
    applicationId: applicationId('PLBP'),
    migrations: peopleMigrations,
    synchronous: 'FULL',
    functions: () => ({}),
    erasesDeleted: true,
  });
  return { file, close: () => file.close() };
}
