/** The checks of an import or dry run, with their counts and words: the same lines in the window and on the command line. */

import { counted, grouped } from './counted.ts';

interface Counted {
  readonly count: number;
}

/** The counts of a county's import report; the optional ones are missing in reports older than 0.1. */
interface CheckedReport {
  readonly fips: string;
  readonly table_rows: number;
  readonly joined: number;
  readonly table_rows_unmatched: Counted;
  readonly table_encoding: string | null;
  readonly table_keys_repeated: number;
  readonly joined_otherwise?: number;
  readonly tables?: readonly {
    readonly file: string;
    readonly rows: number;
    readonly joined: number;
    readonly unmatched: number;
    readonly repeated: number;
  }[];
  readonly accounts?: number;
  readonly stacked?: Counted & { readonly first: readonly { readonly apn: string; readonly lot: string }[] };
  readonly stacked_acres?: number;
  readonly refused: Counted;
  readonly without_area?: number;
  readonly other_rows?: { readonly rows: number; readonly files: number; readonly by: string } | null;
  readonly rows_left?: { readonly rows: number; readonly where: string } | null;
  readonly value_problems: Counted & { readonly by_column: Readonly<Record<string, number>> };
  readonly blank_apns: number;
  readonly apn_doubles: number;
  readonly without_geometry: number;
  readonly misplaced?: Readonly<Record<keyof typeof misplacedWords, number>>;
  readonly repaired_geometries: number;
  readonly shape_notes?: Readonly<Record<string, number>>;
  readonly redrawn_geometries: Counted;
  readonly invalid_geometries: Counted;
  readonly acres_off: Counted;
  readonly kept_for_refused: number;
  readonly written_otherwise?: number;
  readonly date: string;
  readonly duplicates?: number;
  readonly replaces_newer?: string | null;
  readonly other_county?: {
    readonly fips: string;
    readonly name: string;
    readonly there: number;
    readonly inside: number;
    readonly of: number;
  } | null;
}

/** Places that no parcel of the county has. */
export const misplacedWords = {
  zero: 'longitude and latitude are 0',
  swapped: 'longitude and latitude seem to be swapped',
  outside: 'the place is outside the United States',
  far: 'the place is far from the county',
};

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

/** The filled columns of an import's report; `examples` is missing in reports older than 0.2. */
export interface FilledReport {
  readonly features_read: number;
  readonly accounts?: number;
  readonly refused: Counted;
  readonly duplicates?: number;
  readonly coverage: Readonly<Record<string, number>>;
  readonly examples?: Readonly<Record<string, readonly (string | number)[]>>;
}

/**
 * Rounded down: what is not filled throughout is below 100 %. Reports older than 0.2 count a repeated row each time: of them
 * more is filled than there are parcels.
 */
export function fillPercent(filled: number, of: number): string {
  if (filled > of) return 'at most 100\u00a0%';
  const share = Math.floor((filled / Math.max(of, 1)) * 100);
  return filled > 0 && share === 0 ? '< 1\u00a0%' : `${share}\u00a0%`;
}

interface FillLine {
  readonly column: string;
  /** Parcels with a value. */
  readonly filled: number;
  readonly of: number;
  readonly samples: readonly (string | number)[];
}

/** For each column that the mapping fills, how many parcels have a value, and a few values. */
export function fillLines(reports: readonly FilledReport[]): FillLine[] {
  const columns = [...new Set(reports.flatMap(({ examples = {} }) => Object.keys(examples)))];
  const of = reports.reduce(
    (total, one) => total + one.features_read + (one.accounts ?? 0) - one.refused.count - (one.duplicates ?? 0),
    0,
  );
  return columns.map((column) => ({
    column,
    filled: reports.reduce((total, { coverage }) => total + (coverage[column] ?? 0), 0),
    of,
    samples: reports.flatMap(({ examples = {} }) => examples[column] ?? []).slice(0, 3),
  }));
}

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
    id: 'elsewhere',
    label: 'Rows of other counties',
    count: ({ other_rows: other = null }) => (other ? other.rows + other.files : 0),
    words: otherRowWords,
    isFine: true,
  },
  {
    id: 'by-condition',
    label: 'Rows that do not meet the condition',
    count: ({ rows_left: left = null }) => left?.rows ?? 0,
    words: (reports) => `left out: not ${reports.find(({ rows_left: left }) => left)?.rows_left?.where ?? ''}`,
    isFine: true,
  },
  {
    id: 'same',
    label: 'Rows that repeat an earlier one in everything',
    count: ({ duplicates = 0 }) => duplicates,
    words: 'each is one parcel',
    isFine: true,
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
    words: 'recognized by shape',
    isFine: true,
  },
  {
    id: 'shapeless',
    label: 'No shape',
    count: (report) => report.without_geometry,
    words: 'in the table, not on the map',
  },
  {
    id: 'misplaced',
    label: 'Coordinates that cannot be of a parcel',
    count: ({ misplaced = {} }) => Object.values(misplaced).reduce((all, count) => all + count, 0),
    words: misplacedCounts,
  },
  {
    id: 'accounts',
    label: 'Accounts of the table that no parcel of the file has',
    count: ({ accounts = 0 }) => accounts,
    words: 'kept, without a shape of their own',
    isFine: true,
  },
  {
    id: 'stacked',
    label: 'Parcels without a shape placed on their lot',
    count: ({ stacked }) => stacked?.count ?? 0,
    words: stackedWords,
  },
  {
    id: 'repaired',
    label: 'Shapes repaired',
    count: (report) => report.repaired_geometries,
    words: 'rings closed, or rings without an area left out',
    isFine: true,
  },
  {
    id: 'notes',
    label: 'Shapes read otherwise than drawn',
    count: ({ shape_notes = {} }) => Object.values(shape_notes).reduce((all, count) => all + count, 0),
    words: (reports) => {
      const notes = new Set(reports.flatMap(({ shape_notes = {} }) => Object.keys(shape_notes)));
      const countOf = (note: string) => sum(reports, ({ shape_notes = {} }) => shape_notes[note] ?? 0);
      return [...notes].map((note) => `${note} in ${grouped(countOf(note))}`).join(', ');
    },
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
  {
    id: 'older',
    label: 'Datasets that are loaded with newer data',
    count: ({ replaces_newer: newer = null }) => (newer === null ? 0 : 1),
    words: olderWords,
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

/** One line; of several tables one for each. */
function joinLines(first: CheckedReport | undefined, features: number): CheckLine[] {
  if (!first || first.table_rows === 0) return [];
  const { joined, table_rows: rows, table_rows_unmatched: unmatched, table_keys_repeated: repeated } = first;
  const whole = { file: '', rows, joined, unmatched: unmatched.count, repeated };
  const tables = (first.tables ?? []).length > 1 ? (first.tables ?? []) : [whole];
  return tables.map((table, index) => ({
    id: `joined${index === 0 ? '' : index + 1}`,
    label: `Joined to ${table.file || 'the table'}`,
    count: table.joined,
    words: [...joinWords(table), ...(index === 0 ? keyWords(first) : [])].join('; '),
    isWarning: table.joined < features || table.repeated > 0,
  }));
}

type Table = NonNullable<CheckedReport['tables']>[number];

const joinWords = ({ rows, unmatched, repeated }: Table): string[] => [
  `${counted(rows, 'row', 'rows')} in the table`,
  ...(unmatched > 0
    ? [
        `${counted(unmatched, 'row has no parcel and is', 'rows have no parcel and are')} left out; --accounts keeps such`,
      ]
    : []),
  ...(repeated > 0 ? [`${counted(repeated, 'row is', 'rows are')} not used: another of the same key counts`] : []),
];

const keyWords = ({ joined_otherwise: otherwise = 0, table_encoding: encoding }: CheckedReport): string[] => [
  ...(otherwise > 0 ? [`${grouped(otherwise)} by a key in another case or with other blanks`] : []),
  ...(encoding ? [`read as ${encoding}`] : []),
];

function otherRowWords(reports: readonly CheckedReport[]): string {
  return reports
    .flatMap(({ other_rows: other = null }) =>
      other
        ? [
            `left out${other.by === '' ? '' : `, told by ${other.by}`}${other.files > 0 ? `; ${grouped(other.files)} files of other counties are counted as one each` : ''}`,
          ]
        : [],
    )
    .slice(0, 1)
    .join('');
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

function stackedWords(reports: readonly CheckedReport[]): string {
  const acres = sum(reports, ({ stacked_acres: dropped = 0 }) => dropped);
  const pairs = reports.flatMap(({ stacked }) => stacked?.first ?? []);
  return [
    `${pairs
      .slice(0, 2)
      .map(({ apn, lot }) => `${apn} on ${lot}`)
      .join(', ')}${pairs.length > 2 ? ' …' : ''}`,
    ...(acres > 0 ? [`the acres of ${grouped(acres)} are left out: the lot has that ground`] : []),
  ].join('; ');
}

function olderWords(reports: readonly CheckedReport[]): string {
  const older = reports.filter(({ replaces_newer: newer = null }) => newer !== null);
  return older
    .slice(0, 2)
    .map(({ date, replaces_newer: newer }) => `of ${newer}; this is of ${date}`)
    .join('; ');
}

function misplacedCounts(reports: readonly CheckedReport[]): string {
  const reasons = Object.entries(misplacedWords).flatMap(([why, words]) => {
    const count = sum(reports, (one) => one.misplaced?.[why as keyof typeof misplacedWords] ?? 0);
    return count === 0 ? [] : [`${words} in ${grouped(count)}`];
  });
  return `kept without a place: ${reasons.join(', ')}`;
}

function valueWords(reports: readonly CheckedReport[]): string {
  const columns = new Set(reports.flatMap((one) => Object.keys(one.value_problems.by_column)));
  const names = [...columns].slice(0, 4).join(', ');
  return `unknown now; in ${names}${columns.size > 4 ? ' …' : ''}`;
}
