/** Where the headings of a table stand: below its title, the day it was printed, and headings over several columns. */
import { parseNumber } from '../../values/convert-value.ts';

type Cells = readonly (string | null | undefined)[];

/** Rows among which the headings are looked for. */
export const rowsBeforeHeadings = 20;

const isFilled = (cell: string | null | undefined): cell is string =>
  cell !== null && cell !== undefined && cell.trim() !== '';
const filledIn = (row: Cells): number => row.filter(isFilled).length;

/** How many columns the fullest of the rows has. */
export const fullest = (rows: readonly Cells[]): number => rows.reduce((most, row) => Math.max(most, filledIn(row)), 0);

const isWord = (cell: string | null | undefined): boolean => !isFilled(cell) || Number.isNaN(parseNumber(cell.trim()));

/**
 * Words in the first columns alone, which leave the others nameless. Taken for a title, they would cost the first parcel. A
 * title ends sooner than the table where it is not made as wide, and what stands behind `County:` is said, not named.
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
 * The first of all, where it names two columns and those after each other; else the first row that is as good as full, where
 * it holds words alone; else the first again: a table may have columns without a heading, and no row of its values is one.
 * @param rows the first of the table, blank ones left out, each with its empty cells. @returns a place among them
 */
export function findHeadings(rows: readonly Cells[]): number {
  const most = fullest(rows);
  const found = most < 2 ? 0 : rows.findIndex((row) => filledIn(row) >= Math.max(2, most / 2));
  const headings = rows[found] ?? [];
  if (namesFirstColumns(rows[0] ?? [], headings.length)) return 0;
  return headings.every(isWord) ? Math.max(found, 0) : 0;
}
