/** The words of one column: which rows hold a word, a part of a word, a phrase, or are exactly a name. */

import type { CountyMemory } from './county-memory.ts';
import type { PartFinder } from './part-finder.ts';
import type { TextTable } from './text-table.ts';
import { partsOf } from './word-index-builder.ts';

/** Location of a column's words; large arrays are read on first use. */
interface WordSource {
  readonly memory: CountyMemory;
  readonly vocabulary: TextTable;
  /** Offset of where each word's postings begin, u32. */
  readonly postingStarts: number;
  readonly parts: TextTable;
  readonly partStarts: Uint32Array;
  readonly partWords: Uint32Array;
  readonly sequenceStarts: () => Uint32Array;
  readonly sequence: () => Uint32Array;
}

export class WordIndex {
  readonly #source: WordSource;
  readonly #parts = new Map<number, readonly string[]>();
  #searches = 0;
  #finder: PartFinder | null = null;

  constructor(source: WordSource) {
    this.#source = source;
  }

  /** Words that contain a token anywhere. The first search of a process passes over all words: making the finder costs more. */
  wordsHolding(token: string): ArrayLike<number> {
    const { vocabulary, memory } = this.#source;
    if (this.#searches++ > 0) this.#finder ??= vocabulary.finder(memory);
    return this.#finder?.find(Buffer.from(token)) ?? vocabulary.findHolding(token);
  }

  /** Words one of whose parts is `part`. */
  wordsWithPart(part: string): number[] {
    const { vocabulary, parts, partStarts, partWords } = this.#source;
    const own = vocabulary.find(part);
    const index = parts.find(part);
    const others = index < 0 ? [] : [...partWords.subarray(partStarts[index], partStarts[index + 1])];
    return own < 0 ? others : [own, ...others];
  }

  word(name: string): number {
    return this.#source.vocabulary.find(name);
  }

  /** Sum of the postings of these words; a row with two of them counts twice. */
  postingCount(words: ArrayLike<number>): number {
    const { memory, vocabulary, postingStarts } = this.#source;
    const starts = memory.numbers(postingStarts, vocabulary.count + 1);
    return Array.from(words).reduce((sum, word) => sum + (starts[word + 1] as number) - (starts[word] as number), 0);
  }

  /** Whether the parts of a row's name hold the phrase in sequence. */
  holdsPhrase(row: number, phrase: readonly string[]): boolean {
    const parts = this.#wordsOf(row).flatMap((word) => this.#partsOf(word));
    return parts.some((_, at) => phrase.every((part, offset) => parts[at + offset] === part));
  }

  /** Cached: few distinct words occur in names that hold a phrase, and each recurs in many names. */
  #partsOf(word: number): readonly string[] {
    const known = this.#parts.get(word);
    if (known) return known;
    const parts = partsOf(this.#source.vocabulary.text(word));
    this.#parts.set(word, parts);
    return parts;
  }

  /** Whether a row's name is exactly these words. */
  isName(row: number, words: readonly number[]): boolean {
    const own = this.#wordsOf(row);
    return own.length === words.length && own.every((word, at) => word === words[at]);
  }

  #wordsOf(row: number): number[] {
    const starts = this.#source.sequenceStarts();
    return [...this.#source.sequence().subarray(starts[row], starts[row + 1])];
  }
}
