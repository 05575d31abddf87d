/** The options of an import, and its progress. */
import type { AccountChoice } from '../../spec/accounts.ts';
import { filesWords } from '../../spec/files-words.ts';
import type { HomeKind } from '../../store/home-kind.ts';
import type { LandStore } from '../../store/land-store.ts';
import type { ReadOptions } from '../formats/parcel-reader.ts';
import type { TableFile } from '../formats/table-file.ts';
import type { Mapping } from '../mapping/mapping.ts';
import type { RowMapper } from '../mapping/row-mapper.ts';
import type { ProblemSink } from './import-report.ts';
import type { SpaceEstimate } from './space-check.ts';

export type ImportPhase =
  | 'reading table'
  | 'reading parcels'
  | 'matching'
  | 'keeping what stands'
  | 'writing'
  | 'finishing';

export interface ImportProgress {
  readonly phase: ImportPhase;
  /** Rows of this phase so far. */
  readonly rows: number;
  /** Rows of this phase; null if unknown. */
  readonly total: number | null;
  readonly rowsPerSecond: number;
}

/** A feature from code instead of a file: the sample county's. */
export interface GivenFeature {
  readonly geometry: unknown;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly id?: string | number;
}

export interface ImportOptions {
  /** Parcel files, or features; not both. */
  readonly files?: readonly string[];
  readonly features?: Iterable<GivenFeature>;
  /** The layer of the files, and their coordinate system if they do not name it. */
  readonly reading?: ReadOptions;
  /** County of all parcels. */
  readonly fips: string;
  /** Without one, columns are read by the dictionary's names. */
  readonly mapping?: Mapping;
  /** What becomes of accounts without a shape of their own; default: what the mapping says. */
  readonly accounts?: AccountChoice;
  /** Tables to join, in the order of the mapping's joins. */
  readonly joinFiles?: readonly string[];
  /** The town, if several assess within one county. */
  readonly jurisdiction?: string;
  readonly source?: string;
  /** ISO date of the data. */
  readonly date?: string;
  readonly homeKind: HomeKind;
  /** Replaces the dataset of the county and jurisdiction even if it came from another source. */
  readonly replace?: boolean;
  /** Refuses no parcels for lying in another county: outlines are coarse, and invented parcels lie anywhere. */
  readonly anywhere?: boolean;
  readonly now: () => Date;
  /** Called from time to time; throwing cancels the import and changes nothing. */
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Called at the end of the transaction; its writes commit with the import. Not called if nothing changed. */
  readonly onCommitting?: (report: object) => void;
  /** Called right after the commit, before cleaning up. Never called in a dry run. */
  readonly onCommitted?: (report: object) => void;
  /** Receives every problem of a row; the report lists the first of each kind. */
  readonly onProblem?: ProblemSink;
  /** Replaces the disk check; for tests. */
  readonly space?: (land: LandStore, home: string, options: ImportOptions) => SpaceEstimate;
}

/** What is read, for refusals. */
export const sourceWords = ({ files = [] }: Pick<ImportOptions, 'files'>): string => filesWords(files) || 'the input';

/** Facts settled before the first feature is read. */
export interface ImportPlan {
  readonly fips: string;
  readonly state: string;
  readonly jurisdiction: string;
  readonly source: string;
  readonly date: string;
  readonly tables: readonly TableFile[];
  readonly accounts: AccountChoice;
  readonly anywhere: boolean;
  readonly mapper: RowMapper;
}

/**
 * Calls `onProgress` with the rate; costs nothing without a listener.
 * @param total rows of the phase, or an improving estimate
 */
export function progressOf(
  { onProgress, now }: Pick<ImportOptions, 'onProgress' | 'now'>,
  phase: ImportPhase,
  total: number | (() => number | null) | null = null,
): (rows: number) => void {
  if (!onProgress) return () => {};
  const started = now().getTime();
  return (rows) => {
    const seconds = (now().getTime() - started) / 1000;
    const whole = typeof total === 'function' ? total() : total;
    onProgress({ phase, rows, total: whole, rowsPerSecond: seconds > 0 ? rows / seconds : 0 });
  };
}
