/** What an import of contacts did, in numbers and in the first of each kind of problem. */
import { shown } from '../../spec/validate.ts';

const listed = 100;

export interface ContactProblem {
  readonly row: number;
  readonly column: string;
  readonly value: string;
  readonly reason: string;
}

interface Problems {
  count: number;
  by_reason: Record<string, number>;
  first: ContactProblem[];
}

export interface ContactImportReport {
  source: string;
  file: string;
  rows: number;
  /** Persons of this file by what became of them. Persons of the source that the file does not name are left as they are. */
  new: number;
  changed: number;
  unchanged: number;
  /** Numbers of those persons, each once a person. */
  phones_kept: number;
  phones_refused: Problems;
  /** Rows that name nobody who could be found again: no person, no place, or no phone. */
  rows_refused: Problems;
  /** Flags and types in words that are not known: read as unknown. */
  values_unread: Problems;
  /** Heading → what it was read as. */
  columns_used: Record<string, string>;
  columns_ignored: string[];
  seconds: number;
}

export type ContactCounts = Pick<ContactImportReport, 'rows' | 'phones_refused' | 'rows_refused' | 'values_unread'>;

const noProblems = (): Problems => ({ count: 0, by_reason: {}, first: [] });

export const newContactCounts = (): ContactCounts => ({
  rows: 0,
  phones_refused: noProblems(),
  rows_refused: noProblems(),
  values_unread: noProblems(),
});

export function countProblem(
  problems: Problems,
  at: { row: number; column: string },
  value: unknown,
  reason: string,
): void {
  problems.count++;
  problems.by_reason[reason] = (problems.by_reason[reason] ?? 0) + 1;
  if (problems.first.length < listed) problems.first.push({ ...at, value: shown(value), reason });
}
