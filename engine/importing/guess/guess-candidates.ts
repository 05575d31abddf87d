/** What a guess is made of: a source with its values, what it may be, and what was chosen. */
import type { ColumnFacts } from './guess-facts.ts';
import { tablePrefix } from './guess-sample.ts';
import type { GuessSource } from './guess-sources.ts';

/** A source with what its values look like. */
export interface WeighedSource extends GuessSource {
  readonly values: readonly (string | null)[];
  readonly facts: ColumnFacts;
}

export interface Candidate {
  readonly source: WeighedSource;
  readonly target: string;
  readonly confidence: number;
  readonly reasons: readonly string[];
}

export interface Chosen {
  readonly candidate: Candidate;
  readonly confidence: number;
  readonly reasons: readonly string[];
}

export const isFromTable = ({ columns }: GuessSource): boolean => columns.every((name) => name.startsWith(tablePrefix));
