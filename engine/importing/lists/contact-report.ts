/** The report of a contact import: counts, and the first examples of each kind of problem. */
import { shown } from '../../spec/validate.ts';

const listed = 100;

interface ContactProblem {
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
  /** Persons of this file by outcome. Other persons of the source do not change. */
  new: number;
  changed: number;
  unchanged: number;
  /** Distinct numbers of those persons. */
  phones_kept: number;
  phones_refused: Problems;
  /** Rows that could not be found again: without a person, place, or phone. */
  rows_refused: Problems;
  /** Persons whom the opt-out list keeps out, and numbers that it keeps out of other records. */
  persons_opted_out: number;
  phones_opted_out: number;
  /** Flags and types in unknown words: read as unknown. */
  values_unread: Problems;
  /** Maps a heading to what it was read as. */
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
