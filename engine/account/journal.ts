/**
 * The journal of the user's changes: a sentence for each, and its undo. It is in account.sqlite beside the rows it
 * describes and is written in their transaction, so it holds exactly the acknowledged changes.
 */
import type { SqliteFile } from '../store/sqlite.ts';
import { recordRows, type TableChange } from './record-rows.ts';

/** Inverse of changes whose rows are in the journal itself. */
export const rowsInverse = 'put_rows_back';

export interface JournalEntry {
  readonly entry: number;
  readonly made_at: string;
  /** In the past tense: `Added a note to 12-151`. */
  readonly sentence: string;
  readonly change: string;
  /** JSON, like both inputs. */
  readonly input: string;
  readonly inverse_change: string;
  readonly inverse_input: string;
  readonly undone_at: string | null;
}

/** A toast shows it, and `undo` takes it. */
export interface JournalMark {
  readonly entry: number;
  readonly sentence: string;
}

const keptEntries = 200;
/** A change of a hundred thousand parcels takes some ten megabytes: fewer of those are kept, but always the newest. */
const keptBytes = 96 * 1024 * 1024;

/** Adds an entry; earlier undone changes can then no longer be redone. Call it in a transaction. */
export function addEntry(file: SqliteFile, entry: Omit<JournalEntry, 'entry' | 'undone_at'>): JournalMark {
  file.run('DELETE FROM journal WHERE undone_at IS NOT NULL');
  const { made_at: at, sentence, change, input, inverse_change: inverse, inverse_input: inverseInput } = entry;
  const { lastInsertRowid } = file.run(
    `INSERT INTO journal (made_at, sentence, change, input, inverse_change, inverse_input) VALUES (?, ?, ?, ?, ?, ?)`,
    at,
    sentence,
    change,
    input,
    inverse,
    inverseInput,
  );
  forgetOldest(file);
  return { entry: Number(lastInsertRowid), sentence };
}

function forgetOldest(file: SqliteFile): void {
  file.run('DELETE FROM journal WHERE entry <= (SELECT max(entry) FROM journal) - ?', keptEntries);
  file.run(
    `DELETE FROM journal WHERE entry IN (
       SELECT entry FROM (SELECT entry, row_number() OVER newest AS place,
         sum(octet_length(input) + octet_length(inverse_input)) OVER newest AS bytes
         FROM journal WINDOW newest AS (ORDER BY entry DESC)) WHERE bytes > ? AND place > 1)`,
    keptBytes,
  );
}

interface Journaled<Output> {
  readonly data: Output;
  /** Null if nothing changed: a star on a starred parcel. */
  readonly mark: JournalMark | null;
}

export interface WriteOutcome<Output> {
  readonly data: Output;
  readonly sentence: string;
}

/** Runs a change and writes its entry, in the caller's transaction. */
export function journaled<Output>(
  file: SqliteFile,
  { change, input, at }: { readonly change: string; readonly input: unknown; readonly at: string },
  write: () => WriteOutcome<Output>,
): Journaled<Output> {
  const { result, changed } = recordRows(file, write);
  if (changed.length === 0) return { data: result.data, mark: null };
  const mark = addEntry(file, {
    made_at: at,
    sentence: result.sentence,
    change,
    input: JSON.stringify(input),
    inverse_change: rowsInverse,
    inverse_input: JSON.stringify(changed),
  });
  return { data: result.data, mark };
}

/** The latest that is not undone, or the given one; null if there is none. */
export function findUndoable({ account: { file } }: Holder, entry?: number): JournalEntry | null {
  const row =
    entry === undefined
      ? file.get<JournalEntry>('SELECT * FROM journal WHERE undone_at IS NULL ORDER BY entry DESC LIMIT 1')
      : file.get<JournalEntry>('SELECT * FROM journal WHERE entry = ? AND undone_at IS NULL', entry);
  return row ?? null;
}

/** The last undone change, or the given entry. Undo goes backwards, so among equal times it is the oldest entry. */
export function findRedoable({ account: { file } }: Holder, entry?: number): JournalEntry | null {
  const row =
    entry === undefined
      ? file.get<JournalEntry>(
          'SELECT * FROM journal WHERE undone_at IS NOT NULL ORDER BY undone_at DESC, entry LIMIT 1',
        )
      : file.get<JournalEntry>('SELECT * FROM journal WHERE entry = ? AND undone_at IS NOT NULL', entry);
  return row ?? null;
}

interface Holder {
  readonly account: { readonly file: SqliteFile };
}

export const changedRows = ({ inverse_input: text }: JournalEntry): TableChange[] => JSON.parse(text) as TableChange[];

export const setUndone = (file: SqliteFile, entry: number, at: string | null): void =>
  void file.run('UPDATE journal SET undone_at = ? WHERE entry = ?', at, entry);

export const setInverse = (file: SqliteFile, entry: number, inverseInput: string): void =>
  void file.run('UPDATE journal SET inverse_input = ? WHERE entry = ?', inverseInput, entry);
