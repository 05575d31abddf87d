/** Messages between a caller in SQL, the thread that waits for the answer, and the process that answers. */
import type { ErrorCode } from '../spec/errors.ts';
import type { SqlValues } from '../store/read-only-file.ts';
import type { SqlRow } from '../store/sqlite.ts';

export interface SqlQuestion {
  readonly text: string;
  readonly values: SqlValues;
  /** The time limit, at which the process ends itself. */
  readonly seconds: number;
}

export type SqlAnswer =
  | { readonly rows: readonly SqlRow[] }
  | { readonly error: { readonly code: ErrorCode; readonly message: string } }
  /** The process ended before it answered. @property killed by a signal: the limit, or a lack of memory */
  | { readonly ended: { readonly killed: boolean; readonly words: string } };
