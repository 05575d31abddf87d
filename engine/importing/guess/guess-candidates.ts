/** The parts of a guess: a source with its values, its candidates, and the choice. */
import { isTableName } from '../../spec/table-names.ts';
import type { ColumnFacts } from './guess-facts.ts';
import type { GuessSource } from './guess-sources.ts';

/** A source with facts about its values. */
export interface WeighedSource extends GuessSource {
  readonly values: readonly (string | null)[];
  readonly facts: ColumnFacts;
}

export interface Candidate {
  readonly source: WeighedSource;
  readonly target: string;
  /** By name alone, 0 to 1. */
  readonly score: number;
  readonly confidence: number;
  readonly reasons: readonly string[];
}

export interface Chosen {
  readonly candidate: Candidate;
  readonly confidence: number;
  readonly reasons: readonly string[];
}

export const isFromTable = ({ columns }: GuessSource): boolean => columns.every(isTableName);
