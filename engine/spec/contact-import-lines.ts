/** What an import of contacts counted, in words: the same lines in the window and on the command line. */

interface Problems {
  readonly count: number;
  readonly by_reason: Readonly<Record<string, number>>;
}

/** The counts of a report that have a line. */
export interface CountedContacts {
  readonly new: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly phones_kept: number;
  readonly phones_refused: Problems;
  readonly values_unread: Problems;
  readonly rows_refused: Problems;
  readonly persons_opted_out: number;
  readonly phones_opted_out: number;
}

interface CountLine {
  readonly count: number;
  readonly words: string;
  /** Each reason with its count, if there are any. */
  readonly reasons: readonly (readonly [reason: string, count: number])[];
}

type Count = (report: CountedContacts) => number | Problems;

const lines: readonly (readonly [count: Count, one: string, many: string])[] = [
  [(report) => report.new, 'new person', 'new persons'],
  [(report) => report.changed, 'person changed', 'persons changed'],
  [(report) => report.unchanged, 'person unchanged', 'persons unchanged'],
  [(report) => report.phones_kept, 'phone of them', 'phones of them'],
  [(report) => report.phones_refused, 'invalid telephone number is left out', 'invalid telephone numbers are left out'],
  [
    (report) => report.values_unread,
    'flag or type in unknown words is kept as unknown',
    'flags and types in unknown words are kept as unknown',
  ],
  [(report) => report.rows_refused, 'row is left out', 'rows are left out'],
  [
    (report) => report.persons_opted_out,
    'person is left out: on the opt-out list',
    'persons are left out: they are on the opt-out list',
  ],
  [
    (report) => report.phones_opted_out,
    'number of another person is left out: it is on the opt-out list',
    'numbers of others are left out: they are on the opt-out list',
  ],
];

/** Counts of 0 have no line. */
export const contactImportLines = (report: CountedContacts): CountLine[] =>
  lines
    .map(([of, one, many]) => {
      const found = of(report);
      const { count, by_reason: by = {} } = typeof found === 'number' ? { count: found } : found;
      return { count, words: count === 1 ? one : many, reasons: Object.entries(by).sort((a, b) => b[1] - a[1]) };
    })
    .filter(({ count }) => count > 0);
