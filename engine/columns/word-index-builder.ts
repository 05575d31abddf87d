/**
 * Turns the names of one column, row by row, into a vocabulary, postings and the words of each row. Words are separated
 * by white space in the folded name: a search token holds none, so it lies within one word. *Has any of these words*
 * searches smaller units: runs of letters and digits, the parts of a word (`O'BRIEN,` has two).
 */
import { foldText, foldWords } from '../spec/text-fold.ts';
import { type ReadValue, valuesOf } from './column-builder.ts';
import { compareUtf8, isIndexable, packTexts } from './text-table.ts';
import { WordCodes } from './word-codes.ts';

interface BuiltWords {
  /** Distinct words. */
  readonly vocabulary: Uint8Array;
  readonly wordCount: number;
  /** Rows of word w are `rows[postingStarts[w]] … rows[postingStarts[w + 1] − 1]`, ascending, each once. */
  readonly postingStarts: Uint32Array;
  readonly postings: Uint32Array;
  /** Words of row r, in order, are `sequence[sequenceStarts[r]] …`. */
  readonly sequenceStarts: Uint32Array;
  readonly sequence: Uint32Array;
  /** Distinct parts of words, except words that are their own only part. */
  readonly parts: Uint8Array;
  /** Words that have part p are `partWords[partStarts[p]] …`. */
  readonly partStarts: Uint32Array;
  readonly partWords: Uint32Array;
  /** One bit per row, set where there is no name. */
  readonly unknown: Uint8Array;
  /** Rows that have a name. */
  readonly known: number;
}

/** Parts of a folded word. */
export const partsOf = (word: string): string[] => foldWords(word).trim().split(' ').filter(Boolean);

/** White space as in `\s` of regular expressions. */
const isBlank = (unit: number): boolean =>
  unit === 0x20 || (unit >= 0x09 && unit <= 0x0d) || (unit > 0x7f && /\s/u.test(String.fromCharCode(unit)));

export class WordIndexBuilder {
  readonly #rows: number;
  #next = 0;
  readonly #seen = new WordCodes();
  #sequence = new Uint32Array(1024);
  #used = 0;
  #known = 0;
  readonly #starts: Uint32Array;
  readonly #unknown: Uint8Array;

  constructor(rows: number) {
    this.#rows = rows;
    this.#starts = new Uint32Array(rows + 1);
    this.#unknown = new Uint8Array(Math.ceil(rows / 64) * 8);
  }

  /** @returns false for a value that is no text or cannot be indexed */
  addAll(rows: readonly (readonly unknown[])[], read: ReadValue): boolean {
    for (const value of valuesOf(rows, read)) {
      const row = this.#next++;
      if (value !== null) this.#known++;
      if (value === null) this.#unknown[row >> 3] = (this.#unknown[row >> 3] as number) | (1 << (row & 7));
      else if (typeof value !== 'string' || !isIndexable(value)) return false;
      else this.#addWords(foldText(value));
      this.#starts[row + 1] = this.#used;
    }
    return true;
  }

  #addWords(text: string): void {
    let from = 0;
    for (let at = 0; at <= text.length; at++) {
      if (at < text.length && !isBlank(text.charCodeAt(at))) continue;
      if (at > from) this.#addWord(this.#seen.codeOf(text, from, at));
      from = at + 1;
    }
  }

  #addWord(word: number): void {
    if (this.#used === this.#sequence.length) {
      const larger = new Uint32Array(this.#used * 2);
      larger.set(this.#sequence);
      this.#sequence = larger;
    }
    this.#sequence[this.#used++] = word;
  }

  finish(): BuiltWords {
    const seen = this.#seen.words();
    const order = seen.map((_, id) => id).sort((a, b) => compareUtf8(seen[a] as string, seen[b] as string));
    const final = new Uint32Array(seen.length);
    for (const [place, id] of order.entries()) final[id] = place;
    const sequence = this.#sequence.subarray(0, this.#used);
    for (let at = 0; at < sequence.length; at++) sequence[at] = final[sequence[at] as number] as number;
    const words = order.map((id) => seen[id] as string);
    return {
      vocabulary: packTexts(words),
      wordCount: words.length,
      ...postingsOf(this.#rows, this.#starts, sequence, words.length),
      sequenceStarts: this.#starts,
      sequence,
      ...collectParts(words),
      unknown: this.#unknown,
      known: this.#known,
    };
  }
}

/** A counting sort; a word that occurs twice in a name counts once. */
function postingsOf(rows: number, starts: Uint32Array, sequence: Uint32Array, words: number) {
  const lastRow = new Int32Array(words).fill(-1);
  const postingStarts = new Uint32Array(words + 1);
  const eachOnce = (found: (word: number, row: number) => void): void => {
    lastRow.fill(-1);
    for (let row = 0; row < rows; row++) {
      for (let at = starts[row] as number; at < (starts[row + 1] as number); at++) {
        const word = sequence[at] as number;
        if (lastRow[word] === row) continue;
        lastRow[word] = row;
        found(word, row);
      }
    }
  };
  eachOnce((word) => {
    postingStarts[word + 1] = (postingStarts[word + 1] as number) + 1;
  });
  for (let word = 0; word < words; word++) {
    postingStarts[word + 1] = (postingStarts[word + 1] as number) + (postingStarts[word] as number);
  }
  const next = postingStarts.slice();
  const postings = new Uint32Array(postingStarts[words] as number);
  eachOnce((word, row) => {
    const at = next[word] as number;
    postings[at] = row;
    next[word] = at + 1;
  });
  return { postingStarts, postings };
}

/** Most words are their own only part and are left out. */
function collectParts(words: readonly string[]) {
  const byPart = new Map<string, number[]>();
  for (const [index, word] of words.entries()) {
    // The usual case: plain letters and digits, which folding leaves alone.
    if (/^[A-Z0-9]+$/.test(word)) continue;
    const parts = partsOf(word);
    if (parts.length === 1 && parts[0] === word) continue;
    for (const part of new Set(parts)) {
      const holders = byPart.get(part);
      if (holders) holders.push(index);
      else byPart.set(part, [index]);
    }
  }
  const parts = [...byPart.keys()].sort(compareUtf8);
  const partStarts = new Uint32Array(parts.length + 1);
  const lists = parts.map((part) => byPart.get(part) ?? []);
  for (const [index, list] of lists.entries()) partStarts[index + 1] = (partStarts[index] as number) + list.length;
  return { parts: packTexts(parts), partStarts, partWords: Uint32Array.from(lists.flat()) };
}
