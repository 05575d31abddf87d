/** What an import is asked to do, and how it tells how far it is. */
import path from 'node:path';
import type { HomeKind, LandStore } from '../../store/land-store.ts';
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
  /** Rows of this phase; null where nobody knows. */
  readonly total: number | null;
  readonly rowsPerSecond: number;
}

/** A feature that does not come from a file: the sample county's. */
export interface GivenFeature {
  readonly geometry: unknown;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly id?: string | number;
}

export interface ImportOptions {
  /** Parcel files, or features; one of both. */
  readonly files?: readonly string[];
  readonly features?: Iterable<GivenFeature>;
  /** The layer of the files, and their coordinate system where they do not name it. */
  readonly reading?: ReadOptions;
  /** County of all parcels. */
  readonly fips: string;
  /** Without one, columns named as in the dictionary are read. */
  readonly mapping?: Mapping;
  readonly joinFile?: string;
  /** The town, where several assess within one county. */
  readonly jurisdiction?: string;
  readonly source?: string;
  /** ISO date of the data. */
  readonly date?: string;
  readonly homeKind: HomeKind;
  /** Replaces the dataset of the county and jurisdiction even when it came from another source. */
  readonly replace?: boolean;
  /** Made-up parcels need not lie where their county does. */
  readonly anywhere?: boolean;
  readonly now: () => Date;
  /** Threads that may read a large file together; without it, this one reads. */
  readonly threads?: number;
  /** Called from time to time; what it throws cancels the import and leaves everything as it was. */
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Told at the end of the transaction; what it writes is in with the import. Where nothing changed it is not told. */
  readonly onCommitting?: (report: object) => void;
  /** Told as soon as the import is in the land file, before what is tidied after it. A dry run never is. */
  readonly onCommitted?: (report: object) => void;
  /** Told every problem of a row; the report lists the first of each kind. */
  readonly onProblem?: ProblemSink;
  /** Instead of asking the disk; for tests. */
  readonly space?: (land: LandStore, home: string, options: ImportOptions) => SpaceEstimate;
}

/** What is read, as refusals name it. */
export const sourceWords = ({ files = [] }: Pick<ImportOptions, 'files'>): string =>
  files.length === 0 ? 'what was given' : files.map((file) => path.basename(file)).join(', ');

/** What is settled before the first feature is read. */
export interface ImportPlan {
  readonly fips: string;
  readonly state: string;
  readonly jurisdiction: string;
  readonly source: string;
  readonly date: string;
  readonly table: TableFile | null;
  readonly mapper: RowMapper;
}

/**
 * Calls `onProgress` with the rate; where nobody listens it costs nothing.
 * @param total rows of the phase, or a guess that gets better
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
