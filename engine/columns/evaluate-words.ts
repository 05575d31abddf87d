/** Steps over names: postings set bits; where word order matters, each candidate's words are compared. */
import type { CountyColumns, LoadedWords } from './county-columns.ts';
import { clearRows, rowsOf } from './county-rows.ts';
import type { Step } from './steps.ts';

type StepOf<Type extends Step['type']> = Extract<Step, { type: Type }>;

/** Sets the rows that hold any of these words. */
function setWordRows(
  { memory, kernels }: CountyColumns,
  { postingsAt, postingStarts }: LoadedWords,
  ids: ArrayLike<number>,
  bits: number,
): void {
  memory.withScratch(ids.length * 4, (at) => {
    const postings = postingsAt();
    memory.numbers(at, ids.length).set(ids);
    kernels.setPostings(bits, postings, postingStarts, at, ids.length);
  });
}

/** Lends a cleared bitmap. */
function withCleared(county: CountyColumns, work: (bits: number) => void): void {
  county.memory.withBitmap((bits) => {
    county.kernels.clear(bits, county.words);
    work(bits);
  });
}

/** Keeps rows that have a word from every list. */
function keepWordLists(
  county: CountyColumns,
  words: LoadedWords,
  lists: readonly ArrayLike<number>[],
  bits: number,
): void {
  for (const ids of lists) {
    withCleared(county, (found) => {
      setWordRows(county, words, ids, found);
      county.kernels.and(bits, found, county.words);
    });
  }
}

export function keepTokens(county: CountyColumns, step: StepOf<'tokens'>, bits: number): void {
  const words = county.wordsOf(step.column);
  // Rows that hold a word have a name.
  if (step.tokens.length === 0) county.kernels.andNot(bits, words.unknown, county.words);
  keepWordLists(
    county,
    words,
    step.tokens.map((token) => words.index.wordsHolding(token)),
    bits,
  );
}

export function keepWords(county: CountyColumns, step: StepOf<'words'>, bits: number): void {
  const words = county.wordsOf(step.column);
  withCleared(county, (found) => {
    for (const phrase of step.phrases) setPhraseRows(county, words, phrase, bits, found);
    keepFound(county, words, step, bits, found);
  });
}

/** A negated test passes unknown names, since they are never found. */
function keepFound(
  { kernels, words: count }: CountyColumns,
  words: LoadedWords,
  { negate, passUnknown }: { readonly negate: boolean; readonly passUnknown: boolean },
  bits: number,
  found: number,
): void {
  if (negate) {
    kernels.andNot(bits, found, count);
    return;
  }
  if (passUnknown) kernels.or(found, words.unknown, count);
  kernels.and(bits, found, count);
}

/** Sets the rows, among those of `bits`, whose name holds the phrase. */
function setPhraseRows(
  county: CountyColumns,
  words: LoadedWords,
  phrase: readonly string[],
  bits: number,
  found: number,
): void {
  const lists = phrase.map((part) => words.index.wordsWithPart(part));
  const [only = []] = lists;
  if (lists.length === 1) {
    setWordRows(county, words, only, found);
    return;
  }
  setRowsThat(county, words, lists, bits, found, (row) => words.index.holdsPhrase(row, phrase));
}

/**
 * Sets the rows, among those of `bits`, that have a word from every list and pass the test, which sees the words in
 * order.
 */
function setRowsThat(
  county: CountyColumns,
  words: LoadedWords,
  lists: readonly ArrayLike<number>[],
  bits: number,
  found: number,
  meets: (row: number) => boolean,
): void {
  const { kernels } = county;
  county.memory.withBitmap((candidates) => {
    kernels.copy(candidates, bits, county.words);
    kernels.andNot(candidates, words.unknown, county.words);
    keepWordLists(county, words, lists, candidates);
    const rows = rowsOf(county, candidates);
    clearRows(
      county,
      candidates,
      rows.filter((row) => !meets(row)),
    );
    kernels.or(found, candidates, county.words);
  });
}

export function keepNames(county: CountyColumns, step: StepOf<'names'>, bits: number): void {
  const words = county.wordsOf(step.column);
  withCleared(county, (found) => {
    for (const name of step.names) setNameRows(county, words, name, bits, found);
    keepFound(county, words, step, bits, found);
  });
}

/** Sets the rows, among those of `bits`, whose name is these words in this order. */
function setNameRows(
  county: CountyColumns,
  words: LoadedWords,
  name: readonly string[],
  bits: number,
  found: number,
): void {
  const ids = name.map((word) => words.index.word(word));
  if (ids.includes(-1)) return;
  const lists = ids.map((id) => [id]);
  setRowsThat(county, words, lists, bits, found, (row) => words.index.isName(row, ids));
}
