/** Delimited text, streamed: comma, semicolon, tab or bar; UTF-8 or Windows-1252. */
import { type Options, Parser } from 'csv-parse';
import { EngineError } from '../spec/errors.ts';
import { readChunks, readHead } from './byte-window.ts';
import type { TableFile, TableRow } from './table-file.ts';
import { fileIsUtf8, refuseUtf16 } from './text-encoding.ts';

/**
 * The parser inside csv-parse's stream, fed by hand: a Transform hands its errors and its end over in later ticks, but an
 * import may not wait. The version is pinned and a test would notice.
 */
interface SynchronousCore {
  parse(
    bytes: Buffer | undefined,
    isEnd: boolean,
    push: (record: string[]) => void,
    close: () => void,
  ): Error | undefined;
}

const delimiters = [',', ';', '\t', '|'] as const;
const headBytes = 64 * 1024;
/** A quote that is never closed would make one record of the rest of the file. */
const maxRecordBytes = 4 * 1024 * 1024;

const refusal = (filePath: string, problem: string, cause?: unknown) =>
  new EngineError('import_refused', `${filePath}: ${problem}.`, { cause });

/** The delimiter that occurs most in the headings, outside quotes. */
export function sniffDelimiter(head: string): string {
  const counts = new Map<string, number>(delimiters.map((delimiter) => [delimiter, 0]));
  let isQuoted = false;
  for (const character of head) {
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '\n' || character === '\r') break;
    else if (counts.has(character)) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  const [best] = [...counts].sort((a, b) => b[1] - a[1]);
  return best && best[1] > 0 ? best[0] : ',';
}

export function openCsvTable(filePath: string): TableFile {
  const head = readHead(filePath, headBytes);
  refuseUtf16(filePath, head);
  if (head.length === 0) throw refusal(filePath, 'expected a table with headings, found an empty file');
  // Below the tab nothing is text; a DBF table cut off within its header begins so.
  if (head.some((byte) => byte < 0x09))
    throw refusal(filePath, 'expected delimited text (CSV) or a DBF table, found binary data');
  const records = () => readRecords(filePath, sniffDelimiter(head.toString('latin1').replace('\xef\xbb\xbf', '')));
  const columns = readHeadings(filePath, records());
  return {
    path: filePath,
    format: 'csv',
    columns,
    date: null,
    rows: (wanted) => readRows(filePath, records(), columns.length, wanted),
  };
}

function readHeadings(filePath: string, records: Generator<string[]>): string[] {
  const { value: first } = records.next() as IteratorResult<string[], void>;
  records.return(undefined);
  const columns = (first ?? []).map((name) => name.trim());
  if (columns.every((name) => name === '')) throw refusal(filePath, 'expected headings in the first row, found none');
  const repeated = columns.find((name, index) => name !== '' && columns.indexOf(name) !== index);
  if (repeated !== undefined) throw refusal(filePath, `expected each heading once, found ${repeated} twice`);
  return columns;
}

function* readRows(
  filePath: string,
  records: Generator<string[]>,
  width: number,
  wanted: readonly number[],
): Generator<TableRow> {
  let row = 0;
  let isHeading = true;
  for (const record of records) {
    if (isHeading) {
      isHeading = false;
      continue;
    }
    row++;
    // A row that is too short or too long has its values under the wrong headings, or was cut off.
    if (record.length !== width) {
      throw refusal(filePath, `expected ${width} values as in the headings, found ${record.length} in row ${row}`);
    }
    yield { row, values: wanted.map((column) => record[column]?.trim() || null) };
  }
}

function* readRecords(filePath: string, delimiter: string): Generator<string[]> {
  const options: Options = {
    bom: true,
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: maxRecordBytes,
  };
  const core = (new Parser(options as never) as unknown as { api: SynchronousCore }).api;
  const windows1252 = fileIsUtf8(filePath) ? null : new TextDecoder('windows-1252');
  const records: string[][] = [];
  const feed = (bytes: Buffer | undefined) => {
    const error = core.parse(
      bytes,
      bytes === undefined,
      (record) => records.push(record),
      () => {},
    );
    if (error) throw refusal(filePath, `expected rows of delimited text, found a faulty one (${error.message})`, error);
  };
  for (const chunk of readChunks(filePath)) {
    // The parser keeps what is left of a chunk: it must not be the reader's own buffer, which is written again.
    feed(windows1252 ? Buffer.from(windows1252.decode(chunk)) : Buffer.from(chunk));
    yield* records.splice(0);
  }
  feed(undefined);
  yield* records;
}
