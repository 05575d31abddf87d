/** What a county's index holds, the names of its segments, and the format that marks an older index as stale. */
import { createHash } from 'node:crypto';
import { indexedColumns } from './indexed-columns.ts';
import type { CodeWidth, ScaleEntry } from './value-scale.ts';

export interface ColumnEntry {
  readonly width: CodeWidth;
  readonly scale: ScaleEntry;
  /** Sorted codes of some rows: estimates what share of the rows a range keeps. */
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
  readonly outlineBytes: number;
  readonly columns: Readonly<Record<string, ColumnEntry>>;
  readonly words: Readonly<Record<string, WordsEntry>>;
  /** Texts searched by parts. */
  readonly packed: readonly string[];
  /** Orders of rows by a text, and how many rows have one. */
  readonly orders: Readonly<Record<string, { readonly known: number }>>;
  /** Columns with values no index can hold; SQL answers the filters that read them. */
  readonly leftToSql: readonly string[];
}

const named = (kind: string) => (column: string) => `${kind}/${column}`;

export const segmentNames = {
  ids: 'ids',
  rowBoxes: 'boxes/rows',
  wordBoxes: 'boxes/words',
  located: 'boxes/located',
  shaped: 'boxes/shaped',
  outlines: 'boxes/outlines',
  outlineStarts: 'boxes/outline-starts',
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

/** Raised when the bytes of a segment or the entries of a directory change for the same parcels; a test enforces it. */
const layout = 6;

/**
 * A safe integer that changes with the layout, the indexed columns and the segment names: an index of another format is
 * rebuilt.
 */
export const directoryFormat = createHash('sha256')
  .update(JSON.stringify([layout, indexedColumns, segmentNames], nameFunctions))
  .digest()
  .readUIntBE(0, 6);

/** Includes the functions of `named`, which JSON drops. */
function nameFunctions(_key: string, value: unknown): unknown {
  return typeof value === 'function' ? (value as (column: string) => string)('*') : value;
}
