/** How a file of contacts is understood: by its headings, by its values, and by what a person says. */
import type { Contact } from '../contacts/match-contact.ts';
import { guessContactMapping } from './contact-columns.ts';
import { bindMapping, type ContactMapping, findLack, type PhoneColumns, singleRoles } from './contact-mapping.ts';
import { newContactCounts } from './contact-report.ts';
import { ContactRowReader } from './contact-rows.ts';
import { completeByValues } from './guess-contact-values.ts';
import {
  checkChoices,
  firstValues,
  type ListChoices,
  type ListField,
  type ListProposal,
  listSampleRows,
  listShownRows,
  unusedOf,
} from './list-proposal.ts';
import { openTableFile, type TableFile, type TableRow } from './table-file.ts';

const labels: Readonly<Record<(typeof singleRoles)[number], string>> = {
  first_name: 'First name',
  middle_name: 'Middle name',
  last_name: 'Last name',
  suffix: 'Suffix',
  full_name: 'Whole name',
  address: 'Mailing address',
  address_2: 'Unit',
  city: 'City',
  state: 'State',
  zip: 'ZIP',
  city_state_zip: 'City, state and ZIP',
  dnc: 'Do Not Call, all phones',
};

const nameOrders = ['given name first', 'surname first'] as const;
const orderField = 'name_order';

/** Field → heading, of what is mapped. */
function choicesOf({ phones, name_order: order, ...single }: ContactMapping): Record<string, string> {
  const chosen: Record<string, string> = { ...single };
  if (single.full_name !== undefined) chosen[orderField] = order ?? nameOrders[0];
  for (const [index, { number, line_type: type, dnc }] of phones.entries()) {
    const field = phoneField(index);
    chosen[field] = number;
    if (type !== undefined) chosen[`${field} type`] = type;
    if (dnc !== undefined) chosen[`${field} dnc`] = dnc;
  }
  return chosen;
}

/** The same without what is no heading. */
function headingsOf(mapping: ContactMapping): Record<string, string> {
  const { [orderField]: _order, ...headings } = choicesOf(mapping);
  return headings;
}

const phoneField = (index: number): string => `phone ${index + 1}`;
const phoneParts = ['', ' type', ' dnc'] as const;

function mappingOf(chosen: ListChoices, guessed: readonly PhoneColumns[]): ContactMapping {
  const of = (field: string): string | undefined => chosen[field] || undefined;
  const phones: PhoneColumns[] = [];
  for (let index = 0; index < maxPhones; index++) {
    const number = of(phoneField(index));
    if (number === undefined) continue;
    const [type, dnc] = [of(`${phoneField(index)} type`), of(`${phoneField(index)} dnc`)];
    const always = guessed.find((phone) => phone.number === number)?.always;
    phones.push({
      number,
      ...(type === undefined ? {} : { line_type: type }),
      ...(dnc === undefined ? {} : { dnc }),
      ...(always === undefined ? {} : { always }),
    });
  }
  const order = nameOrders.find((one) => one === chosen[orderField]);
  return {
    ...Object.fromEntries(singleRoles.flatMap((role) => (of(role) === undefined ? [] : [[role, of(role)]]))),
    ...(of('full_name') !== undefined && order !== undefined ? { name_order: order } : {}),
    phones,
  };
}

const maxPhones = 100;

/**
 * @param kept in place of guesses, where the file has all of its headings
 * @param choices heading of a field, an empty text for none; what is left out is guessed
 * @throws EngineError as the readers of tables; mapping_invalid for a field or heading that there is not
 */
export function proposeContacts(
  file: string,
  choices: ListChoices = {},
  kept: ContactMapping | null = null,
): ListProposal {
  const table = openTableFile(file);
  const rows = sampleOf(table);
  const values = rows.map((row) => row.values);
  const { columns } = table;
  const isKept = kept !== null && Object.values(headingsOf(kept)).every((heading) => columns.includes(heading));
  const byHeading = guessContactMapping(columns);
  const used = new Set(Object.values(choicesOf(byHeading)));
  const { mapping: guessed, reasons } = isKept
    ? { mapping: kept, reasons: new Map<string, string>() }
    : completeByValues(byHeading, columns, values, used);
  const chosen = { ...choicesOf(guessed), ...choices };
  const phones = Math.min(maxPhones, 1 + Math.max(0, ...Object.keys(chosen).map(numberOfPhone)));
  const fields = fieldNames(chosen, phones);
  const { [orderField]: _order, ...headings } = choices;
  checkChoices(headings, [...fields, ...singleRoles], columns);
  const mapping = mappingOf(chosen, guessed.phones);
  const samples = firstValues(columns, values);
  const lack = findLack(mapping);
  const told = (source: string): string => reasons.get(source) ?? (isKept ? 'as kept' : 'by its heading');
  const reasonOf = (field: string, source: string): string | null => (field in choices ? null : told(source));
  return {
    file,
    as: 'contacts',
    columns: columns.filter((name) => name !== ''),
    fields: fields.map((field) => fieldOf(field, chosen[field] || null, { samples, reasonOf })),
    mapping: { ...mapping },
    profile: null,
    unused: unusedOf(columns, new Set(Object.values(chosen)), samples),
    lack,
    first: lack === null ? firstPersons(mapping, table, rows) : [],
  };
}

function fieldOf(field: string, source: string | null, { samples, reasonOf }: FieldFacts): ListField {
  const label = labelOf(field);
  if (field === orderField)
    return { field, label, source, reason: 'where no comma tells', sample: null, options: nameOrders };
  if (source === null) return { field, label, source, reason: null, sample: null, options: null };
  return { field, label, source, reason: reasonOf(field, source), sample: samples.get(source) ?? null, options: null };
}

interface FieldFacts {
  readonly samples: ReadonlyMap<string, string | null>;
  readonly reasonOf: (field: string, source: string) => string | null;
}

function sampleOf(table: TableFile): TableRow[] {
  const rows: TableRow[] = [];
  for (const row of table.rows(table.columns.map((_, at) => at))) {
    rows.push(row);
    if (rows.length === listSampleRows) break;
  }
  return rows;
}

const numberOfPhone = (field: string): number => Number(/^phone (\d{1,3})/.exec(field)?.[1] ?? 0);

/** Every role, and one phone more than there are. */
function fieldNames(chosen: ListChoices, phones: number): string[] {
  const { full_name: full } = chosen;
  return [
    ...singleRoles.flatMap((role) => (role === 'full_name' && full ? [role, orderField] : [role])),
    ...Array.from({ length: phones }, (_, index) => phoneParts.map((part) => phoneField(index) + part)).flat(),
  ];
}

function labelOf(field: string): string {
  if (field === orderField) return 'Order of the whole name';
  const phone = numberOfPhone(field);
  if (phone === 0) return labels[field as keyof typeof labels];
  return `Phone ${phone}${field.endsWith(' type') ? ', type' : field.endsWith(' dnc') ? ', Do Not Call' : ''}`;
}

function firstPersons(mapping: ContactMapping, table: TableFile, rows: readonly TableRow[]): string[] {
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
    // Unknown is said too: nothing said would read as a number that may be called.
    [phoneWords(number), lineType, `DNC ${dnc === null ? 'Unknown' : dnc ? 'Yes' : 'No'}`].filter(Boolean).join(' '),
  );
  return [name, place, numbers.join(', ')].join(' · ');
}
