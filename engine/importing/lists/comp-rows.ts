/**
 * Rows of listing and sales files in any format: GeoJSON, delimited text, DBF, XLSX, saved answers of the hosted
 * service.
 */
import { isUtf8 } from 'node:buffer';
import fs from 'node:fs';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { pointOnSurface } from '../../geo/point-on-surface.ts';
import { readFeatureGeometry } from '../../geo/ring-geometry.ts';
import { defined } from '../../spec/defined.ts';
import { EngineError } from '../../spec/errors.ts';
import { readHead } from '../formats/bytes/byte-window.ts';
import { headText, utf16Of } from '../formats/bytes/text-encoding.ts';
import { sniffDelimiter } from '../formats/csv/csv-table-reader.ts';
import { findHeadings, rowsBeforeHeadings } from '../formats/csv/heading-row.ts';
import { detectFormat } from '../formats/detect-format.ts';
import { readParcelFile } from '../formats/parcel-reader.ts';
import { readServiceRecords } from '../formats/service/service-answers-reader.ts';
import { isDbf } from '../formats/shapefile/dbf-table-reader.ts';
import { openTableFile } from '../formats/table-file.ts';
import { isZip } from '../formats/zip/zip-archive.ts';

export interface CompFileRow {
  /** Name of the file, and the number of the row in it, from 1. */
  readonly file: string;
  readonly row: number;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly id?: string | number | undefined;
  /** Longitude, latitude; null without a geometry. */
  readonly point: readonly [number, number] | null;
}

type Visit = (row: CompFileRow) => void;

const headBytes = 64 * 1024;
/** Listings come in thousands, not millions: a larger file holds something else. */
const maxCsvBytes = 256 * 1024 * 1024;

/**
 * Calls `visit` with every row.
 * @param headerRow row of the headings in a table, from 1; absent: it is found, or the first of a CSV
 * @throws EngineError import_refused, file_missing
 */
export function readCompFile(filePath: string, visit: Visit, headerRow?: number): void {
  const file = path.basename(filePath);
  const head = readHead(filePath, headBytes);
  const start = head.toString('latin1').replace('\xef\xbb\xbf', '').trimStart();
  if (isDbf(head) || isZip(head)) readTable(filePath, file, visit, headerRow);
  else if (start.startsWith('[')) readAnswers(filePath, file, visit);
  // GeoJSON text sequences begin with a record separator
  else if (start.startsWith('{') || start.startsWith('\x1e')) {
    if (detectFormat(filePath) === 'service-answers') readAnswers(filePath, file, visit);
    else readFeatures(filePath, file, visit);
  } else readCsv({ filePath, file, head, headerRow }, visit);
}

/** The service's comps have their coordinates in separate columns. */
function readAnswers(filePath: string, file: string, visit: Visit): void {
  for (const { record, row } of readServiceRecords(filePath)) {
    const { id } = record;
    visit({ file, row, properties: record, id: typeof id === 'string' ? id : undefined, point: null });
  }
}

function readTable(filePath: string, file: string, visit: Visit, headerRow: number | undefined): void {
  const table = openTableFile(filePath, defined({ headerRow }));
  for (const { row, values } of table.rows(table.columns.map((_, index) => index))) {
    visit({
      file,
      row,
      properties: Object.fromEntries(table.columns.map((name, i) => [name, values[i]])),
      point: null,
    });
  }
}

function readFeatures(filePath: string, file: string, visit: Visit): void {
  for (const { geometry, properties, id, position } of readParcelFile(filePath)) {
    visit({ file, row: position.row, properties, id, point: pointOfGeometry(geometry) });
  }
}

/** The point, or the interior point of a lot's polygon; null if unreadable. */
export function pointOfGeometry(geometry: unknown): readonly [number, number] | null {
  const result = readFeatureGeometry(geometry);
  if (!result.ok) return null;
  return result.polygons ? pointOnSurface(result.polygons) : result.point;
}

interface CsvFile {
  readonly filePath: string;
  readonly file: string;
  readonly head: Buffer;
  readonly headerRow: number | undefined;
}

/**
 * Downloads of listing sites contain lines that are not records, such as a disclaimer in the first cell. A row whose
 * length differs from the headings is passed on as a misfit instead of refusing the whole file.
 */
function readCsv({ filePath, file, head, headerRow }: CsvFile, visit: Visit): void {
  const { size } = fs.statSync(filePath);
  if (size === 0 || headText(head).some((byte) => byte < 0x09)) {
    throw new EngineError(
      'import_refused',
      `${filePath}: expected a CSV or DBF table or GeoJSON, found ${size === 0 ? 'an empty file' : 'binary data'}.`,
    );
  }
  if (size > maxCsvBytes) throw new EngineError('import_refused', `${filePath}: expected at most 256 MB of CSV.`);
  /** Held back until the headings are found among them. */
  let first: string[][] | null = [];
  let names: readonly string[] = [];
  let row = 0;
  const take = (record: readonly string[]) => {
    row++;
    visit({ file, row, properties: propertiesOf(names, record), point: null });
  };
  const begin = (rows: readonly string[][]) => {
    const at = headerRow === undefined ? findHeadings(rows) : 0;
    names = (rows[at] ?? []).map((name) => name.trim());
    if (rows.length > 0 && names.every((name) => name === '')) {
      const where = headerRow === undefined ? `the first ${rowsBeforeHeadings} rows` : `row ${headerRow}`;
      throw new EngineError('import_refused', `${filePath}: expected headings in ${where}, found none.`);
    }
    first = null;
    for (const record of rows.slice(at + 1)) take(record);
  };
  parseCsv(filePath, headerRow ?? 1, (record) => {
    if (first === null) take(record);
    else if (first.push(record) === rowsBeforeHeadings) begin(first);
  });
  if (first !== null) begin(first);
}

/** The name under which a misfit row holds its problem; no column of a file can have it. */
export const misfitRow = '\u0000misfit';

/** An unquoted sentence with a comma fills two cells. */
const noteCells = 2;

function propertiesOf(names: readonly string[], record: readonly string[]): Record<string, unknown> {
  if (record.length === names.length) {
    return Object.fromEntries(names.map((name, index) => [name, record[index]?.trim() || null]));
  }
  const filled = record.filter((value) => value.trim() !== '').length;
  if (filled <= noteCells && names.length > 2 * noteCells) return Object.fromEntries(names.map((name) => [name, null]));
  return { [misfitRow]: `expected ${names.length} values as in the headings, found ${record.length}` };
}

/** Record by record, so that only the text of the file is in memory as a whole. */
function parseCsv(filePath: string, fromLine: number, visit: (record: string[]) => void): void {
  const bytes = fs.readFileSync(filePath);
  const decoder = new TextDecoder(utf16Of(bytes) ?? (isUtf8(bytes) ? 'utf-8' : 'windows-1252'));
  const text = decoder.decode(bytes);
  try {
    parse(text, {
      bom: true,
      delimiter: sniffDelimiter(text.slice(0, headBytes), fromLine),
      from_line: fromLine,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: 4 * 1024 * 1024,
      on_record: (record: string[]) => {
        visit(record);
        return null;
      },
    });
  } catch (error) {
    if (error instanceof EngineError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new EngineError(
      'import_refused',
      `${filePath}: expected rows of delimited text, found an invalid one (${why}).`,
      { cause: error },
    );
  }
}
