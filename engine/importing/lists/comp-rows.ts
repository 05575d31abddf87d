/**
 * Rows of listing and sales files in any format: GeoJSON, delimited text, DBF, XLSX, saved answers of the hosted
 * service.
 */
import fs from 'node:fs';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { pointOnSurface } from '../../geo/point-on-surface.ts';
import { readFeatureGeometry } from '../../geo/ring-geometry.ts';
import { EngineError } from '../../spec/errors.ts';
import { readHead } from '../formats/bytes/byte-window.ts';
import { fileIsUtf8, refuseUtf16 } from '../formats/bytes/text-encoding.ts';
import { sniffDelimiter } from '../formats/csv/csv-table-reader.ts';
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
 * @throws EngineError import_refused, file_missing
 */
export function readCompFile(filePath: string, visit: Visit): void {
  const file = path.basename(filePath);
  const head = readHead(filePath, headBytes);
  const start = head.toString('latin1').replace('\xef\xbb\xbf', '').trimStart();
  if (isDbf(head) || isZip(head)) readTable(filePath, file, visit);
  else if (start.startsWith('[')) readAnswers(filePath, file, visit);
  // GeoJSON text sequences begin with a record separator
  else if (start.startsWith('{') || start.startsWith('\x1e')) {
    if (detectFormat(filePath) === 'service-answers') readAnswers(filePath, file, visit);
    else readFeatures(filePath, file, visit);
  } else readCsv(filePath, file, head, visit);
}

/** The service's comps have their coordinates in separate columns. */
function readAnswers(filePath: string, file: string, visit: Visit): void {
  for (const { record, row } of readServiceRecords(filePath)) {
    const { id } = record;
    visit({ file, row, properties: record, id: typeof id === 'string' ? id : undefined, point: null });
  }
}

function readTable(filePath: string, file: string, visit: Visit): void {
  const table = openTableFile(filePath);
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

/**
 * Downloads of listing sites contain lines that are not records, such as a disclaimer in the first cell. A row whose
 * length differs from the headings is passed on as a misfit instead of refusing the whole file.
 */
function readCsv(filePath: string, file: string, head: Buffer, visit: Visit): void {
  refuseUtf16(filePath, head);
  const { size } = fs.statSync(filePath);
  if (size === 0 || head.some((byte) => byte < 0x09)) {
    throw new EngineError(
      'import_refused',
      `${filePath}: expected a CSV or DBF table or GeoJSON, found ${size === 0 ? 'an empty file' : 'binary data'}.`,
    );
  }
  if (size > maxCsvBytes) throw new EngineError('import_refused', `${filePath}: expected at most 256 MB of CSV.`);
  let names: readonly string[] | null = null;
  let row = 0;
  parseCsv(filePath, (record) => {
    if (names) {
      row++;
      visit({ file, row, properties: propertiesOf(names, record), point: null });
      return;
    }
    names = record.map((name) => name.trim());
    if (names.some((name) => name !== '')) return;
    throw new EngineError('import_refused', `${filePath}: expected headings in the first row, found none.`);
  });
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
function parseCsv(filePath: string, visit: (record: string[]) => void): void {
  const decoder = new TextDecoder(fileIsUtf8(filePath) ? 'utf-8' : 'windows-1252');
  const text = decoder.decode(fs.readFileSync(filePath));
  try {
    parse(text, {
      bom: true,
      delimiter: sniffDelimiter(text.slice(0, headBytes)),
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
