/** The report of a dry run or an import, of one county or of many, in the numbers and lines of the screen. */
import type { ImportPlanReport, ImportReport, StatewideReport } from '../../engine/work/import-answers.ts';
import { formatNumber, plural } from '../parts/format.ts';

export interface PlanNumbers {
  readonly counties: readonly ImportReport[];
  readonly features: number;
  readonly refused: number;
  /** Parcels that the county would have from the files. */
  readonly parcels: number;
  readonly counts: {
    readonly new: number;
    readonly changed: number;
    readonly unchanged: number;
    /** Of those: written, as their months of ownership are others now. */
    readonly recounted: number;
    readonly retired: number;
  };
}

const isStatewide = (report: object): report is StatewideReport => 'counties' in report;

const sum = (reports: readonly ImportReport[], of: (report: ImportReport) => number): number =>
  reports.reduce((total, report) => total + of(report), 0);

export function numbersOf(report: ImportReport | StatewideReport): PlanNumbers {
  const counties = isStatewide(report) ? report.counties : [report];
  const unplaced = isStatewide(report) ? report.unplaced.count : 0;
  const counts = {
    new: sum(counties, (one) => one.new),
    changed: sum(counties, (one) => one.changed + one.returned),
    unchanged: sum(counties, (one) => one.unchanged),
    // Reports of before do not have it.
    recounted: sum(counties, (one) => one.recounted ?? 0),
    retired: sum(counties, (one) => one.retired),
  };
  return {
    counties,
    counts,
    features: report.features_read,
    refused: unplaced + sum(counties, (one) => one.refused.count),
    parcels: counts.new + counts.changed + counts.unchanged,
  };
}

export interface CheckLine {
  readonly id: string;
  readonly label: string;
  readonly count: number;
  readonly words: string;
  /** What is to be looked at; else it is as it should be. */
  readonly isWarning: boolean;
}

/** One line for each kind of thing that a dry run looks at. */
export function checkLines({ counties, features }: PlanNumbers): CheckLine[] {
  const count = (of: (report: ImportReport) => number) => sum(counties, of);
  const values = count((one) => one.value_problems.count);
  const rings = count((one) => one.redrawn_geometries.count + one.invalid_geometries.count);
  const invalid = count((one) => one.invalid_geometries.count);
  const lines: (CheckLine | null)[] = [
    { id: 'rows', label: 'Rows read', count: features, words: 'all of the file', isWarning: false },
    joinLine(counties[0], features),
    line(
      'refused',
      'Refused',
      count((one) => one.refused.count),
      'left out; each with its reason below',
    ),
    line(
      'doubles',
      'APNs that several parcels have',
      count((one) => one.apn_doubles),
      'told apart by their shapes',
      false,
    ),
    line(
      'blank',
      'Blank APN',
      count((one) => one.blank_apns),
      'known by their shape',
      false,
    ),
    line(
      'shapeless',
      'No shape',
      count((one) => one.without_geometry),
      'in the table, not on the map',
    ),
    line(
      'rings',
      'Broken rings',
      rings,
      `${formatNumber(rings - invalid)} drawn anew, ${formatNumber(invalid)} kept as they are`,
    ),
    line(
      'acres',
      'Recorded and mapped acres over 5\u00a0% apart',
      count((one) => one.acres_off.count),
      'kept and marked',
    ),
    line('values', 'Values that could not be read', values, valueWords(counties)),
    line(
      'kept',
      'Standing parcels kept though the file lacks them',
      count((one) => one.kept_for_refused),
      'a refused row may be theirs',
    ),
    ...doubtLines(counties),
  ];
  return lines.filter((one) => one !== null);
}

/** Of what the files may not be meant to be. Reports of before have neither. */
const doubtLines = (counties: readonly ImportReport[]): CheckLine[] => [
  line(
    'rewritten',
    'New with the number of a retired one, written otherwise',
    sum(counties, (one) => one.written_otherwise ?? 0),
    'notes and lists stay with the retired; with the APN mapped as before they are one',
  ),
  line(
    'other',
    'Of the parcels looked at, in another county',
    sum(counties, (one) => one.other_county?.there ?? 0),
    otherWords(counties),
  ),
];

const joinLine = (first: ImportReport | undefined, features: number): CheckLine | null =>
  first && first.table_rows > 0
    ? {
        ...{ id: 'joined', label: 'Joined to the table', count: first.joined },
        words: joinWords(first),
        isWarning: first.joined < features,
      }
    : null;

const line = (id: string, label: string, count: number, words: string, isWarning = true): CheckLine => ({
  ...{ id, label, count },
  words: count === 0 ? '' : words,
  isWarning: isWarning && count > 0,
});

function joinWords({
  table_rows: rows,
  table_rows_unmatched: unmatched,
  table_encoding: encoding,
}: ImportReport): string {
  const rest = unmatched.count > 0 ? `; ${plural(unmatched.count, 'row', 'rows')} of it without a parcel` : '';
  return `${formatNumber(rows)} rows in the table${rest}${encoding ? `; read as ${encoding}` : ''}`;
}

function otherWords(counties: readonly ImportReport[]): string {
  const words = counties.flatMap(({ fips, other_county: other }) =>
    other ? [`in ${other.name} (${other.fips}), and ${formatNumber(other.inside)} in ${fips}`] : [],
  );
  return `${words.slice(0, 2).join('; ')}: is the code right?`;
}

function valueWords(counties: readonly ImportReport[]): string {
  const columns = new Set(counties.flatMap((one) => Object.keys(one.value_problems.by_column)));
  const names = [...columns].slice(0, 4).join(', ');
  return `become unknown; in ${names}${columns.size > 4 ? ' …' : ''}`;
}

export interface ProblemRow {
  readonly file: string;
  readonly row: number;
  readonly column: string;
  readonly value: string;
  readonly reason: string;
}

/** The first problems of each kind, as the lines above count them. */
export function problemRows({ counties }: PlanNumbers, kind: string | null): ProblemRow[] {
  const all: Readonly<Record<string, (report: ImportReport) => ProblemRow[]>> = {
    refused: (one) => one.refused.first.map(({ file, row, reason }) => ({ file, row, column: '', value: '', reason })),
    rings: (one) =>
      [...one.invalid_geometries.first, ...one.redrawn_geometries.first].map(({ file, row, apn, reason }) => ({
        ...{ file, row, reason },
        column: 'shape',
        value: apn ?? '',
      })),
    acres: (one) =>
      one.acres_off.first.map(({ file, row, recorded, computed }) => ({
        ...{ file, row },
        column: 'acres',
        value: formatNumber(recorded),
        reason: `the shape has ${formatNumber(computed)} acres`,
      })),
    values: (one) => one.value_problems.first.map((problem) => ({ ...problem })),
  };
  const kinds = kind === null ? ['refused', 'values', 'rings', 'acres'] : [kind];
  return kinds.flatMap((name) => counties.flatMap((one) => all[name]?.(one) ?? []));
}

export const hasRows = (id: string): boolean => ['refused', 'rings', 'acres', 'values'].includes(id);

export const spaceOf = (report: object): ImportPlanReport['space'] | null =>
  'space' in report ? (report as ImportPlanReport).space : null;

export const standingOf = (report: object): number =>
  'standing' in report ? (report as ImportPlanReport).standing : 0;
