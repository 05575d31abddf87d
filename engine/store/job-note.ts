/**
 * What the latest job committed to a file, written in that commit. If a worker dies before it reports, its caller looks
 * here.
 */
import type { SqliteFile } from './sqlite.ts';

/** One row: jobs that write the same file run one at a time. */
export const jobNoteSql = `
CREATE TABLE job_note (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  job TEXT NOT NULL,
  report TEXT NOT NULL
);
`;

/** Call it in the transaction of the work. @param job a name that no other job has had */
export function writeJobNote(file: SqliteFile, job: string, report: unknown): void {
  if (!file.inTransaction) throw new Error('a job note must be written in the transaction of its job');
  file.run('INSERT OR REPLACE INTO job_note (id, job, report) VALUES (1, ?, ?)', job, JSON.stringify(report));
}

/** Null when the job has committed nothing. */
export function readJobNote(file: SqliteFile, job: string): unknown {
  const row = file.get<{ report: string }>('SELECT report FROM job_note WHERE job = ?', job);
  return row ? (JSON.parse(row.report) as unknown) : null;
}
