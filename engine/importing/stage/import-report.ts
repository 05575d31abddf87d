/** The report of an import: counts, and the first examples of each kind of problem. Stored as JSON with the dataset. */
import { misplacedWords } from '../../spec/import-checks.ts';
import { shown } from '../../spec/validate.ts';
import type { FeaturePosition } from '../formats/parcel-feature.ts';
import type { OtherRows, RowsLeft } from '../formats/parcel-source.ts';
import type { Misplaced } from './expect-place.ts';

const listed = 100;
/** Listed keys of table rows without a parcel. */
export const listedKeys = 20;

export interface RefusedFeature {
  readonly file: string;
  readonly row: number;
  readonly byteOffset: number;
  readonly reason: string;
}

/** A shape that geometry engines consider invalid. */
interface InvalidGeometry {
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

/** An account without a shape of its own, and the lot that it lies on. */
export interface StackedAccount {
  readonly apn: string;
  readonly lot: string;
}

/** A parcel whose recorded acres differ from those of its shape. */
interface AcresOff {
  readonly file: string;
  readonly row: number;
  readonly apn: string | null;
  readonly recorded: number;
  readonly computed: number;
}

/** Another county that holds more of the checked parcels than a border explains. */
export interface OtherCounty {
  readonly fips: string;
  readonly name: string;
  /** How many lie there, how many in the import's county, and how many were checked. */
  readonly there: number;
  readonly inside: number;
  readonly of: number;
}

/** One line of the list of problems. */
export interface ImportProblem {
  readonly file: string;
  readonly row: number;
  /** Empty for the whole feature. */
  readonly column: string;
  readonly value: string;
  readonly reason: string;
}

/** Receives every problem; the report lists the first of each kind. */
export type ProblemSink = (problem: ImportProblem) => void;

export interface TableCounts {
  readonly file: string;
  rows: number;
  /** Parcels that found a row. */
  joined: number;
  /** Rows without a key, or with one that no parcel has. */
  unmatched: number;
  /** Rows of a parcel's key that are not used. */
  repeated: number;
  /** Rows that no parcel has, kept as parcels without a shape of their own. */
  accounts: number;
}

export interface ImportReport {
  /** Id for undoing the import; null if nothing was written. */
  import_id: number | null;
  dataset_id: number;
  fips: string;
  jurisdiction: string;
  source: string;
  date: string;
  /** The date of the loaded data, if it is newer than that of the files. */
  replaces_newer: string | null;
  features_read: number;
  /** Features that found a row of a joined table. */
  joined: number;
  table_rows: number;
  table_rows_deleted: number;
  table_rows_unmatched: { count: number; first: string[] };
  /** Rows of a parcel's key that are not used, because another row of the key counts. */
  table_keys_repeated: number;
  /** Parcels joined by a key that the table writes in another case or with other blanks. */
  joined_otherwise: number;
  /** Each joined table, in the order given. */
  tables: TableCounts[];
  /** The encoding of the joined table, and how many bytes did not fit; null if its format fixes it. */
  table_encoding: string | null;
  refused: { count: number; first: RefusedFeature[] };
  /** What a drawing has that encloses nothing: open lines, points, texts, blocks. */
  without_area: number;
  /** Rows and files of other counties that a large file has and that were passed over; null: none. */
  other_rows: OtherRows | null;
  /** Rows that the condition of the import (`--where`) passed over; null: it has none. */
  rows_left: RowsLeft | null;
  value_problems: { count: number; by_column: Record<string, number>; first: ValueProblem[] };
  blank_apns: number;
  /** Rows equal to an earlier one in APN, shape and all values: one parcel. */
  duplicates: number;
  /** Rows of a table kept as parcels, because no parcel of the files has their key. */
  accounts: number;
  /** Parcels without a shape placed on the lot that they share, with the first APNs of both. */
  stacked: { count: number; first: StackedAccount[] };
  /** Recorded acres of such parcels that were left out: the lot has that ground. */
  stacked_acres: number;
  /** APNs shared by several parcels. */
  apn_doubles: number;
  without_geometry: number;
  /** Rows whose point or shape lies where no parcel of the county can: kept without a place. */
  misplaced: Record<Misplaced, number>;
  repaired_geometries: number;
  /** Shapes that were read otherwise than drawn (arcs, collections, longitude 180), by what became of them. */
  shape_notes: Record<string, number>;
  /**
   * Shapes that crossed or touched themselves, repaired: they cover what an odd number of their boundaries encloses.
   */
  redrawn_geometries: { count: number; first: InvalidGeometry[] };
  /** Shapes that cross or touch themselves and could not be repaired: kept unchanged. */
  invalid_geometries: { count: number; first: InvalidGeometry[] };
  /** Parcels whose recorded acres differ by more than 5 % from those of their shape. */
  acres_off: { count: number; first: AcresOff[] };
  /** Some parcels are a neighbor's; null: they are not, or there is no outline to tell. */
  other_county: OtherCounty | null;
  /** For each column of the dictionary, the number of the files' parcels with a value; 0: not published. */
  coverage: Record<string, number>;
  /** For each column that the mapping fills, up to three of the files' values. */
  examples: Record<string, (string | number)[]>;
  new: number;
  changed: number;
  retired: number;
  returned: number;
  unchanged: number;
  /**
   * Those whose only changed values follow from the date or from other parcels, like the months of
   * ownership.
   */
  recounted: number;
  /** Current parcels missing from the files but not retired: a refused feature may be theirs. */
  kept_for_refused: number;
  /** New parcels with the letters and digits of a retired one: a number in another spelling makes another parcel. */
  written_otherwise: number;
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
  | 'accounts'
  | 'joined_otherwise'
  | 'tables'
  | 'refused'
  | 'without_area'
  | 'other_rows'
  | 'rows_left'
  | 'value_problems'
  | 'blank_apns'
  | 'without_geometry'
  | 'misplaced'
  | 'repaired_geometries'
  | 'shape_notes'
  | 'redrawn_geometries'
  | 'invalid_geometries'
  | 'acres_off'
  | 'other_county'
  | 'coverage'
  | 'examples'
  | 'table_encoding'
>;

/** The counts, and the receiver of every problem. */
export interface ReadingLog extends ReadingCounts {
  readonly tell: ProblemSink;
}

export const newReadingLog = (tell: ProblemSink = () => {}): ReadingLog => ({
  tell,
  features_read: 0,
  joined: 0,
  table_rows: 0,
  table_rows_deleted: 0,
  table_rows_unmatched: { count: 0, first: [] },
  table_keys_repeated: 0,
  accounts: 0,
  joined_otherwise: 0,
  tables: [],
  refused: { count: 0, first: [] },
  without_area: 0,
  other_rows: null,
  rows_left: null,
  value_problems: { count: 0, by_column: {}, first: [] },
  blank_apns: 0,
  without_geometry: 0,
  misplaced: { zero: 0, swapped: 0, outside: 0, far: 0 },
  repaired_geometries: 0,
  shape_notes: {},
  redrawn_geometries: { count: 0, first: [] },
  invalid_geometries: { count: 0, first: [] },
  acres_off: { count: 0, first: [] },
  other_county: null,
  coverage: {},
  examples: {},
  table_encoding: null,
});

export function readingCountsOf(log: ReadingLog): ReadingCounts {
  const { tell: _tell, ...counts } = log;
  return counts;
}

export function countRefused(
  { refused, tell }: ReadingLog,
  file: string,
  { row, byteOffset }: FeaturePosition,
  reason: string,
): void {
  refused.count++;
  tell({ file, row, column: '', value: '', reason });
  if (refused.first.length < listed) refused.first.push({ file, row, byteOffset, reason });
}

export function countMisplaced(
  { misplaced, tell }: ReadingLog,
  at: { file: string; row: number },
  point: readonly number[],
  why: Misplaced,
): void {
  misplaced[why]++;
  tell({
    ...at,
    column: '',
    value: point.join(' '),
    reason: `${misplacedWords[why]}: kept without a place`,
  });
}

export function countCrossing(
  { redrawn_geometries: redrawn, invalid_geometries: invalid, tell }: ReadingLog,
  at: { file: string; row: number },
  apn: string | null,
  reason: string,
  isRedrawn: boolean,
): void {
  const list = isRedrawn ? redrawn : invalid;
  list.count++;
  tell({
    ...at,
    column: '',
    value: apn ?? '',
    reason: `${reason} It was ${isRedrawn ? 'repaired' : 'kept as it is'}.`,
  });
  if (list.first.length < listed) list.first.push({ ...at, apn, reason });
}

export function countValueProblem(
  { value_problems: problems, tell }: ReadingLog,
  at: { file: string; row: number },
  column: string,
  value: unknown,
  reason: string,
): void {
  problems.count++;
  problems.by_column[column] = (problems.by_column[column] ?? 0) + 1;
  // Cut before formatting: a value may have megabytes.
  const start = typeof value === 'string' ? value.slice(0, 500) : value;
  tell({ ...at, column, value: typeof start === 'string' ? start : shown(start), reason });
  if (problems.first.length >= listed) return;
  problems.first.push({ ...at, column, value: shown(start), reason });
}

/** Recorded acres are rounded, and surveyed while the map is drawn: smaller differences mean nothing. */
const acresTolerance = 0.05;

export function countAcres(
  { acres_off: off, tell }: ReadingLog,
  at: { file: string; row: number },
  apn: string | null,
  recorded: number,
  computed: number,
): void {
  if (Math.abs(recorded - computed) <= acresTolerance * recorded) return;
  off.count++;
  const reason = `the shape has ${computed} acres, more than 5 % off`;
  tell({ ...at, column: 'acres', value: String(recorded), reason });
  if (off.first.length < listed) off.first.push({ ...at, apn, recorded, computed });
}
