/** Which columns of a contact list hold what: said by the user, or guessed from the headings (contact-columns.ts). */
import Type from 'typebox';
import type { LineType } from '../contacts/match-contact.ts';
import type { NameOrder } from '../contacts/owner-name.ts';
import { EngineError } from '../spec/errors.ts';
import { findProblems, nearNames } from '../spec/validate.ts';

export interface PhoneColumns {
  /** Heading of the column that holds the number. */
  readonly number: string;
  readonly line_type?: string;
  readonly dnc?: string;
  /** The type of every number of the column: a column called Mobile needs no other. */
  readonly always?: LineType;
}

/** Every text is a heading of the file. */
export interface ContactMapping {
  readonly first_name?: string;
  readonly middle_name?: string;
  readonly last_name?: string;
  readonly suffix?: string;
  /** The whole name in one column; `name_order` says what comes first where no comma tells. */
  readonly full_name?: string;
  readonly name_order?: NameOrder;
  readonly address?: string;
  readonly address_2?: string;
  readonly city?: string;
  readonly state?: string;
  readonly zip?: string;
  readonly city_state_zip?: string;
  readonly phones: readonly PhoneColumns[];
  /** One flag for all numbers of the row that have none of their own. */
  readonly dnc?: string;
}

/** The roles that are one column each. */
export const singleRoles = [
  'first_name',
  'middle_name',
  'last_name',
  'suffix',
  'full_name',
  'address',
  'address_2',
  'city',
  'state',
  'zip',
  'city_state_zip',
  'dnc',
] as const satisfies readonly (keyof ContactMapping)[];

export type SingleRole = (typeof singleRoles)[number];

const heading = () => Type.String({ 'x-expected': 'the heading of a column', minLength: 1 });
const choice = (...choices: string[]) =>
  Type.Union(
    choices.map((each) => Type.Literal(each)),
    { 'x-expected': `one of ${choices.join(', ')}` },
  );

const mappingSchema = Type.Object(
  {
    ...Object.fromEntries(singleRoles.map((role) => [role, Type.Optional(heading())])),
    name_order: Type.Optional(choice('given name first', 'surname first')),
    phones: Type.Array(
      Type.Object(
        {
          number: heading(),
          line_type: Type.Optional(heading()),
          dnc: Type.Optional(heading()),
          always: Type.Optional(choice('Mobile', 'Landline')),
        },
        {
          additionalProperties: false,
          'x-expected': 'an object like {"number": "Phone 1", "line_type": "Phone 1 Type", "dnc": "Phone 1 DNC"}',
        },
      ),
      { 'x-expected': 'a list of at least one phone', minItems: 1, maxItems: 100 },
    ),
  },
  { additionalProperties: false },
);

const invalid = (problem: string) => new EngineError('mapping_invalid', `The mapping of contacts: ${problem}.`);

/**
 * Checks a mapping that came from a file.
 * @throws EngineError mapping_invalid
 */
export function parseContactMapping(value: unknown): ContactMapping {
  const problems = findProblems(mappingSchema, value);
  const [first] = Object.entries(problems ?? {});
  if (first) throw invalid(`${first[0]}: ${first[1].join('; ')}`);
  return value as ContactMapping;
}

/** What a mapping lacks to be of use; null when it has all. */
export function findLack(mapping: ContactMapping): string | null {
  const hasName =
    mapping.full_name !== undefined || (mapping.first_name !== undefined && mapping.last_name !== undefined);
  const hasTown = mapping.city !== undefined && mapping.state !== undefined;
  // An address alone may end in city, state and ZIP.
  const hasPlace = hasTown || [mapping.zip, mapping.city_state_zip, mapping.address].some((each) => each !== undefined);
  const lacks = [
    ...(hasName ? [] : ['a name (First Name and Last Name, or Full Name)']),
    ...(hasPlace ? [] : ['a ZIP, or city and state']),
    ...(mapping.phones.length > 0 ? [] : ['a phone']),
  ];
  return lacks.length > 0 ? lacks.join('; ') : null;
}

/** A mapping whose headings are positions in the file. */
export interface BoundMapping {
  /** Positions to read, each once; values come in this order. */
  readonly positions: readonly number[];
  /** Headings by the same order, for messages. */
  readonly headings: readonly string[];
  /** Index into the values. */
  readonly single: Readonly<Partial<Record<SingleRole, number>>>;
  readonly phones: readonly { number: number; line_type: number | null; dnc: number | null; always: LineType | null }[];
  readonly nameOrder: NameOrder;
  /** Heading → what it is read as. */
  readonly used: Readonly<Record<string, string>>;
}

/** @throws EngineError mapping_invalid when the file lacks a heading, or the mapping something it needs */
export function bindMapping(mapping: ContactMapping, columns: readonly string[]): BoundMapping {
  const lack = findLack(mapping);
  if (lack) throw invalid(`expected ${lack}, found none`);
  const positions: number[] = [];
  const used: Record<string, string> = {};
  const bind = (name: string, role: string): number => {
    const position = findColumn(name, columns);
    const known = positions.indexOf(position);
    const label = columns[position] ?? name;
    used[label] = used[label] === undefined ? role : `${used[label]}, ${role}`;
    return known >= 0 ? known : positions.push(position) - 1;
  };
  const bindOptional = (name: string | undefined, role: string) => (name === undefined ? null : bind(name, role));
  const single: Partial<Record<SingleRole, number>> = {};
  for (const role of singleRoles) {
    const name = mapping[role];
    if (name !== undefined) single[role] = bind(name, role);
  }
  const phones = mapping.phones.map((phone, index) => ({
    number: bind(phone.number, `phone ${index + 1}`),
    line_type: bindOptional(phone.line_type, `phone ${index + 1} type`),
    dnc: bindOptional(phone.dnc, `phone ${index + 1} dnc`),
    always: phone.always ?? null,
  }));
  const headings = positions.map((position) => columns[position] ?? '');
  return { positions, headings, single, phones, nameOrder: mapping.name_order ?? 'given name first', used };
}

function findColumn(name: string, columns: readonly string[]): number {
  const exact = columns.indexOf(name.trim());
  if (exact >= 0) return exact;
  const folded = columns.findIndex((column) => column.toUpperCase() === name.trim().toUpperCase());
  if (folded >= 0) return folded;
  const near = nearNames(name, columns);
  throw invalid(
    `the file has no column ${JSON.stringify(name)}${near.length > 0 ? `; did you mean ${near.join(' or ')}?` : ''}`,
  );
}
