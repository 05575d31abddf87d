/** Proposes how to read a file of contacts: by its headings, its values, and a person's choices. */
import type { Contact } from '../../contacts/match-contact.ts';
import { defined } from '../../spec/defined.ts';
import { openTableFile, type TableFile, type TableRow } from '../formats/table-file.ts';
import { canRead, columnsRead } from '../guess/fit-mapping.ts';
import {
  checkChoices,
  type ListChoices,
  type ListProposal,
  type ListRead,
  listProposal,
  listSampleRows,
  listShownRows,
} from '../guess/list-proposal.ts';
import type { Expression, Mapping } from '../mapping/mapping-schema.ts';
import { maxPhones, nameOrders, numberOfPhone, personColumns, phoneColumns } from '../values/contact-fields.ts';
import { guessContacts } from './contact-columns.ts';
import { bindMapping, findLack, phonesOf } from './contact-mapping.ts';
import { newContactCounts } from './contact-report.ts';
import { ContactRowReader } from './contact-rows.ts';
import { completeByValues } from './guess-contact-values.ts';

/** Accepts the spelling of earlier versions' command line: `phone 1 dnc`. */
const foldedChoices = (choices: ListChoices): ListChoices =>
  Object.fromEntries(Object.entries(choices).map(([field, heading]) => [field.replaceAll(' ', '_'), heading]));

/**
 * @param given heading of a field, an empty text for none; all other fields are guessed
 * @param headerRow row of the headings, from 1; absent: it is found
 * @param kept replaces guesses if the file has all of its headings
 * @throws EngineError like the readers of tables; mapping_invalid for an unknown field or heading
 */
export function proposeContacts(
  file: string,
  given: ListChoices = {},
  kept: Mapping | null = null,
  headerRow?: number,
): ListProposal {
  const choices = foldedChoices(given);
  const table = openTableFile(file, defined({ headerRow }));
  const rows = sampleOf(table);
  const values = rows.map((row) => row.values);
  const { columns } = table;
  const known = kept !== null && canRead(kept, columns) ? kept : null;
  const reads = known ? readsOf(known.columns, () => 'as kept') : guessed(columns, values);
  const phones = Math.min(maxPhones, 1 + Math.max(0, ...[...reads.keys(), ...Object.keys(choices)].map(numberOfPhone)));
  const fields = fieldsOf(phones);
  const { name_order: order, ...headings } = choices;
  checkChoices(
    headings,
    fields.map(({ name }) => name),
    columns,
  );
  const usual = usualTypes(reads);
  for (const [field, heading] of Object.entries(headings)) {
    if (heading === '') reads.delete(field);
    else reads.set(field, { expression: heading, reason: null });
  }
  settleOrder(reads, order);
  settlePhones(reads, usual);
  const mapping: Mapping = {
    ...(known ?? { name: 'guessed' }),
    columns: Object.fromEntries([...reads].map(([name, { expression }]) => [name, expression])),
  };
  const lack = findLack(mapping);
  return listProposal({
    file,
    as: 'contacts',
    columns,
    rows: values,
    fields: fields.filter(({ name }) => name !== 'name_order' || reads.has(name)),
    reads,
    mapping,
    profile: null,
    lack,
    left_out: table.leftOut ?? null,
    first: lack === null ? firstPersons(mapping, table, rows) : [],
  });
}

type Reads = Map<string, ListRead>;

const readsOf = (columns: Mapping['columns'], reasonOf: (expression: Expression) => string): Reads =>
  new Map(Object.entries(columns).map(([name, expression]) => [name, { expression, reason: reasonOf(expression) }]));

function guessed(columns: readonly string[], values: readonly (readonly (string | null)[])[]): Reads {
  const byHeading = guessContacts(columns);
  const used = new Set(Object.values(byHeading).flatMap(columnsRead));
  const { columns: complete, reasons } = completeByValues(byHeading, columns, values, used);
  return readsOf(complete, (expression) => reasons.get(String(expression)) ?? 'by its heading');
}

/** Maps the heading of a phone to the default type of its numbers. */
function usualTypes(reads: Reads): ReadonlyMap<string, ListRead> {
  const columns = Object.fromEntries([...reads].map(([name, { expression }]) => [name, expression]));
  return new Map(
    phonesOf(columns).flatMap((which) => {
      const { number, usualType } = phoneColumns(which);
      const usual = reads.get(usualType.name);
      return usual ? [[String(columns[number.name]), usual]] : [];
    }),
  );
}

/** The type belongs to its heading; type and flag belong to their number. */
function settlePhones(reads: Reads, usual: ReadonlyMap<string, ListRead>): void {
  for (let which = 1; which <= maxPhones; which++) {
    const { number, ...others } = phoneColumns(which);
    const read = reads.get(number.name);
    const type = read && usual.get(String(read.expression));
    reads.delete(others.usualType.name);
    if (!read) for (const { name } of Object.values(others)) reads.delete(name);
    else if (type) reads.set(others.usualType.name, type);
  }
}

function settleOrder(reads: Reads, chosen: string | undefined): void {
  const said = nameOrders.find((order) => order === chosen);
  const expression = said === undefined ? reads.get('name_order')?.expression : { constant: said };
  reads.delete('name_order');
  if (!reads.has('full_name')) return;
  reads.set('name_order', { expression: expression ?? { constant: nameOrders[0] }, reason: 'if no comma shows it' });
}

/** All fields of the person, and one phone more than the list has. */
const fieldsOf = (phones: number) => [
  ...personColumns.map((column) => (column.name === 'name_order' ? { ...column, options: nameOrders } : column)),
  ...Array.from({ length: phones }, (_, at) => phoneColumns(at + 1)).flatMap(({ number, lineType, dnc }) => [
    number,
    lineType,
    dnc,
  ]),
];

function sampleOf(table: TableFile): TableRow[] {
  const rows: TableRow[] = [];
  for (const row of table.rows(table.columns.map((_, at) => at))) {
    rows.push(row);
    if (rows.length === listSampleRows) break;
  }
  return rows;
}

function firstPersons(mapping: Mapping, table: TableFile, rows: readonly TableRow[]): string[] {
  const bound = bindMapping(mapping, table.columns);
  return rows.slice(0, listShownRows).map(({ row, values }) => {
    const counts = newContactCounts();
    const reader = new ContactRowReader(bound, counts);
    const contact = reader.read({ row, values: bound.positions.map((at) => values[at] ?? null) });
    return contact ? personWords(contact) : `row ${row} is left out: ${counts.rows_refused.first[0]?.reason ?? ''}`;
  });
}

const phoneWords = (number: string): string => number.replace(/^(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3');

function personWords(contact: Contact): string {
  const { firstName, middleName, lastName, suffix, address, city, state, zip, phones } = contact;
  const name = [firstName, middleName, lastName, suffix].filter(Boolean).join(' ');
  const place = [address, city, [state, zip].filter(Boolean).join(' ')].filter(Boolean).join(', ');
  const numbers = phones.map(({ number, lineType, dnc }) =>
    // Also says Unknown: silence would read as a number that may be called.
    [phoneWords(number), lineType, `DNC ${dnc === null ? 'Unknown' : dnc ? 'Yes' : 'No'}`].filter(Boolean).join(' '),
  );
  return [name, place, numbers.join(', ')].join(' · ');
}
