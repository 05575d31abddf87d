/** What an import did, in numbers and in the first of each kind of problem. Kept as JSON with the dataset. */
import { shown } from '../spec/validate.ts';
import type { FeaturePosition } from './parcel-feature.ts';

const listed = 100;
/** Keys of table rows without a parcel that are listed. */
export const listedKeys = 20;

export interface RefusedFeature {
  readonly file: string;
  readonly row: number;
  readonly byteOffset: number;
  readonly reason: string;
}

/** A shape that is kept as it is, though no geometry engine takes it for valid. */
export interface InvalidGeometry {
  readonly file: string;
  readonly row: number;
  readonly apn: string | null;
  readonly reason: string;
}

export interface ValueProblem {
  readonly file: string;
  readonly row: number;
  readonly column: string;
  readonly value: string;
  readonly reason: string;
}

export interface ImportReport {
  dataset_id: number;
  fips: string;
  jurisdiction: string;
  source: string;
  date: string;
  features_read: number;
  /** Features that found a row of the joined table. */
  joined: number;
  table_rows: number;
  table_rows_deleted: number;
  table_rows_unmatched: { count: number; first: string[] };
  table_keys_repeated: number;
  /** What the bytes of the joined table were read as, and how many did not fit; null where the reader settles it. */
  table_encoding: string | null;
  refused: { count: number; first: RefusedFeature[] };
  value_problems: { count: number; by_column: Record<string, number>; first: ValueProblem[] };
  blank_apns: number;
  /** APNs that more than one parcel has. */
  apn_doubles: number;
  without_geometry: number;
  repaired_geometries: number;
  /** Rings that cross or touch themselves: kept as they are. */
  invalid_geometries: { count: number; first: InvalidGeometry[] };
  new: number;
  changed: number;
  retired: number;
  returned: number;
  unchanged: number;
  /** Standing parcels that the files do not hold but that are not retired: a refused feature may be theirs. */
  kept_for_refused: number;
  seconds: number;
}

export type ReadingCounts = Pick<
  ImportReport,
  | 'features_read'
  | 'joined'
  | 'table_rows'
  | 'table_rows_deleted'
  | 'table_rows_unmatched'
  | 'table_keys_repeated'
  | 'refused'
  | 'value_problems'
  | 'blank_apns'
  | 'without_geometry'
  | 'repaired_geometries'
  | 'invalid_geometries'
  | 'table_encoding'
>;

export const newReadingCounts = (): ReadingCounts => ({
  features_read: 0,
  joined: 0,
  table_rows: 0,
  table_rows_deleted: 0,
  table_rows_unmatched: { count: 0, first: [] },
  table_keys_repeated: 0,
  refused: { count: 0, first: [] },
  value_problems: { count: 0, by_column: {}, first: [] },
  blank_apns: 0,
  without_geometry: 0,
  repaired_geometries: 0,
  invalid_geometries: { count: 0, first: [] },
  table_encoding: null,
});

export function countRefused(
  { refused }: ReadingCounts,
  file: string,
  { row, byteOffset }: FeaturePosition,
  reason: string,
): void {
  refused.count++;
  if (refused.first.length < listed) refused.first.push({ file, row, byteOffset, reason });
}

export function countInvalidGeometry(
  { invalid_geometries: invalid }: ReadingCounts,
  at: { file: string; row: number },
  apn: string | null,
  reason: string,
): void {
  invalid.count++;
  if (invalid.first.length < listed) invalid.first.push({ ...at, apn, reason });
}

export function countValueProblem(
  { value_problems: problems }: ReadingCounts,
  at: { file: string; row: number },
  column: string,
  value: unknown,
  reason: string,
): void {
  problems.count++;
  problems.by_column[column] = (problems.by_column[column] ?? 0) + 1;
  if (problems.first.length >= listed) return;
  // What is shown is short anyhow: a value of megabytes is not to be written out first.
  const start = typeof value === 'string' ? value.slice(0, 500) : value;
  problems.first.push({ ...at, column, value: shown(start), reason });
}

export function countRowWithoutKey({ table_rows_unmatched: unmatched }: ReadingCounts, row: number): void {
  unmatched.count++;
  if (unmatched.first.length < listedKeys) unmatched.first.push(`(row ${row}, without a key)`);
}
