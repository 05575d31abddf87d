/**
 * Recognizes columns by their values where headings do not help: telephone numbers, person names, states, ZIP codes,
 * street addresses.
 */

import { parseOwnerName } from '../../contacts/owner-name.ts';
import { parsePhoneNumber } from '../../contacts/phone-number.ts';
import { doorOf, stateKey } from '../../contacts/place-key.ts';
import { percentWords } from '../guess/list-proposal.ts';
import type { Expression } from '../mapping/mapping-schema.ts';
import { phoneColumns } from '../values/contact-fields.ts';
import type { ContactGuesses } from './contact-columns.ts';
import { phonesOf } from './contact-mapping.ts';

interface ValueTest {
  /** In plural: `97 % are ZIP codes`. */
  readonly words: string;
  readonly least: number;
  readonly is: (text: string) => boolean;
  readonly isAlso?: (values: readonly string[]) => boolean;
}

/** Share of the present values; 0 if there are none. */
const shareOf = (values: readonly string[], is: (text: string) => boolean): number =>
  values.length === 0 ? 0 : values.filter(is).length / values.length;

const phone: ValueTest = {
  words: 'telephone numbers',
  least: 0.8,
  // Ten plain digits may be any number, but most of those are not assigned telephone numbers.
  is: (text) => text.replace(/\D/g, '').length >= 10 && 'number' in parsePhoneNumber(text),
};

/** Lists of owners also name companies: those rows are left out one by one, and do not count against the column. */
const isName = (text: string): boolean =>
  !/\d/.test(text) && /\p{L}[\s,]+\p{L}/u.test(text) && parseOwnerName(text, 'given name first').kind !== 'unreadable';

const isPerson = (text: string): boolean => parseOwnerName(text, 'given name first').kind === 'individual';
const leastPersons = 0.5;

const roles: readonly (readonly [string, ValueTest])[] = [
  ['zip', { words: 'ZIP codes', least: 0.95, is: (text) => /^\d{5}(?:-?\d{4})?$/.test(text) }],
  ['state', { words: 'states', least: 0.95, is: (text) => /^[A-Za-z]{2}$/.test(text) && stateKey(text) !== null }],
  ['address', { words: 'street addresses', least: 0.7, is: (text) => /\d/.test(text) && doorOf(text) !== null }],
  [
    'full_name',
    { words: 'names', least: 0.9, is: isName, isAlso: (values) => shareOf(values, isPerson) >= leastPersons },
  ],
];

interface ContactGuess {
  readonly columns: ContactGuesses;
  /** Maps each heading recognized by its values to the reason. */
  readonly reasons: ReadonlyMap<string, string>;
}

const hasPerson = ({ full_name: full, first_name: first, last_name: last }: ContactGuesses): boolean =>
  full !== undefined || (first !== undefined && last !== undefined);

/**
 * @param columns headings
 * @param rows values in their order
 * @param used headings already taken
 */
export function completeByValues(
  guessed: ContactGuesses,
  columns: readonly string[],
  rows: readonly (readonly (string | null)[])[],
  used: ReadonlySet<string>,
): ContactGuess {
  const reasons = new Map<string, string>();
  const valuesOf = (name: string): string[] => {
    const at = columns.indexOf(name);
    return rows.flatMap((row) => row[at] ?? []);
  };
  const isFree = (name: string): boolean => name !== '' && !used.has(name) && !reasons.has(name);
  const take = (test: ValueTest): string | null => {
    const found = columns
      .filter(isFree)
      .filter((name) => test.isAlso?.(valuesOf(name)) ?? true)
      .map((name) => ({ name, share: shareOf(valuesOf(name), test.is) }))
      .filter(({ share }) => share >= test.least)
      .sort((a, b) => b.share - a.share)[0];
    if (!found) return null;
    reasons.set(found.name, `${percentWords(found.share)} are ${test.words}`);
    return found.name;
  };
  const mapping: Record<string, Expression> = { ...guessed };
  let phones = phonesOf(guessed).length;
  for (let next = take(phone); next !== null; next = take(phone)) mapping[phoneColumns(++phones).number.name] = next;
  for (const [role, test] of roles) {
    if (role === 'full_name' ? hasPerson(mapping) : mapping[role] !== undefined) continue;
    if (role !== 'full_name' && role !== 'address' && mapping.city_state_zip !== undefined) continue;
    const heading = take(test);
    if (heading !== null) mapping[role] = heading;
  }
  const city = cityBeside(
    mapping,
    columns.filter((name) => isFree(name) || name === mapping.state),
    valuesOf,
  );
  if (city === null) return { columns: mapping, reasons };
  reasons.set(city, 'words, before the state');
  return { columns: { ...mapping, city }, reasons };
}

/** Towns have no form of their own; they precede their state. @param columns free ones, and the state's */
function cityBeside(
  { city, state, city_state_zip: together }: ContactGuesses,
  columns: readonly string[],
  valuesOf: (name: string) => readonly string[],
): string | null {
  if (city !== undefined || together !== undefined || state === undefined) return null;
  const before = columns[columns.indexOf(String(state)) - 1];
  if (before === undefined) return null;
  const values = valuesOf(before);
  return values.length > 0 && values.every((text) => /^[\p{L}.' -]+$/u.test(text)) ? before : null;
}
