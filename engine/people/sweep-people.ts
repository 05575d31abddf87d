/** Deletes from people.sqlite what the opt-out list names: records, numbers in other records, and results of traces. */
import type { NamedPlace } from '../contacts/match-contact.ts';
import type { OptOuts } from '../contacts/opt-out.ts';
import { parsePhoneNumber } from '../contacts/phone-number.ts';
import { contactOfRow, type StoredContact } from '../contacts/stored-contact.ts';
import { EngineError } from '../spec/errors.ts';
import type { SqliteFile } from '../store/sqlite.ts';

export interface Swept {
  readonly records: number;
  /** Records of others that lost a number. */
  readonly other_records: number;
  /** Kept traces that are gone, or lost a number. */
  readonly traces: number;
}

const rowsPerPage = 5000;

/** Read in pages: a connection cannot write while it reads. */
function* storedContacts(file: SqliteFile): Generator<StoredContact> {
  for (let last = 0; ; ) {
    const page = file.all<StoredContact>(
      `SELECT contact_id, first_name, middle_name, last_name, suffix, address, city, state, zip FROM contacts
       WHERE contact_id > ? ORDER BY contact_id LIMIT ${rowsPerPage}`,
      last,
    );
    yield* page;
    if (page.length < rowsPerPage) return;
    last = page.at(-1)?.contact_id ?? last;
  }
}

/** Ten digits; records of an older Platbook may hold another notation. */
export function plainNumber(number: string): string {
  const reading = parsePhoneNumber(number);
  return 'number' in reading ? reading.number : number;
}

/** Call it in the transaction that writes the list. */
export function sweepPeople(file: SqliteFile, optOuts: OptOuts): Swept {
  if (!file.inTransaction) throw new Error('persons are taken out in the transaction that names them');
  if (optOuts.isEmpty) return { records: 0, other_records: 0, traces: 0 };
  let records = 0;
  for (const row of storedContacts(file)) {
    if (!optOuts.hasPerson(contactOfRow(row))) continue;
    file.run('DELETE FROM contacts WHERE contact_id = ?', row.contact_id);
    records++;
  }
  return { records, other_records: sweepNumbers(file, optOuts), traces: sweepTraces(file, optOuts) };
}

function sweepNumbers(file: SqliteFile, optOuts: OptOuts): number {
  const numbers = file
    .column<string>('SELECT DISTINCT number FROM contact_phones')
    .filter((number) => optOuts.hasPhone(plainNumber(number)));
  const list = JSON.stringify(numbers);
  const held = 'number IN (SELECT value FROM json_each(?))';
  const records = file.get<{ n: number }>(
    `SELECT count(DISTINCT contact_id) AS n FROM contact_phones WHERE ${held}`,
    list,
  );
  file.run(`DELETE FROM contact_phones WHERE ${held}`, list);
  return records?.n ?? 0;
}

interface TraceRow {
  readonly subject: string;
  readonly asked: string;
  readonly result: string;
}

interface TracedResult {
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly phones: readonly { readonly number: string }[];
}

function sweepTraces(file: SqliteFile, optOuts: OptOuts): number {
  let traces = 0;
  for (const { subject, ...row } of file.all<TraceRow>('SELECT subject, asked, result FROM stored_traces')) {
    const asked = JSON.parse(row.asked) as NamedPlace;
    const result = JSON.parse(row.result) as TracedResult;
    const found = { ...asked, firstName: result.first_name ?? '', lastName: result.last_name ?? '' };
    const phones = result.phones.filter(({ number }) => !optOuts.hasPhone(number));
    const isOfPerson = optOuts.hasPerson(asked) || optOuts.hasPerson(found);
    if (!isOfPerson && phones.length === result.phones.length) continue;
    traces++;
    if (isOfPerson || phones.length === 0) file.run('DELETE FROM stored_traces WHERE subject = ?', subject);
    else
      file.run('UPDATE stored_traces SET result = ? WHERE subject = ?', JSON.stringify({ ...result, phones }), subject);
  }
  return traces;
}

/**
 * Rewrites the file and empties its log, so that no deleted byte is left in them: an older Platbook did not overwrite
 * deleted rows.
 * @returns a sentence about what may be left; null if nothing is left
 */
export function rewriteFile(file: SqliteFile): string | null {
  try {
    file.exec('VACUUM');
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return `people.sqlite could not be rewritten (${error.message}) and may still hold remains of deleted records: delete the person again later.`;
  }
  const [state] = file.pragmaRows('wal_checkpoint(TRUNCATE)');
  return state?.busy === 1
    ? 'Another program reads people.sqlite: its log holds the deleted records until that program ends.'
    : null;
}
