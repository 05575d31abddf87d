/** Rows of a table on a Letter page. */
import type { PdfPage } from '../exporting/pdf-page.ts';
import { inks } from './sheet-inks.ts';

export const letter = [612, 792] as const;
export const [margin, right] = [36, 576];
export const [rowStep, rowSize] = [15.4, 8];
/** Baseline of the last row that stands above the foot. */
export const lastRow = letter[1] - 56;
const leastSize = 5.6;

export interface Column {
  readonly head: string;
  readonly x: number;
  readonly room: number;
  readonly isNumber?: true;
}

/** One row; what is too long for its column is written smaller, then cut. @param y of the baseline */
export function drawRow<Name extends string>(
  page: PdfPage,
  y: number,
  columns: Readonly<Record<Name, Column>>,
  textOf: (name: Name) => string,
  isBold = false,
): void {
  for (const name of Object.keys(columns) as Name[]) {
    const { x, room, isNumber } = columns[name];
    const text = textOf(name);
    const size = Math.min(rowSize, Math.max(leastSize, (rowSize * room) / Math.max(1, page.width(text, rowSize))));
    const left = isNumber ? x + room - Math.min(room, page.width(text, size)) : x;
    page.text(left, y, size, text, { room: room + 0.1, isBold });
  }
}

/** The heads of the columns over a line. */
export function drawHeads<Name extends string>(
  page: PdfPage,
  y: number,
  columns: Readonly<Record<Name, Column>>,
): void {
  drawRow(page, y, columns, (name) => columns[name].head, true);
  page.line([[margin, y + 4.6, right, y + 4.6]], { stroke: inks.frame, width: 0.9 });
}

/** The fine line under a row. */
export const ruleOff = (page: PdfPage, y: number): void =>
  page.line([[margin, y + 4.6, right, y + 4.6]], { stroke: inks.lotLine, width: 0.3 });
