/** Whether owners of one mailing address are one owner in two spellings. */
import { foldAccents, generationOf } from './fold-name.ts';
import { parseOwnerName } from './owner-name.ts';
import { plainName, withoutCareOf } from './owner-name-words.ts';
import { abbreviated } from './short-words.ts';

interface OwnerSpelling {
  /** Equal in all spellings: the first person's surname, given name and generation; of others every word but the legal form. */
  readonly who: string;
  /** What one spelling may leave out, but two may not say differently: middle initial, or the legal form. */
  readonly more: string;
}

export const legalForms: ReadonlyMap<string, string> = new Map([
  ...['LLC', 'LC', 'INC', 'CORP', 'LTD', 'LP', 'LLP', 'LLLP', 'PLLC', 'PC', 'CO'].map((form) => [form, form] as const),
  ['INCORPORATED', 'INC'],
  ['CORPORATION', 'CORP'],
  ['LIMITED', 'LTD'],
  ['COMPANY', 'CO'],
]);

/** @returns null where a name does not tell: an initial for a given name, no letters */
function spellingOf(owner: string): OwnerSpelling | null {
  const parsed = parseOwnerName(owner);
  if (parsed.kind === 'individual') {
    const [person] = parsed.persons;
    const first = plainWord(person?.first ?? '');
    if (!person || first.length < 2) return null;
    const who = [plainWord(person.last), first, ...(person.suffix ? [person.suffix] : [])].join(' ');
    return { who, more: plainWord(person.middle ?? '').charAt(0) };
  }
  const words = ownerWords(owner);
  const who = abbreviated(words.filter((word) => !legalForms.has(word)).join(' ')).replaceAll(' ', '');
  return who === '' ? null : { who, more: words.flatMap((word) => legalForms.get(word) ?? []).join(' ') };
}

/** The words of a name in capitals without accents and apostrophes; L L C and LIMITED LIABILITY CO are LLC. */
export const ownerWords = (owner: string): string[] =>
  foldAccents(plainName(withoutCareOf(owner)).text)
    .replace(/\bL(?:IMITED)? L(?:IABILITY)? C(?:O(?:MPANY)?)?\b/g, 'LLC')
    .replace(/['’]/g, '')
    .split(/[^A-Z0-9&]+/)
    .filter((word) => word !== '' && word !== 'THE');

export const plainWord = (text: string): string => foldAccents(text).replace(/[^A-Z]/g, '');

/**
 * Owners as groups of spellings, among those of one mailing address; what names one owner is in a list of its own.
 * @returns for each owner a word that is equal for spellings of one; null: alone
 */
export function spellingGroups(owners: readonly string[]): (string | null)[] {
  const spellings = owners.map(spellingOf);
  const said = new Map<string, Set<string>>();
  for (const one of spellings) {
    if (one === null) continue;
    const details = said.get(one.who) ?? new Set();
    said.set(one.who, one.more === '' ? details : details.add(one.more));
  }
  // JOHN may be JOHN A, unless there is a JOHN B too.
  return spellings.map((one) =>
    one === null ? null : (said.get(one.who)?.size ?? 0) > 1 ? `${one.who} | ${one.more}` : one.who,
  );
}

/** Words of a name that name persons: no initials, generations, legal forms. */
const namingWords = (owner: string): string[] =>
  foldAccents(plainName(withoutCareOf(owner)).text)
    .replace(/['’]/g, '')
    .split(/[^A-Z0-9]+/)
    .filter(
      (word) => word.length > 1 && word !== 'THE' && word !== 'AND' && !legalForms.has(word) && !generationOf(word),
    );

/** Whether an owner names somebody whom the shown one does not. */
export function namesAnother(owner: string, shown: string): boolean {
  const known = new Set(namingWords(shown));
  return namingWords(owner).some((word) => !known.has(word));
}
