/** account.sqlite: ledger, plan, keys. Synchronous FULL: an acknowledged row survives a power cut. */
import path from 'node:path';
import { accountMigrations } from './migrations/account.ts';
import { ledgerDaysFill } from './migrations/account-ledger-days.ts';
import { applicationId, openSqliteFile, type SqliteFile } from './sqlite.ts';

export interface AccountStore {
  readonly file: SqliteFile;
  close(): void;
}

/** After a repair of the schema: while the trigger was missing, charges may not have been added up. */
function addUpDays(file: SqliteFile): void {
  // A file from before the sums has none; its migration runs after the repair.
  const isThere = file.get("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'ledger_days'");
  if (!isThere) return;
  file.exec('DELETE FROM ledger_days');
  file.exec(ledgerDaysFill);
}

export function openAccountStore(home: string): AccountStore {
  const file = openSqliteFile(path.join(home, 'account.sqlite'), {
    fileName: 'account.sqlite',
    applicationId: applicationId('PLBA'),
    migrations: accountMigrations,
    synchronous: 'FULL',
    functions: () => ({}),
    afterRepair: addUpDays,
  });
  return { file, close: () => file.close() };
}
