/**
 * Tables without geometry, to join to parcels: the interface of their readers, and the choice of the reader for a file.
 */
import { readHead } from './bytes/byte-window.ts';
import { openCsvTable } from './csv/csv-table-reader.ts';
import { isDbf, openDbfTable } from './shapefile/dbf-table-reader.ts';
import { openXlsxTable } from './xlsx/xlsx-table-reader.ts';
import { isZip } from './zip/zip-archive.ts';

export interface TableRow {
  /** Number of the row in its file, from 1, without headings. */
  readonly row: number;
  /** Text as in the file, without surrounding blanks; null if empty. */
  readonly values: readonly (string | null)[];
}

export interface TableFile {
  readonly path: string;
  readonly format: 'csv' | 'dbf' | 'xlsx';
  readonly columns: readonly string[];
  /** What of the file is not read, in words: other sheets of a workbook. */
  readonly leftOut?: string | null;
  /** ISO date of the data, as given in the file. */
  readonly date: string | null;
  /** The encoding in words, or the sheet of several, where a table reports it. Call it after reading the rows. */
  readonly encoding?: () => string;
  /**
   * Reads only these columns of the rows (by position), in this order.
   * @param onDeleted called for every deleted row, which is skipped
   */
  rows(columns: readonly number[], onDeleted?: () => void): Iterable<TableRow>;
}

/**
 * Opens a table; its content decides the format.
 * @param headerRow of a CSV or XLSX table, from 1; absent: it is found
 */
export function openTableFile(filePath: string, { headerRow }: { readonly headerRow?: number } = {}): TableFile {
  const head = readHead(filePath, 32);
  if (isDbf(head)) return openDbfTable(filePath);
  return isZip(head) ? openXlsxTable(filePath, headerRow) : openCsvTable(filePath, headerRow);
}

/** What of a list is not read, in words; null: nothing. Only workbooks have more than one table. */
export const leftOutOf = (filePath: string): string | null =>
  isZip(readHead(filePath, 32)) ? (openXlsxTable(filePath).leftOut ?? null) : null;
