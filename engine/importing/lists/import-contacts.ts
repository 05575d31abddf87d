/**
 * Imports a contact list: names, addresses and phones for skip trace. Rows of one person become one record; importing
 * the same list again changes nothing, and a newer list of the same source updates its persons. Persons missing from a
 * list stay: lists are partial. One transaction, or nothing.
 */
import path from 'node:path';
import { type Contact, mergePhoneLists } from '../../contacts/match-contact.ts';
import { OptOuts } from '../../contacts/opt-out.ts';
import { EngineError } from '../../spec/errors.ts';
import { readOptOuts } from '../../store/opt-out-rows.ts';
import type { PeopleStore } from '../../store/people-store.ts';
import type { SqliteFile } from '../../store/sqlite.ts';
import { openTableFile, type TableFile } from '../formats/table-file.ts';
import type { Mapping } from '../mapping/mapping-schema.ts';
import { guessContacts } from './contact-columns.ts';
import { type BoundMapping, bindMapping, findLack } from './contact-mapping.ts';
import { type ContactCounts, type ContactImportReport, newContactCounts } from './contact-report.ts';
import { ContactRowReader, personKey } from './contact-rows.ts';
import { putContact } from './contact-writer.ts';

export type { ContactImportReport } from './contact-report.ts';

interface ContactImportProgress {
  readonly phase: 'reading' | 'writing';
  /** Rows read, or persons written, so far. */
  readonly rows: number;
}

export interface ContactImportOptions {
  /** Row of the headings, from 1; absent: it is found. */
  readonly headerRow?: number;
  /** Delimited text (comma, semicolon, tab, bar) or DBF, with headings. */
  readonly file: string;
  /** The publisher of the list; default: the file's name. A person is stored once per source. */
  readonly source?: string;
  /** Which column holds what; default: guessed from the headings. */
  readonly mapping?: Mapping;
  readonly now: () => Date;
  /** Called from time to time; throwing cancels the import and changes nothing. */
  readonly onProgress?: (progress: ContactImportProgress) => void;
  /** Called at the end of the transaction; its writes commit with the contacts. */
  readonly onCommitting?: (report: ContactImportReport) => void;
}

const progressEvery = 1000;
const pageSize = 2000;

/**
 * @throws EngineError import_refused (no table, or no useful columns), mapping_invalid, file_missing, disk_full;
 * nothing was changed then
 */
export function importContacts({ file }: PeopleStore, options: ContactImportOptions): ContactImportReport {
  const started = options.now();
  const table = openTableFile(options.file, options);
  const mapping = bindMapping(options.mapping ?? guessedMapping(table), table.columns);
  const source = (options.source ?? path.basename(options.file)).trim();
  if (source === '') throw new EngineError('import_refused', 'Expected the name of a source, found an empty one.');
  const counts = newContactCounts();
  createStaging(file);
  try {
    // Uses temporary tables only: other writers of people.sqlite need not wait.
    file.snapshot(() => stageRows(file, table, mapping, counts, options));
    if (counts.rows === 0)
      throw new EngineError('import_refused', `${options.file}: expected rows below the headings, found none.`);
    return file.transaction(() => {
      const written = writePersons(file, source, options);
      const report: ContactImportReport = {
        source,
        file: options.file,
        ...counts,
        ...written,
        columns_used: mapping.used,
        columns_ignored: table.columns.filter((column) => column !== '' && mapping.used[column] === undefined),
        seconds: (options.now().getTime() - started.getTime()) / 1000,
      };
      options.onCommitting?.(report);
      return report;
    });
  } finally {
    dropStaging(file);
  }
}

function guessedMapping(table: TableFile): Mapping {
  const mapping = { name: 'guessed', columns: guessContacts(table.columns) };
  const lack = findLack(mapping);
  if (lack === null) return mapping;
  throw new EngineError(
    'import_refused',
    `${table.path}: expected columns for ${lack}, found none among ${table.columns.join(', ')}. Name them in a mapping.`,
  );
}

function createStaging(file: SqliteFile): void {
  dropStaging(file);
  file.exec(
    'CREATE TEMP TABLE staged_contacts (person_key TEXT NOT NULL, row INTEGER NOT NULL, contact TEXT NOT NULL, PRIMARY KEY (person_key, row)) WITHOUT ROWID',
  );
}

const dropStaging = (file: SqliteFile): void => file.exec('DROP TABLE IF EXISTS temp.staged_contacts');

function stageRows(
  file: SqliteFile,
  table: TableFile,
  mapping: BoundMapping,
  counts: ContactCounts,
  { onProgress }: ContactImportOptions,
): void {
  const reader = new ContactRowReader(mapping, counts);
  for (const row of table.rows(mapping.positions)) {
    counts.rows++;
    if (counts.rows % progressEvery === 0) onProgress?.({ phase: 'reading', rows: counts.rows });
    const contact = reader.read(row);
    if (!contact) continue;
    const text = JSON.stringify(contact);
    file.run(
      'INSERT INTO temp.staged_contacts (person_key, row, contact) VALUES (?, ?, ?)',
      personKey(contact),
      row.row,
      text,
    );
  }
}

interface StagedRow {
  readonly person_key: string;
  readonly row: number;
  readonly contact: string;
}

/** In pages: a connection cannot write while it reads. */
function* stagedRows(file: SqliteFile): Generator<StagedRow> {
  for (let last: StagedRow = { person_key: '', row: 0, contact: '' }; ; ) {
    const page = file.all<StagedRow>(
      `SELECT person_key, row, contact FROM temp.staged_contacts WHERE (person_key, row) > (?, ?)
       ORDER BY person_key, row LIMIT ${pageSize}`,
      last.person_key,
      last.row,
    );
    yield* page;
    const end = page.at(-1);
    if (!end) return;
    last = end;
  }
}

/** Merges rows of one person in file order: the first row's spelling, all rows' numbers. */
function merge(rows: readonly Contact[]): Contact {
  const first = (pick: (contact: Contact) => string | null) => rows.map(pick).find((text) => text !== null) ?? null;
  return {
    firstName: rows[0]?.firstName ?? '',
    middleName: first((contact) => contact.middleName),
    lastName: rows[0]?.lastName ?? '',
    suffix: first((contact) => contact.suffix),
    address: first((contact) => contact.address),
    city: first((contact) => contact.city),
    state: first((contact) => contact.state),
    zip: first((contact) => contact.zip),
    phones: mergePhoneLists(rows.map((contact) => contact.phones)),
  };
}

function* stagedPersons(file: SqliteFile): Generator<{ key: string; contact: Contact }> {
  let key: string | null = null;
  let rows: Contact[] = [];
  for (const staged of stagedRows(file)) {
    if (key !== null && staged.person_key !== key) {
      yield { key, contact: merge(rows) };
      rows = [];
    }
    key = staged.person_key;
    rows.push(JSON.parse(staged.contact) as Contact);
  }
  if (key !== null) yield { key, contact: merge(rows) };
}

type Written = Pick<
  ContactImportReport,
  'new' | 'changed' | 'unchanged' | 'phones_kept' | 'persons_opted_out' | 'phones_opted_out'
>;

function writePersons(file: SqliteFile, source: string, { onProgress }: ContactImportOptions): Written {
  const written = { new: 0, changed: 0, unchanged: 0, phones_kept: 0, persons_opted_out: 0, phones_opted_out: 0 };
  const optOuts = new OptOuts(readOptOuts(file));
  let persons = 0;
  for (const { key, contact } of stagedPersons(file)) {
    persons++;
    if (optOuts.hasPerson(contact)) {
      written.persons_opted_out++;
      continue;
    }
    const phones = contact.phones.filter(({ number }) => !optOuts.hasPhone(number));
    written.phones_opted_out += contact.phones.length - phones.length;
    // A record without a number is useless; an existing one loses its numbers as the file does.
    written[putContact(file, source, { ...contact, phones }, key)]++;
    written.phones_kept += phones.length;
    if (persons % progressEvery === 0) onProgress?.({ phase: 'writing', rows: persons });
  }
  return written;
}
