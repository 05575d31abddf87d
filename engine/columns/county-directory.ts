/** What the index of a county holds, the names of its segments, and the format by which an older index is known as stale. */
import { createHash } from 'node:crypto';
import { indexedColumns } from './indexed-columns.ts';
import type { CodeWidth, ScaleEntry } from './value-scale.ts';

export interface ColumnEntry {
  readonly width: CodeWidth;
  readonly scale: ScaleEntry;
  /** Codes of some rows, sorted: what share of the rows a range will keep. */
  readonly sample: readonly number[];
  /** Rows that have a value. */
  readonly known: number;
  readonly isSorted: boolean;
}

export interface WordsEntry {
  readonly words: number;
  readonly known: number;
}

/** `run`: the ids are first, first + 1, …; `list`: a segment of 64-bit floats. */
export type IdsEntry = { readonly type: 'run'; readonly first: number } | { readonly type: 'list' };

export interface CountyDirectory {
  readonly format: number;
  readonly rows: number;
  readonly ids: IdsEntry;
  readonly columns: Readonly<Record<string, ColumnEntry>>;
  readonly words: Readonly<Record<string, WordsEntry>>;
  /** Texts of which parts are looked for. */
  readonly packed: readonly string[];
  /** Rows by a text, and how many have one. */
  readonly orders: Readonly<Record<string, { readonly known: number }>>;
  /** Columns that hold values no index can hold; filters that read them are answered by SQL. */
  readonly leftToSql: readonly string[];
}

const named = (kind: string) => (column: string) => `${kind}/${column}`;

export const segmentNames = {
  ids: 'ids',
  rowBoxes: 'boxes/rows',
  wordBoxes: 'boxes/words',
  located: 'boxes/located',
  shaped: 'boxes/shaped',
  packed: named('packed'),
  codes: named('codes'),
  values: named('values'),
  order: named('order'),
  orderStarts: named('order-starts'),
  words: {
    vocabulary: named('words/vocabulary'),
    postingStarts: named('words/posting-starts'),
    postings: named('words/postings'),
    sequenceStarts: named('words/sequence-starts'),
    sequence: named('words/sequence'),
    parts: named('words/parts'),
    partStarts: named('words/part-starts'),
    partWords: named('words/part-words'),
    unknown: named('words/unknown'),
  },
} as const;

/** Raised when the bytes of a segment or the entries of a directory change for the same parcels; a test says when. */
const layout = 5;

/** A safe integer that differs when the layout, the columns of the index or the names of its segments do: an index of another format is rebuilt. */
export const directoryFormat = createHash('sha256')
  .update(JSON.stringify([layout, indexedColumns, segmentNames], nameFunctions))
  .digest()
  .readUIntBE(0, 6);

/** `named` gives functions, which JSON leaves out. */
function nameFunctions(_key: string, value: unknown): unknown {
  return typeof value === 'function' ? (value as (column: string) => string)('*') : value;
}
