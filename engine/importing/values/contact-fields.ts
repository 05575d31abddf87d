/** The columns of a contact that a mapping fills, and mappings saved by versions before 0.1.0. */
import path from 'node:path';
import type { NameOrder } from '../../contacts/owner-name.ts';

type ContactColumnType = 'text' | 'name_order' | 'line_type' | 'do_not_call';

export interface ContactColumn {
  readonly name: string;
  readonly type: ContactColumnType;
  readonly label: string;
  readonly docs: string;
}

export const nameOrders = ['given name first', 'surname first'] as const satisfies readonly NameOrder[];

/** Limit of phones per row. */
export const maxPhones = 100;

/** Everything but the phones. */
export const personColumns: readonly ContactColumn[] = [
  { name: 'first_name', type: 'text', label: 'First name', docs: 'Given name.' },
  { name: 'middle_name', type: 'text', label: 'Middle name', docs: 'Middle name or initial.' },
  { name: 'last_name', type: 'text', label: 'Last name', docs: 'Surname.' },
  { name: 'suffix', type: 'text', label: 'Suffix', docs: 'JR, SR, III.' },
  {
    name: 'full_name',
    type: 'text',
    label: 'Whole name',
    docs: 'The whole name, where first and last name have no columns of their own. If it names several persons, the first is kept.',
  },
  {
    name: 'name_order',
    type: 'name_order',
    label: 'Order of the whole name',
    docs: `What comes first in \`full_name\` if no comma shows it: ${nameOrders.join(' or ')}. Usually a constant.`,
  },
  { name: 'address', type: 'text', label: 'Mailing address', docs: 'Street address; may end in city, state and ZIP.' },
  { name: 'address_2', type: 'text', label: 'Unit', docs: 'Apartment, suite or unit.' },
  { name: 'city', type: 'text', label: 'City', docs: 'City of the mailing address.' },
  { name: 'state', type: 'text', label: 'State', docs: 'State, two letters.' },
  { name: 'zip', type: 'text', label: 'ZIP', docs: 'ZIP code of five or nine digits.' },
  {
    name: 'city_state_zip',
    type: 'text',
    label: 'City, state and ZIP',
    docs: 'The three in one column, like `Nowhere, NH 03280`.',
  },
  {
    name: 'dnc',
    type: 'do_not_call',
    label: 'Do Not Call, all phones',
    docs: 'Whether the phones of the row that have no flag of their own are on the Do Not Call registry.',
  },
];

/** The columns of phone number N, from 1. */
export const phoneColumns = (number: number | 'N') => {
  const [name, label] = [`phone_${number}`, `Phone ${number}`];
  return {
    number: {
      name,
      type: 'text',
      label,
      docs: 'Telephone number of ten digits; one cell may hold several.',
    },
    lineType: {
      name: `${name}_type`,
      type: 'line_type',
      label: `${label}, type`,
      docs: 'Mobile or Landline, in the words that vendors use.',
    },
    dnc: {
      name: `${name}_dnc`,
      type: 'do_not_call',
      label: `${label}, Do Not Call`,
      docs: 'Whether the number is on the Do Not Call registry.',
    },
    usualType: {
      name: `${name}_usual_type`,
      type: 'line_type',
      label: `${label}, type where none is given`,
      docs: 'The type of numbers without one: in a column called Mobile the constant `Mobile`.',
    },
  } as const satisfies Record<string, ContactColumn>;
};

export const contactColumns: readonly ContactColumn[] = [
  ...personColumns,
  ...Array.from({ length: maxPhones }, (_, at) => Object.values(phoneColumns(at + 1))).flat(),
];

/** The number of a column's phone, from 1; 0 for a column of the person. */
export const numberOfPhone = (column: string): number => Number(/^phone_(\d{1,3})(?:_|$)/.exec(column)?.[1] ?? 0);

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

const heading = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value);

/**
 * Converts a mapping from before 0.1.0, with headings by role and a list of phones, to the current form; returns one
 * with columns unchanged. Passes faults on for the validator to name.
 */
export function contactsOfEarlierForm(value: unknown, name: string): unknown {
  if (!isObject(value) || 'columns' in value || !Array.isArray(value.phones)) return value;
  const { phones, name_order: order, name: _name, ...single } = value;
  const ofPhone = (phone: unknown, at: number): [string, unknown][] => {
    const columns = phoneColumns(at + 1);
    if (!isObject(phone)) return [[columns.number.name, phone]];
    const names: Readonly<Record<string, string>> = {
      number: columns.number.name,
      line_type: columns.lineType.name,
      dnc: columns.dnc.name,
      always: columns.usualType.name,
    };
    return Object.entries(phone).map(([member, said]) => [
      names[member] ?? `${columns.number.name}_${member}`,
      member === 'always' ? { constant: said } : heading(said),
    ]);
  };
  return {
    name: path.parse(name).name,
    columns: Object.fromEntries([
      ...Object.entries(single).map(([role, said]) => [role, heading(said)]),
      ...(order === undefined ? [] : [['name_order', { constant: order }]]),
      ...(phones as unknown[]).flatMap(ofPhone),
    ]),
  };
}
