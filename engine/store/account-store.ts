/** account.sqlite: ledger, plan, keys. FULL: what was acknowledged survives a power cut. */
import path from 'node:path';
import { accountMigrations } from './migrations/account.ts';
import { applicationId, openSqliteFile, type SqliteFile } from './sqlite.ts';

export interface AccountStore {
  readonly file: SqliteFile;
  close(): void;
}

export function openAccountStore(home: string): AccountStore {
  const file = openSqliteFile(path.join(home, 'account.sqlite'), {
    fileName: 'account.sqlite',
    applicationId: applicationId('PLBA'),
    migrations: accountMigrations,
    synchronous: 'FULL',
    functions: () => ({}),
  });
  return { file, close: () => file.close() };
}
