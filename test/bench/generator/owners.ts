/** Owner names at the shares of a county's roll: people, trusts, estates, companies, churches, government, none. */
import type { Random } from '../../sample-maker/random.ts';
import type { Vocabulary } from './words.ts';

export interface Owner {
  readonly name: string | null;
  readonly second: string | null;
  readonly isPerson: boolean;
}

type Form = (words: Vocabulary, random: Random) => string;

const surname: Form = (words, random) => words.surnames.at(random.next());
const firstName: Form = (words, random) => words.firstNames.at(random.next());
const initial: Form = (_words, random) => String.fromCharCode(65 + random.integer(0, 25));

const people: readonly (readonly [Form, number])[] = [
  [(w, r) => `${surname(w, r)} ${firstName(w, r)}`, 40],
  [(w, r) => `${surname(w, r)} ${firstName(w, r)} ${initial(w, r)}`, 30],
  [(w, r) => `${surname(w, r)} ${firstName(w, r)} & ${firstName(w, r)}`, 22],
  [(w, r) => `${surname(w, r)}, ${firstName(w, r)}`, 4],
  [(w, r) => `${surname(w, r)} ${firstName(w, r)} JR`, 2],
  [(w, r) => `${surname(w, r)}-${surname(w, r)} ${firstName(w, r)}`, 2],
];

const businesses = ['HOLDINGS', 'PROPERTIES', 'LAND', 'FARMS', 'RANCH', 'HOMES', 'INVESTMENTS', 'TIMBER', 'RENTALS'];
const companyEndings = ['LLC', 'LLC', 'LLC', 'L.L.C.', 'INC', 'INC.', 'CORP', 'LP', 'LTD', 'CO'];
const saints = ['FIRST BAPTIST', 'ST PAUL LUTHERAN', 'TRINITY METHODIST', 'GRACE', 'SACRED HEART CATHOLIC'];

const others: readonly (readonly [Form, number])[] = [
  [(w, r) => `${surname(w, r)} FAMILY TRUST`, 30],
  [(w, r) => `${surname(w, r)} ${firstName(w, r)} TRUSTEE`, 25],
  [(w, r) => `${surname(w, r)} ${firstName(w, r)} REV LIVING TRUST`, 20],
  [(w, r) => `ESTATE OF ${firstName(w, r)} ${surname(w, r)}`, 8],
  [(w, r) => `${surname(w, r)} ${firstName(w, r)} ESTATE`, 10],
  [(w, r) => `${surname(w, r)} ${r.pick(businesses)} ${r.pick(companyEndings)}`, 110],
  [(w, r) => `${w.places.at(r.next())} ${r.pick(businesses)} ${r.pick(companyEndings)}`, 30],
  [(w, r) => `${w.places.at(r.next())} NATIONAL BANK`, 6],
  [(w, r) => `${r.pick(saints)} CHURCH OF ${w.places.at(r.next())}`, 12],
  [(w, r) => `CITY OF ${w.places.at(r.next())}`, 18],
  [(w, r) => `${w.places.at(r.next())} COUNTY`, 8],
  [(w, r) => `${w.places.at(r.next())} ESTATES HOMEOWNERS ASSOCIATION`, 8],
  [() => 'STATE OF KANSAS', 4],
  [() => 'UNITED STATES OF AMERICA', 3],
];

export function ownerOf(words: Vocabulary, random: Random): Owner {
  const kind = random.next();
  if (kind < 0.008) return { name: null, second: null, isPerson: false };
  const isPerson = kind < 0.7;
  const name = random.weighted(isPerson ? people : others)(words, random);
  const second = isPerson && random.chance(0.18) ? `${surname(words, random)} ${firstName(words, random)}` : null;
  // Some rolls were typed in lower case for a while.
  return { name: random.chance(0.01) ? capitalized(name) : name, second, isPerson };
}

const capitalized = (name: string): string => name.replace(/\p{L}+/gu, (word) => word[0] + word.slice(1).toLowerCase());
