/**
 * Parses an assessor's owner name into persons. Rolls write the surname first (SMITH JOHN A & MARY B; SMITH, JOHN), estates
 * the given name (ESTATE OF JOHN SMITH). A skip trace looks for the first person.
 *
 * A trustee, even one named as a person (DOE, JANE TRUSTEE), is `trust`, as in owner_type: the trust holds the title. A
 * trust is answered with 400; a caller who wants Jane traces her by name. An estate or life estate counts as the person
 * named, since the trace looks for that household.
 */
import { isFirstName, isOnlyFirstName } from './first-names.ts';
import { foldAccents, generationOf, isCredential, isTitle } from './fold-name.ts';
import { endsAsCutTrust, isImpersonal, plainName, tenancyEndings, withoutCareOf } from './owner-name-words.ts';
import { ownerType } from './owner-type.ts';

export interface OwnerPerson {
  readonly first: string;
  readonly last: string;
  /** Further given names and initials. */
  readonly middle?: string;
  /** JR, SR, II, III, IV or VI. */
  readonly suffix?: string;
}

type OwnerName =
  | { readonly kind: 'individual'; readonly persons: readonly OwnerPerson[] }
  | { readonly kind: 'company' | 'trust' | 'government' | 'hoa' | 'unreadable' };

/** The order of a name without a comma. */
export type NameOrder = 'surname first' | 'given name first';

const particles = new Set(
  "VAN VON VANDEN VANDER DER DEN DE LA LAS LOS LE DEL DELLA DELA DI DA DAS DOS DU DES ST SAINT MC MAC SAN SANTA TER TEN EL ZU ZUR O D L'".split(
    ' ',
  ),
);
/** In LE THI HOA and LE VAN NAM, LE is the whole surname. */
const vietnameseMiddles = new Set('THI VAN MINH QUOC THANH NGOC DUC HUU XUAN KIM HOANG ANH'.split(' '));
/** Second surnames, if a known first name follows: GARCIA LOPEZ MARIA. */
const spanishSurname =
  /^(?:\p{L}{2,}(?:EZ|OZ)|GARCIA|FLORES|RIVERA|DIAZ|CRUZ|REYES|MORALES|ORTIZ|RUIZ|TORRES|RAMOS|ROMERO|CASTILLO|MORENO|ROJAS|SILVA|VARGAS|MEDINA|SOTO|AGUILAR|MENDOZA|HERRERA|CASTRO)$/u;
/** Given names that mostly follow another: XANTHE MARIE does not have the surname XANTHE. */
const usualMiddles = new Set(
  'ANN ANNE MARIE MAE MAY LEE LEIGH LYN LYNN LYNNE JO JEAN KAY SUE RAE DAWN GAIL GAYLE ROSE GRACE RENEE LOU ELIZABETH MICHELLE NICOLE LOUISE DENISE ELAINE JOY BETH'.split(
    ' ',
  ),
);
const maxWords = 6;
/** Longer texts are not names (as in owner-type.ts). */
const maxNameLength = 400;

/** The words of one person's name, and what was beside it taken out. */
interface Words {
  readonly words: readonly string[];
  readonly suffix: string | null;
}

/** @param least abbreviations after so many words are not part of the name */
function wordsOf(text: string, least = 2): Words {
  const all = text.split(/[\s,]+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  let suffix: string | null = null;
  const words = all.filter((word, at) => {
    const generation = at > 0 ? generationOf(word) : null;
    suffix ??= generation;
    return generation === null;
  });
  // REV or DR before a name and MD or ESQ after it; inside it they may be names.
  while (words.length > 1 && isTitle(words[0] ?? '')) words.shift();
  while (words.length > least && (isCredential(words.at(-1) ?? '') || tenancyEndings.has(words.at(-1) ?? '')))
    words.pop();
  return { words, suffix };
}

const isInitial = (word: string | undefined): boolean => word !== undefined && /^\p{L}$/u.test(word);
const bare = (word: string): string => foldAccents(word).replace(/[^\p{L}]/gu, '');
const isGiven = (word: string | undefined): boolean =>
  word !== undefined &&
  (isFirstName(bare(word)) || (word.includes('-') && isFirstName(bare(word.split('-')[0] ?? ''))));

const isSurname = (text: string): boolean => /^\p{L}[\p{L}\p{M}' -]*$/u.test(text) && bare(text).length > 1;
const isGivenWord = (word: string): boolean => /^\p{L}[\p{L}\p{M}'-]*$/u.test(word);

/** Null if either part is missing or cannot be a name. */
function personOf(last: readonly string[], given: readonly string[], suffix: string | null): OwnerPerson | null {
  const titled = given.length > 1 && isTitle(given[0] ?? '') ? given.slice(1) : given;
  const [first, ...middle] = titled;
  if (first === undefined || !isSurname(last.join(' ')) || !titled.every(isGivenWord)) return null;
  if (last.length + titled.length > maxWords) return null;
  return {
    first,
    last: last.join(' '),
    ...(middle.length > 0 ? { middle: middle.join(' ') } : {}),
    ...(suffix === null ? {} : { suffix }),
  };
}

/** Number of words of a leading surname: VAN DER BERG PIETER → 3. Leaves at least one for the given name. */
function surnameLength(words: readonly string[]): number {
  let at = 0;
  while (at < words.length - 2 && particles.has(words[at] ?? '')) {
    if (words[at] === 'LE' && vietnameseMiddles.has(words[at + 1] ?? '')) break;
    at++;
  }
  const [next, after] = [words[at + 1], words[at + 2]];
  const isDouble = next !== undefined && spanishSurname.test(bare(next)) && !isGiven(next) && isGiven(after);
  return at + (isDouble ? 2 : 1);
}

/** Number of words of a trailing surname: PIETER VAN DER BERG → 3. */
function surnameLengthBehind(words: readonly string[]): number {
  let count = 1;
  while (count < words.length - 1 && particles.has(words[words.length - 1 - count] ?? '')) {
    // MARY D SMITH has an initial, MARY DE LA CRUZ a particle.
    if (isInitial(words[words.length - 1 - count])) break;
    count++;
  }
  return count;
}

function surnameFirst({ words, suffix }: Words): OwnerPerson | null {
  const length = surnameLength(words);
  return personOf(words.slice(0, length), words.slice(length), suffix);
}

function givenNameFirst({ words, suffix }: Words): OwnerPerson | null {
  const split = words.length - surnameLengthBehind(words);
  return personOf(words.slice(split), words.slice(0, split), suffix);
}

/** Whether a roll writes the given name first, as in JOHN A SMITH: a first name that is rarely a surname, and no second one. */
function readsGivenNameFirst({ words }: Words): boolean {
  const [first, second] = words;
  const last = words.at(-1);
  if (words.length < 2 || words.length > 4 || isInitial(last) || isGiven(last)) return false;
  if (isOnlyFirstName(bare(first ?? ''))) return true;
  return words.length === 3 && isInitial(second) && isGiven(first);
}

/** In an estate the given name comes first, unless only the second word is a first name: ESTATE OF SMITH JOHN. */
const estateReadsSurnameFirst = ({ words }: Words): boolean => !isGiven(words[0]) && isGiven(words[1]);

/** A further person, with an own surname or the first person's. */
function furtherPerson(text: string, shared: string): OwnerPerson | null {
  if (text.includes(',')) return commaPersons(text)?.[0] ?? null;
  const parts = wordsOf(text, 1);
  const { words, suffix } = parts;
  const [first, second] = words;
  const last = words.at(-1);
  if (words.length === 0) return null;
  if (words.length > 1 && text.startsWith(`${shared} `))
    return personOf([shared], wordsOf(text.slice(shared.length)).words, suffix);
  if (words.length > 1 && ` ${words.join(' ')}`.endsWith(` ${shared}`)) {
    const sharedLength = shared.split(' ').length;
    return personOf([shared], words.slice(0, words.length - sharedLength), suffix);
  }
  // MARY ANN shares the surname; OLGA ROSE QUIMBY and DOE JANE have their own.
  if (words.length === 1 || isInitial(last)) return ownOrShared(parts, shared);
  if (isGiven(first)) return isGiven(last) ? personOf([shared], words, suffix) : givenNameFirst(parts);
  const isOwn = isGiven(second) && !usualMiddles.has(bare(second ?? ''));
  return isOwn ? surnameFirst(parts) : personOf([shared], words, suffix);
}

/** MARY B shares the surname; DOE JANE B has her own. */
function ownOrShared(parts: Words, shared: string): OwnerPerson | null {
  const { words, suffix } = parts;
  const hasOwn = words.length > 2 && !isGiven(words[0]) && isGiven(words[1]);
  return hasOwn ? surnameFirst(parts) : personOf([shared], words, suffix);
}

/** `SMITH, JOHN`, `SMITH JR, JOHN`, `SMITH, JOHN, MARY`, and `SMITH JOHN, DOE JANE`, where the comma separates persons. */
function commaPersons(text: string): OwnerPerson[] | null {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '' && generationOf(part) === null && !isCredential(part));
  const suffix =
    text
      .split(',')

      .map((part) => generationOf(part.trim()))
      .find((each) => each !== null) ?? null;
  const head = wordsOf(parts[0] ?? '');
  const [surname, secondWord] = head.words;
  const partsPersons =
    head.words.length > 1 &&
    isGiven(secondWord) &&
    !particles.has(surname ?? '') &&
    (isInitial(head.words[2]) || parts.length === 1 || (parts[1] ?? '').includes(' '));
  if (parts.length === 1 || partsPersons) return surnameFirstList(parts, head, suffix);
  const given = wordsOf(parts[1] ?? '', 1);
  const first = personOf(head.words, given.words, head.suffix ?? given.suffix ?? suffix);
  if (!first) return null;
  return [first, ...parts.slice(2).flatMap((part) => furtherPerson(part, first.last) ?? [])];
}

function surnameFirstList(parts: readonly string[], head: Words, suffix: string | null): OwnerPerson[] | null {
  const first = surnameFirst({ words: head.words, suffix: head.suffix ?? suffix });
  if (!first) return null;
  return [first, ...parts.slice(1).flatMap((part) => furtherPerson(part, first.last) ?? [])];
}

/** `JOHN & MARY SMITH`: the surname follows the last given name. */
function jointGivenNameFirst(texts: readonly string[]): OwnerPerson[] | null {
  const [own, ...others] = texts.map(wordsOf);
  const next = others.map((each) => givenNameFirst(each)).find((person) => person !== null);
  if (!own || !next || own.words.length > 2) return null;
  const first = personOf([next.last], own.words, own.suffix);
  return first && [first, next];
}

function firstPersons(texts: readonly string[], order: NameOrder, isEstateOf: boolean): OwnerPerson[] | null {
  const [text = ''] = texts;
  if (text.includes(',')) return commaPersons(text);
  const parts = wordsOf(text);
  const natural =
    order === 'given name first' || (isEstateOf ? !estateReadsSurnameFirst(parts) : readsGivenNameFirst(parts));
  const isJoint =
    texts.length > 1 &&
    parts.words.length <= 2 &&
    isGiven(parts.words[0]) &&
    !isGiven(wordsOf(texts[1] ?? '').words.at(-1));
  if (isJoint && (natural || parts.words.length === 1) && (parts.words.length === 1 || isInitial(parts.words[1]))) {
    return jointGivenNameFirst(texts);
  }
  const person = natural ? givenNameFirst(parts) : surnameFirst(parts);
  return person && [person];
}

function readPersons(text: string, order: NameOrder, isEstateOf: boolean): OwnerPerson[] | null {
  const texts = text
    .split(/[&+;]|(?<=\S\s)(?:AND|OR)(?=\s\S)|(?<=\p{L})\s*\/\s*(?=\p{L})/u)
    .map((each) => each.trim())
    .filter((each) => /[\p{L}\p{N}]/u.test(each));
  const first = firstPersons(texts, order, isEstateOf);
  const shared = first?.[0]?.last;
  if (!first || shared === undefined) return null;
  const rest = first.length > 1 && !texts[0]?.includes(',') ? texts.slice(2) : texts.slice(1);
  return [...first, ...rest.flatMap((each) => furtherPerson(each, shared) ?? [])];
}

/**
 * The persons of an owner name, or why there is no person to trace.
 * @param raw as the assessor wrote it
 * @param order of a name without a comma; `surname first` in every roll
 */
export function parseOwnerName(raw: string, order: NameOrder = 'surname first'): OwnerName {
  const owner = withoutCareOf(raw.slice(0, maxNameLength));
  const kind = ownerType(owner);
  if (kind === null) return { kind: 'unreadable' };
  if (kind !== 'individual') return { kind };
  const { text, isEstateOf } = plainName(owner);
  if (endsAsCutTrust(text)) return { kind: 'trust' };
  if (isImpersonal(text)) return { kind: 'unreadable' };
  const persons = readPersons(text, order, isEstateOf);
  return persons ? { kind: 'individual', persons } : { kind: 'unreadable' };
}
