/** Output of the command line: JSON for programs, tables and sentences for people; progress only on a terminal. */

export interface Output {
  /** Lines of the answer, on standard output. */
  readonly print: (text: string) => void;
  /** Lines beside the answer, on standard error. */
  readonly note: (text: string) => void;
  /** A line that replaces itself, for work of more than a second; omitted if standard error is not a terminal. */
  readonly progress: (text: string) => void;
}

export const standardOutput: Output = {
  print: (text) => process.stdout.write(`${text}\n`),
  note: (text) => process.stderr.write(`${text}\n`),
  progress: (text) => {
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
  },
};

/** A fault of Platbook itself, with where it happened. */
export const faultText = ({
  requestId,
  operation,
  error,
}: Readonly<Record<'requestId' | 'operation', string> & { error: unknown }>): string =>
  `fault in ${operation} (request ${requestId}): ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;

const turning = /[\u202a-\u202e\u2066-\u2069]/;

/** A name with a sign that turns the direction of writing (U+202E) turns itself alone, not the rest of its line. */
const isolated = (text: string): string =>
  turning.test(text) ? `\u2068${text.replaceAll(/[\u2066-\u2069]/g, '')}\u2069` : text;

const cellText = (cell: unknown): string => (cell === null || cell === undefined ? '' : isolated(String(cell)));

/** Rows under their headings, columns aligned; numbers to the right. */
export function tableText(columns: readonly string[], rows: readonly Readonly<Record<string, unknown>>[]): string {
  const widths = columns.map((column) => Math.max(column.length, ...rows.map((row) => cellText(row[column]).length)));
  const line = (cells: readonly unknown[]) =>
    cells
      .map((cell, i) =>
        typeof cell === 'number' ? cellText(cell).padStart(widths[i] ?? 0) : cellText(cell).padEnd(widths[i] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return [line(columns), ...rows.map((row) => line(columns.map((column) => row[column])))].join('\n');
}

export const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

export { grouped } from '../spec/counted.ts';

/** Indented JSON with lists of numbers on one line: coordinates would otherwise fill the screen. */
export const readableJson = (value: unknown): string =>
  // Line breaks inside texts are escaped, so these brackets can only be those of lists.
  JSON.stringify(value, null, 2).replace(
    /\[\n\s+(-?[\d.eE+-]+(?:,\n\s+-?[\d.eE+-]+)*)\n\s+\]/g,
    (_list, numbers: string) => `[${numbers.replace(/\s+/g, ' ')}]`,
  );
