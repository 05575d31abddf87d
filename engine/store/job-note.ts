/**
 * What the latest job has committed to a file, in that very commit: where its worker dies before it can say so, whoever
 * waits for the job looks here.
 */
import type { SqliteFile } from './sqlite.ts';

/** One row: of the jobs that write a file one runs at a time. */
export const jobNoteSql = `
CREATE TABLE job_note (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  job TEXT NOT NULL,
  report TEXT NOT NULL
);
`;

/** Within the transaction of the work. @param job a name that no other job has had */
export function writeJobNote(file: SqliteFile, job: string, report: unknown): void {
  if (!file.inTransaction) throw new Error('what a job has committed is noted in its transaction');
  file.run('INSERT OR REPLACE INTO job_note (id, job, report) VALUES (1, ?, ?)', job, JSON.stringify(report));
}

/** Null where nothing of the job is in. */
export function readJobNote(file: SqliteFile, job: string): unknown {
  const row = file.get<{ report: string }>('SELECT report FROM job_note WHERE job = ?', job);
  return row ? (JSON.parse(row.report) as unknown) : null;
}
