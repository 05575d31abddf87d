/** What an import is asked to do, and how it tells how far it is. */
import type { HomeKind } from '../store/land-store.ts';
import type { Mapping } from './mapping.ts';
import type { ReadOptions } from './parcel-reader.ts';
import type { RowMapper } from './row-mapper.ts';
import type { TableFile } from './table-file.ts';

export type ImportPhase = 'reading table' | 'reading parcels' | 'matching' | 'writing' | 'finishing';

export interface ImportProgress {
  readonly phase: ImportPhase;
  /** Rows of this phase so far. */
  readonly rows: number;
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
  readonly now: () => Date;
  /** Called from time to time; what it throws cancels the import and leaves everything as it was. */
  readonly onProgress?: (progress: ImportProgress) => void;
}

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

/** Calls `onProgress` with the rate; where nobody listens it costs nothing. */
export function progressOf({ onProgress, now }: ImportOptions, phase: ImportPhase): (rows: number) => void {
  if (!onProgress) return () => {};
  const started = now().getTime();
  return (rows) => {
    const seconds = (now().getTime() - started) / 1000;
    onProgress({ phase, rows, rowsPerSecond: seconds > 0 ? rows / seconds : 0 });
  };
}
