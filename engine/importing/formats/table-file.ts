/** Tables without geometry, to be joined to parcels: what every reader of them gives, and which reader fits a file. */
import { readHead } from './bytes/byte-window.ts';
import { openCsvTable } from './csv/csv-table-reader.ts';
import { isDbf, openDbfTable } from './shapefile/dbf-table-reader.ts';
import { openXlsxTable } from './xlsx/xlsx-table-reader.ts';
import { isZip } from './zip/zip-archive.ts';

export interface TableRow {
  /** Number of the row in its file, from 1, headings not counted. */
  readonly row: number;
  /** Text as the file holds it, without blanks at the ends; null where it holds nothing. */
  readonly values: readonly (string | null)[];
}

export interface TableFile {
  readonly path: string;
  readonly format: 'csv' | 'dbf' | 'xlsx';
  readonly columns: readonly string[];
  /** ISO date that the file itself says it is of. */
  readonly date: string | null;
  /** What its bytes are read as, in words; where a table has to say it. Asked after its rows were read. */
  readonly encoding?: () => string;
  /**
   * Rows of which only these columns (by position) are read, in this order.
   * @param onDeleted called for every row that is marked as deleted, and skipped
   */
  rows(columns: readonly number[], onDeleted?: () => void): Iterable<TableRow>;
}

/** Opens a table; the format is found from what the file holds. */
export function openTableFile(filePath: string): TableFile {
  const head = readHead(filePath, 32);
  if (isDbf(head)) return openDbfTable(filePath);
  return isZip(head) ? openXlsxTable(filePath) : openCsvTable(filePath);
}
