/** The interface of an engine in the bench; this folder has one file for each. */
import type { Question } from '../questions.ts';

/** Columns of a page's row, in order: the parcel summary without its link. */
export const rowColumns = [
  'property_id',
  'apn',
  'fips',
  'point_lon',
  'point_lat',
  'acres',
  'calculated_acres',
  'owner_name',
  'situs_address',
  'situs_city',
  'situs_state',
  'situs_zip',
] as const;

export type Cell = string | number | null;

export interface Answer {
  /** All parcels that match, exactly. */
  readonly count: number;
  /** One page of rows in the query's order, cells as in `rowColumns`. */
  readonly rows: readonly (readonly Cell[])[];
}

export type ReadAnswer = () => Answer;

export interface Loaded {
  readonly seconds: number;
  readonly bytes: number;
}

/** A database that is open in this process. */
export interface OpenEngine {
  version(): string | Promise<string>;
  /**
   * Count and page, as a program would request both; work only needed for the comparison happens when the answer is
   * read.
   */
  ask(question: Question): ReadAnswer | Promise<ReadAnswer>;
  /** The count alone, where the engine is measured on it. */
  count?(question: Question): number;
  /** Bytes that the count reads at least; null if unknown. */
  touched?(question: Question): number | null;
  /** Bytes in memory now, of the engine and of the process around it. */
  residentMemory(): number;
  close(): void | Promise<void>;
}

export interface BenchEngine {
  readonly name: string;
  /** Why it cannot run here, and how to get it; null: it can. */
  missing(): string | null;
  /** Queries it cannot answer exactly, with the reason. */
  readonly cannot: Readonly<Record<string, string>>;
  /** Starts its server; `isNew`: on an empty database. Engines in process have none. */
  start?(folder: string, isNew: boolean): Promise<{ stop(): void }>;
  /** Makes its database in `folder` of the parcels of the land file. */
  load(landFile: string, folder: string): Promise<Loaded>;
  open(folder: string): Promise<OpenEngine>;
  /** Files that a cold start must not find in memory, or why it cannot be measured. */
  files(folder: string): readonly string[] | string;
  /** Loads the engine's code, which is no part of a cold start's time. */
  preload?(): void;
}

/** Bytes of this process in memory. */
export const processMemory = (): number => process.memoryUsage.rss();
