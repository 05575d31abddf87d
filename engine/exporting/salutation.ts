/** How a letter to an owner begins, and whom the envelope names. */
import { type OwnerPerson, parseOwnerName } from '../contacts/owner-name.ts';

export interface Addressee {
  /** First line of the envelope. */
  readonly name: string;
  /** `Dear John and Mary Smith,`; where no person can be read, `Dear property owner,`. */
  readonly salutation: string;
}

const nobody = 'Dear property owner,';

/** `MCDONALD-O'NEIL` → `Mcdonald-O'Neil`: rolls have capitals only, and which names have one inside cannot be told. */
const titleCase = (text: string): string =>
  text
    .toLowerCase()
    .replace(/(^|[\s'’-])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase());

const generations: Readonly<Record<string, string>> = { JR: 'Jr.', SR: 'Sr.' };

const suffixOf = ({ suffix }: OwnerPerson): string => (suffix === undefined ? '' : ` ${generations[suffix] ?? suffix}`);

const fullName = (person: OwnerPerson): string =>
  `${titleCase(person.first)} ${titleCase(person.last)}${suffixOf(person)}`;

/** `John and Mary Smith` where the surname is one, else both in full. */
function coupleName([first, second]: readonly OwnerPerson[]): string {
  if (!first) return '';
  if (!second) return fullName(first);
  if (first.last === second.last && first.suffix === undefined && second.suffix === undefined) {
    return `${titleCase(first.first)} and ${titleCase(second.first)} ${titleCase(first.last)}`;
  }
  return `${fullName(first)} and ${fullName(second)}`;
}

/** @param raw the owner as the assessor wrote it; what cannot be read as persons stays as it is written */
export function addressee(raw: string): Addressee {
  const owner = parseOwnerName(raw);
  if (owner.kind !== 'individual') return { name: raw.replace(/\s+/g, ' ').trim(), salutation: nobody };
  const name = coupleName(owner.persons);
  return { name, salutation: `Dear ${name},` };
}
