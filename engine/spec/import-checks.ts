/** The checks of an import or dry run, with their counts and words: the same lines in the window and on the command line. */

interface Counted {
  readonly count: number;
}

/** The counts of a county's import report; the optional ones are missing in reports older than 0.1. */
export interface CheckedReport {
  readonly fips: string;
  readonly table_rows: number;
  readonly joined: number;
  readonly table_rows_unmatched: Counted;
  readonly table_encoding: string | null;
  readonly refused: Counted;
  readonly without_area?: number;
  readonly value_problems: Counted & { readonly by_column: Readonly<Record<string, number>> };
  readonly blank_apns: number;
  readonly apn_doubles: number;
  readonly without_geometry: number;
  readonly repaired_geometries: number;
  readonly redrawn_geometries: Counted;
  readonly invalid_geometries: Counted;
  readonly acres_off: Counted;
  readonly kept_for_refused: number;
  readonly written_otherwise?: number;
  readonly other_county?: {
    readonly fips: string;
    readonly name: string;
    readonly there: number;
    readonly inside: number;
    readonly of: number;
  } | null;
}

export interface CheckLine {
  readonly id: string;
  readonly label: string;
  readonly count: number;
  /** What follows from it; empty for a count of 0. */
  readonly words: string;
  /** Whether the user should look at it. */
  readonly isWarning: boolean;
}

interface Check {
  readonly id: string;
  readonly label: string;
  readonly count: (report: CheckedReport) => number;
  readonly words: string | ((reports: readonly CheckedReport[]) => string);
  /** Any value of the count is normal. */
  readonly isFine?: true;
}

const grouped = (count: number): string => count.toLocaleString('en-US');

const sum = (reports: readonly CheckedReport[], count: (report: CheckedReport) => number): number =>
  reports.reduce((total, report) => total + count(report), 0);

const checks: readonly Check[] = [
  {
    id: 'refused',
    label: 'Refused',
    count: ({ refused }) => refused.count,
    words: 'left out; each with its reason below',
  },
  {
    id: 'left-out',
    label: 'Open lines, points, texts and blocks of the drawing',
    count: ({ without_area = 0 }) => without_area,
    words: 'left out: they enclose nothing',
  },
  {
    id: 'doubles',
    label: 'APNs that several parcels have',
    count: (report) => report.apn_doubles,
    words: 'told apart by their shapes',
    isFine: true,
  },
  {
    id: 'blank',
    label: 'Blank APN',
    count: (report) => report.blank_apns,
    words: 'known by their shape',
    isFine: true,
  },
  {
    id: 'shapeless',
    label: 'No shape',
    count: (report) => report.without_geometry,
    words: 'in the table, not on the map',
  },
  {
    id: 'repaired',
    label: 'Shapes repaired',
    count: (report) => report.repaired_geometries,
    words: 'rings closed, or rings without an area left out',
    isFine: true,
  },
  {
    id: 'rings',
    label: 'Boundaries that cross themselves',
    count: (report) => report.redrawn_geometries.count + report.invalid_geometries.count,
    words: (reports) =>
      `${grouped(sum(reports, (one) => one.redrawn_geometries.count))} repaired, ${grouped(sum(reports, (one) => one.invalid_geometries.count))} kept as they are`,
  },
  {
    id: 'acres',
    label: 'Recorded and mapped acres over 5\u00a0% apart',
    count: ({ acres_off }) => acres_off.count,
    words: 'kept and marked',
  },
  {
    id: 'values',
    label: 'Values that could not be read',
    count: ({ value_problems }) => value_problems.count,
    words: valueWords,
  },
  {
    id: 'kept',
    label: 'Standing parcels kept though the file lacks them',
    count: (report) => report.kept_for_refused,
    words: 'a refused row may be theirs',
  },
  {
    id: 'rewritten',
    label: 'New parcels whose APN is a retired one written differently',
    count: (report) => report.written_otherwise ?? 0,
    words: 'notes and lists stay with the retired parcel; map the APN as before to keep them together',
  },
  {
    id: 'other',
    label: 'Checked parcels that lie in another county',
    count: ({ other_county }) => other_county?.there ?? 0,
    words: otherWords,
  },
];

/** One line per check. @param features rows read from the files */
export function checkLines(reports: readonly CheckedReport[], features: number): CheckLine[] {
  const lines = checks.map(({ id, label, count, words, isFine = false }) => {
    const total = sum(reports, count);
    return {
      ...{ id, label },
      count: total,
      words: total === 0 ? '' : typeof words === 'string' ? words : words(reports),
      isWarning: total > 0 && !isFine,
    };
  });
  const rows = { id: 'rows', label: 'Rows read', count: features, words: 'the whole file', isWarning: false };
  return [rows, ...joinLines(reports[0], features), ...lines];
}

const joinLines = (first: CheckedReport | undefined, features: number): CheckLine[] =>
  first && first.table_rows > 0
    ? [
        {
          ...{ id: 'joined', label: 'Joined to the table', count: first.joined },
          words: joinWords(first),
          isWarning: first.joined < features,
        },
      ]
    : [];

function joinWords({
  table_rows: rows,
  table_rows_unmatched: { count },
  table_encoding: encoding,
}: CheckedReport): string {
  const rest = count > 0 ? `; ${grouped(count)} ${count === 1 ? 'row has' : 'rows have'} no parcel` : '';
  return `${grouped(rows)} rows in the table${rest}${encoding ? `; read as ${encoding}` : ''}`;
}

function otherWords(reports: readonly CheckedReport[]): string {
  const words = reports.flatMap(({ fips, other_county: other }) =>
    other
      ? [
          `${grouped(other.there)} of ${grouped(other.of)} in ${other.name} (${other.fips}), ${grouped(other.inside)} in ${fips}`,
        ]
      : [],
  );
  return `${words.slice(0, 2).join('; ')}: is the county code right?`;
}

function valueWords(reports: readonly CheckedReport[]): string {
  const columns = new Set(reports.flatMap((one) => Object.keys(one.value_problems.by_column)));
  const names = [...columns].slice(0, 4).join(', ');
  return `unknown now; in ${names}${columns.size > 4 ? ' …' : ''}`;
}
