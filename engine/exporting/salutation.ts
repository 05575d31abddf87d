/** The salutation of a letter and the addressee of its envelope, from the assessor's owner name. */
import { type OwnerPerson, parseOwnerName } from '../contacts/owner-name.ts';

interface Addressee {
  /** First line of the envelope. */
  readonly name: string;
  /** `Dear John and Mary Smith,`, or `Dear property owner,` if no person can be read. */
  readonly salutation: string;
}

const nobody = 'Dear property owner,';

/** `MCDONALD-O'NEIL` → `Mcdonald-O'Neil`: rolls use capitals only, so an inner capital cannot be known. */
const titleCase = (text: string): string =>
  text
    .toLowerCase()
    .replace(/(^|[\s'’-])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase());

const generations: Readonly<Record<string, string>> = { JR: 'Jr.', SR: 'Sr.' };

const suffixOf = ({ suffix }: OwnerPerson): string => (suffix === undefined ? '' : ` ${generations[suffix] ?? suffix}`);

const fullName = (person: OwnerPerson): string =>
  `${titleCase(person.first)} ${titleCase(person.last)}${suffixOf(person)}`;

/** `John and Mary Smith` if they share the surname, else both names in full. */
function coupleName([first, second]: readonly OwnerPerson[]): string {
  if (!first) return '';
  if (!second) return fullName(first);
  if (first.last === second.last && first.suffix === undefined && second.suffix === undefined) {
    return `${titleCase(first.first)} and ${titleCase(second.first)} ${titleCase(first.last)}`;
  }
  return `${fullName(first)} and ${fullName(second)}`;
}

/** @param raw the owner name as the assessor wrote it; kept as written if no person can be read */
export function addressee(raw: string): Addressee {
  const owner = parseOwnerName(raw);
  if (owner.kind !== 'individual') return { name: raw.replace(/\s+/g, ' ').trim(), salutation: nobody };
  const name = coupleName(owner.persons);
  return { name, salutation: `Dear ${name},` };
}
