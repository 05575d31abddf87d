/** Delimited text, streamed: comma, semicolon, tab or bar; UTF-8, UTF-16 or Windows-1252. */
import { type Options, Parser } from 'csv-parse';
import { EngineError } from '../../../spec/errors.ts';
import { plainText } from '../../../spec/formula-cells.ts';
import { readHead } from '../bytes/byte-window.ts';
import { findTextEncoding, headText, type TextEncoding, utf8Chunks } from '../bytes/text-encoding.ts';
import { refuseColumns } from '../column-limit.ts';
import type { TableFile, TableRow } from '../table-file.ts';
import { findHeadings, rowsBeforeHeadings } from './heading-row.ts';

/**
 * The parser inside csv-parse's stream, fed by hand: a Transform delivers errors and its end in later ticks, but an
 * import may not wait. The version is pinned, and a test detects changes.
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
/** A quote that is never closed would turn the rest of the file into one record. */
const maxRecordBytes = 4 * 1024 * 1024;

const refusal = (filePath: string, problem: string, cause?: unknown) =>
  new EngineError('import_refused', `${filePath}: ${problem}.`, { cause });

/**
 * The most frequent delimiter in the headings, outside quotes.
 * @param line of the headings, from 1
 */
export function sniffDelimiter(text: string, line = 1): string {
  const head = text
    .split('\n')
    .slice(line - 1)
    .join('\n');
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

/** @param headerRow line of the headings, from 1; absent: it is found */
export function openCsvTable(filePath: string, headerRow?: number): TableFile {
  const head = headText(readHead(filePath, headBytes));
  if (head.length === 0) throw refusal(filePath, 'expected a table with headings, found an empty file');
  // Text has no bytes below the tab; a DBF table cut off within its header begins with one.
  if (head.some((byte) => byte < 0x09))
    throw refusal(filePath, 'expected delimited text (CSV) or a DBF table, found binary data');
  const form: TextForm = {
    ...delimiterOf(head.toString('latin1').replace('\xef\xbb\xbf', ''), headerRow),
    encoding: findTextEncoding(filePath),
    ...(headerRow !== undefined && { fromLine: headerRow }),
  };
  const { columns, above } = readHeadings(filePath, readRecords(filePath, form), headerRow);
  return {
    path: filePath,
    format: 'csv',
    columns,
    date: null,
    encoding: () => form.encoding.words,
    rows: (wanted) => readRows(filePath, readRecords(filePath, form), { width: columns.length, above }, wanted),
  };
}

interface TextForm {
  readonly delimiter: string;
  /** The first line names the delimiter (`sep=;`), a convention of Excel. */
  readonly hasDelimiterLine: boolean;
  readonly encoding: TextEncoding;
  /** Line of the headings, from 1; absent: they are found. */
  readonly fromLine?: number;
}

function delimiterOf(head: string, headerRow: number | undefined): Omit<TextForm, 'encoding'> {
  if (headerRow !== undefined) return { delimiter: sniffDelimiter(head, headerRow), hasDelimiterLine: false };
  const named = /^"?sep=([^\p{L}\p{N}"\s]|\t)"?[\r\n]/iu.exec(head)?.[1];
  if (named !== undefined) return { delimiter: named, hasDelimiterLine: true };
  return { delimiter: sniffDelimiter(head), hasDelimiterLine: false };
}

interface Headings {
  readonly columns: string[];
  /** Rows above the headings. */
  readonly above: number;
}

/** @param given line of the headings, with which the records begin */
function readHeadings(filePath: string, records: Generator<string[]>, given?: number): Headings {
  const rows: string[][] = [];
  for (let next = records.next(); !next.done && rows.length < rowsBeforeHeadings; next = records.next()) {
    rows.push(next.value);
  }
  records.return(undefined);
  const above = given === undefined ? findHeadings(rows) : 0;
  const columns = (rows[above] ?? []).map((name) => name.trim());
  refuseColumns(filePath, columns.length);
  if (columns.every((name) => name === ''))
    throw refusal(
      filePath,
      `expected headings in ${given === undefined ? 'the first row' : `row ${given}`}, found none`,
    );
  const repeated = columns.find((name, index) => name !== '' && columns.indexOf(name) !== index);
  if (repeated !== undefined)
    throw refusal(
      filePath,
      `expected each heading once, found ${repeated} twice: give one of both columns another name`,
    );
  return { columns, above };
}

function* readRows(
  filePath: string,
  records: Generator<string[]>,
  { width, above }: { readonly width: number; readonly above: number },
  wanted: readonly number[],
): Generator<TableRow> {
  let row = 0;
  let toSkip = above + 1;
  for (const record of records) {
    if (toSkip-- > 0) continue;
    row++;
    // A row of the wrong length was cut off, or has its values under the wrong headings.
    if (record.length !== width) {
      throw refusal(
        filePath,
        `expected ${width} values as in the headings, found ${record.length} in row ${row} below them. Put a text that holds the delimiter in quotes`,
      );
    }
    yield { row, values: wanted.map((column) => plainText(record[column]?.trim() ?? '') || null) };
  }
}

function* readRecords(filePath: string, form: TextForm): Generator<string[]> {
  const options: Options = {
    bom: true,
    delimiter: form.delimiter,
    from_line: form.fromLine ?? 1,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: maxRecordBytes,
  };
  const core = (new Parser(options as never) as unknown as { api: SynchronousCore }).api;
  const records: string[][] = [];
  let toSkip = form.hasDelimiterLine ? 1 : 0;
  const feed = (bytes: Buffer | undefined) => {
    const error = core.parse(
      bytes,
      bytes === undefined,
      (record) => {
        if (toSkip-- <= 0) records.push(record);
      },
      () => {},
    );
    if (error)
      throw refusal(filePath, `expected rows of delimited text, found an invalid one (${error.message})`, error);
  };
  for (const bytes of utf8Chunks(filePath, form.encoding)) {
    feed(bytes);
    yield* records.splice(0);
  }
  feed(undefined);
  yield* records;
}
