/** Checks that a mapping of contacts is complete, and binds it to the headings of a file. */
import { EngineError } from '../../spec/errors.ts';
import { headingsRead } from '../guess/fit-mapping.ts';
import type { Mapping } from '../mapping/mapping-schema.ts';
import { type ListMapper, listMapper } from '../mapping/row-mapper.ts';
import { numberOfPhone, phoneColumns } from '../values/contact-fields.ts';
import { textOf } from '../values/convert-value.ts';
import { contactTarget } from '../values/mapping-target.ts';

const invalid = (problem: string) => new EngineError('mapping_invalid', `The mapping of contacts: ${problem}.`);

/** What a mapping lacks; null if it is complete. */
export function findLack({ columns }: Pick<Mapping, 'columns'>): string | null {
  const has = (name: string): boolean => columns[name] !== undefined;
  const hasName = has('full_name') || (has('first_name') && has('last_name'));
  // An address alone may end in city, state and ZIP.
  const hasPlace = (has('city') && has('state')) || ['zip', 'city_state_zip', 'address'].some(has);
  const lacks = [
    ...(hasName ? [] : ['a name (First Name and Last Name, or Full Name)']),
    ...(hasPlace ? [] : ['a ZIP, or city and state']),
    ...(phonesOf(columns).length > 0 ? [] : ['a phone']),
  ];
  return lacks.length > 0 ? lacks.join('; ') : null;
}

/** Numbers of the phones in a mapping, from 1. */
export const phonesOf = (columns: Mapping['columns']): number[] =>
  Object.keys(columns)
    .filter((name) => name === `phone_${numberOfPhone(name)}`)
    .map(numberOfPhone)
    .sort((a, b) => a - b);

export interface BoundMapping {
  readonly mapper: ListMapper;
  /** Positions to read, each once; values come in this order. */
  readonly positions: readonly number[];
  /** Headings in the same order. */
  readonly headings: readonly string[];
  /** Maps a column of a contact to the headings it is read from. */
  readonly sources: ReadonlyMap<string, readonly string[]>;
  readonly phones: readonly ReturnType<typeof phoneColumns>[];
  /** Maps a heading to its meaning. */
  readonly used: Readonly<Record<string, string>>;
}

/** @throws EngineError mapping_invalid if the file lacks a heading, or the mapping something it needs */
export function bindMapping(mapping: Mapping, columns: readonly string[]): BoundMapping {
  const lack = findLack(mapping);
  if (lack) throw invalid(`expected ${lack}, found none`);
  const wanted = contactTarget.columns.filter(({ name }) => mapping.columns[name] !== undefined);
  const mapper = listMapper({ ...contactTarget, columns: wanted }, mapping);
  // A row of empty cells binds the headings; any value it gives is a constant.
  mapper.convert(Object.fromEntries(columns.map((name) => [name, null])), undefined, (column, value, reason) => {
    throw invalid(`columns.${column}: ${reason}, found ${JSON.stringify(textOf(value))}`);
  });
  mapper.finish();
  const sources = new Map(
    Object.entries(mapping.columns).map(([name, expression]) => [name, headingsRead(expression, columns)]),
  );
  const used: Record<string, string> = {};
  for (const [name, headings] of sources) {
    for (const heading of headings) used[heading] = used[heading] === undefined ? name : `${used[heading]}, ${name}`;
  }
  const headings = Object.keys(used);
  const positions = headings.map((heading) => columns.indexOf(heading));
  return { mapper, positions, headings, sources, phones: phonesOf(mapping.columns).map(phoneColumns), used };
}
