/** Finds the headings of a table: below its title, its print date, and headings that span several columns. */
import { parseNumber } from '../../values/convert-value.ts';

type Cells = readonly (string | null | undefined)[];

/** Rows searched for the headings. */
export const rowsBeforeHeadings = 20;

const isFilled = (cell: string | null | undefined): cell is string =>
  cell !== null && cell !== undefined && cell.trim() !== '';
const filledIn = (row: Cells): number => row.filter(isFilled).length;

/** The number of columns in the fullest row. */
export const fullest = (rows: readonly Cells[]): number => rows.reduce((most, row) => Math.max(most, filledIn(row)), 0);

const isWord = (cell: string | null | undefined): boolean => !isFilled(cell) || Number.isNaN(parseNumber(cell.trim()));

/**
 * Whether a row names only the first columns and leaves the others nameless. Taken for a title, it would cost the first
 * parcel. A title is shorter than the table unless it is padded to its width, and `County:` is followed by a value, not
 * a name.
 */
function namesFirstColumns(row: Cells, width: number): boolean {
  const filled = filledIn(row);
  return (
    filled >= 2 &&
    row.length >= width &&
    row.slice(0, filled).every(isFilled) &&
    row.every(isWord) &&
    row[0]?.trim().endsWith(':') === false
  );
}

/**
 * The first row, if it names two adjacent columns; else the first row that is nearly full and holds only words; else
 * the first row: a table may have columns without headings, and a row of values is not one.
 * @param rows the first of the table without blank rows, each with its empty cells. @returns an index among them
 */
export function findHeadings(rows: readonly Cells[]): number {
  const most = fullest(rows);
  const found = most < 2 ? 0 : rows.findIndex((row) => filledIn(row) >= Math.max(2, most / 2));
  const headings = rows[found] ?? [];
  if (namesFirstColumns(rows[0] ?? [], headings.length)) return 0;
  return headings.every(isWord) ? Math.max(found, 0) : 0;
}
