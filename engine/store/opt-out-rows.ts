/** The table of the opt-out list in people.sqlite; contacts/opt-out.ts explains its rows. */
import type { SqliteFile } from './sqlite.ts';

export interface StoredOptOut {
  readonly kind: 'person' | 'phone';
  readonly salt: Uint8Array;
  readonly key: Uint8Array;
  readonly sealed: Uint8Array;
}

export const optOutsSql = `
CREATE TABLE opt_outs (
  opt_out_id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('person', 'phone')),
  salt BLOB NOT NULL,
  key BLOB NOT NULL,
  sealed BLOB NOT NULL,
  added_at TEXT NOT NULL,
  UNIQUE (kind, key, sealed)
);
`;

export interface DatedOptOut extends StoredOptOut {
  /** ISO date-time. */
  readonly added_at: string;
}

/** Read it in the snapshot of the contacts it is checked against. */
export const readOptOuts = (file: SqliteFile): DatedOptOut[] =>
  file.all<DatedOptOut>('SELECT kind, salt, key, sealed, added_at FROM opt_outs ORDER BY opt_out_id');

/** Those that are there stay as they are. */
export function addOptOuts(file: SqliteFile, rows: readonly StoredOptOut[], addedAt: string): void {
  for (const { kind, salt, key, sealed } of rows) {
    file.run(
      'INSERT OR IGNORE INTO opt_outs (kind, salt, key, sealed, added_at) VALUES (?, ?, ?, ?, ?)',
      ...[kind, salt, key, sealed].map((value) => (typeof value === 'string' ? value : Buffer.from(value))),
      addedAt,
    );
  }
}

/** @returns how many were there */
export function removeOptOuts(file: SqliteFile, rows: readonly StoredOptOut[]): number {
  let removed = 0;
  for (const { kind, key, sealed } of rows)
    removed += file.run(
      'DELETE FROM opt_outs WHERE kind = ? AND key = ? AND sealed = ?',
      ...[kind, Buffer.from(key), Buffer.from(sealed)],
    ).changes;
  return removed;
}
