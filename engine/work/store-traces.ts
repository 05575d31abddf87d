/** Results of the app's skip traces, stored in people.sqlite so that viewing them again is free. */
import type { SkipTraceInput, SkipTraceResult } from '../operations/skip-trace-owner.ts';
import type { TracedPerson } from '../operations/skip-trace-property-owner.ts';
import type { PeopleStore } from '../store/people-store.ts';

interface StoredTrace {
  /** The traced person and place. */
  readonly asked: TracedPerson;
  readonly result: SkipTraceResult;
  /** ISO date-time. */
  readonly traced_at: string;
}

interface StoredRow {
  readonly asked: string;
  readonly result: string;
  readonly traced_at: string;
}

export const parcelSubject = (propertyId: number): string => `parcel ${propertyId}`;

/** The same person for any capitals and blanks. */
export function personSubject({ first_name, last_name, address, city, state, zip }: SkipTraceInput): string {
  const parts = [first_name, last_name, address, city, state, zip].map((part) =>
    String(part ?? '')
      .trim()
      .replace(/\s+/g, ' ')
      .toUpperCase(),
  );
  return `person ${JSON.stringify(parts)}`;
}

/** Stores the latest outcome, even without a match: that is an answer too. */
export function keepTrace({ file }: PeopleStore, subject: string, trace: StoredTrace): void {
  file.run(
    `INSERT INTO stored_traces (subject, asked, result, traced_at) VALUES (:subject, :asked, :result, :at)
     ON CONFLICT (subject) DO UPDATE SET asked = excluded.asked, result = excluded.result, traced_at = excluded.traced_at`,
    { subject, asked: JSON.stringify(trace.asked), result: JSON.stringify(trace.result), at: trace.traced_at },
  );
}

export function findTrace({ file }: PeopleStore, subject: string): StoredTrace | null {
  const row = file.get<StoredRow>('SELECT asked, result, traced_at FROM stored_traces WHERE subject = ?', subject);
  return row
    ? {
        asked: JSON.parse(row.asked) as TracedPerson,
        result: JSON.parse(row.result) as SkipTraceResult,
        traced_at: row.traced_at,
      }
    : null;
}
