/**
 * Folds names of people for comparison: capital letters without accents, marks as spaces, generations (JR, III) and titles
 * removed. A clerk may write MUÑOZ as MUNOZ, and O'BRIEN as OBRIEN or O BRIEN.
 */
import { foldCase } from '../spec/text-fold.ts';

/** Letters that Unicode decomposition does not turn into ASCII. */
const plainLetters: Readonly<Record<string, string>> = { Ø: 'O', Ł: 'L', Đ: 'D', Æ: 'AE', Œ: 'OE', Þ: 'TH', ẞ: 'SS' };

/** Capital letters without accents. */
export const foldAccents = (text: string): string =>
  foldCase(text)
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replace(/[ØŁĐÆŒÞẞ]/g, (letter) => plainLetters[letter] ?? letter);

/** Words of capital letters; apostrophes join (O'BRIEN → OBRIEN), every other mark separates. */
function nameWords(text: string): string[] {
  return foldAccents(text)
    .replace(/['’‘`´]/g, '')
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '');
}

/** Spellings of generations → the normal one. */
const generations: ReadonlyMap<string, string> = new Map([
  ['JR', 'JR'],
  ['JUNIOR', 'JR'],
  ['SR', 'SR'],
  ['SENIOR', 'SR'],
  ['II', 'II'],
  ['2ND', 'II'],
  ['III', 'III'],
  ['3RD', 'III'],
  ['IV', 'IV'],
  ['4TH', 'IV'],
  ['VI', 'VI'],
]);

/** `JR`, `SR`, `II` …; null for any other word. I and V are initials. */
export const generationOf = (word: string): string | null =>
  generations.get(foldCase(word).replace(/[.,]/g, '')) ?? null;

const titles = new Set('MR MRS MS MISS DR REV HON PROF SGT CAPT COL MAJ'.split(' '));
const credentials = new Set('MD DDS DMD DVM PHD ESQ ESQUIRE CPA RN DO DPM'.split(' '));

export const isTitle = (word: string): boolean => titles.has(word);
export const isCredential = (word: string): boolean => credentials.has(word);

/** The text without generations after its first word. Removed before marks, since they may hold digits (3RD). */
const withoutGenerations = (text: string): string =>
  text
    .split(/[\s,]+/)
    .filter((word, at) => at === 0 || generationOf(word) === null)
    .join(' ');

/**
 * The last name as one run of letters: VAN DER BERG equals VANDERBERG, and SAINT PIERRE equals ST PIERRE. Generations and
 * credentials are left out. May be empty.
 */
export function lastNameKey(lastName: string): string {
  const words = nameWords(withoutGenerations(lastName.trim())).filter((word, at) => at === 0 || !isCredential(word));
  if (words.length > 1 && words[0] === 'SAINT') words[0] = 'ST';
  return words.join('');
}

export interface GivenName {
  /** First name of two or more letters; null if only initials are known, which never match. */
  readonly first: string | null;
  /** All given names as one run of letters: MARYANN equals MARY ANN. */
  readonly joined: string;
  /** The second given name or its initial; null if unknown. */
  readonly middle: string | null;
  /** JR, SR, II …; null if unknown. */
  readonly generation: string | null;
}

/**
 * The given names of one person, from the fields that hold parts of them. For J ROBERT the first name is ROBERT, which he
 * goes by; for `JOHN & MARY` only JOHN is read.
 */
export function givenName(firstName: string, middleName = '', generation = ''): GivenName {
  const [own = ''] = firstName.trim().split(/&|\+|\/|;|\bAND\b/i);
  const found = [...own.split(/[\s,]+/), generation].map(generationOf).find((each) => each !== null) ?? null;
  const ownWords = nameWords(withoutGenerations(own));
  if (ownWords.length > 1 && isTitle(ownWords[0] ?? '')) ownWords.shift();
  const words = [...ownWords, ...nameWords(withoutGenerations(middleName.trim()))];
  const at = words.findIndex((word) => word.length > 1);
  const middle = at < 0 ? null : (words[at + 1] ?? null);
  return { first: words[at] ?? null, joined: words.join(''), middle, generation: found };
}
