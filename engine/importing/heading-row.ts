/** Where the headings of a table stand: below its title, the day it was printed, and headings over several columns. */
import { parseNumber } from './convert-value.ts';

type Cells = readonly (string | null | undefined)[];

/** Rows among which the headings are looked for. */
export const rowsBeforeHeadings = 20;

const isFilled = (cell: string | null | undefined): cell is string =>
  cell !== null && cell !== undefined && cell.trim() !== '';
const filledIn = (row: Cells): number => row.filter(isFilled).length;

/** How many columns the fullest of the rows has. */
export const fullest = (rows: readonly Cells[]): number => rows.reduce((most, row) => Math.max(most, filledIn(row)), 0);

/**
 * The first row that is as good as full, where it holds words alone; else the first of all: a table may have columns without
 * a heading, and no row of its values is one.
 * @param rows the first of the table, blank ones left out. @returns a place among them
 */
export function findHeadings(rows: readonly Cells[]): number {
  const most = fullest(rows);
  const found = most < 2 ? 0 : rows.findIndex((row) => filledIn(row) >= Math.max(2, most / 2));
  const isWords = (rows[found] ?? []).every((cell) => !isFilled(cell) || Number.isNaN(parseNumber(cell.trim())));
  return isWords ? Math.max(found, 0) : 0;
}
