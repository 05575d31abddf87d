/**
 * XLSX workbooks as tables, row by row. (The package read-excel-file takes 850 MB for 100,000 rows of 40 columns.) Each
 * reading unpacks the workbook and removes it again, so a table may be opened and never read.
 */
import { counted } from '../../../spec/counted.ts';
import { EngineError } from '../../../spec/errors.ts';
import { findHeadings, fullest, rowsBeforeHeadings } from '../csv/heading-row.ts';
import type { TableFile, TableRow } from '../table-file.ts';
import { decodeXmlText, withoutSections, XmlScanner } from '../xml/xml-scanner.ts';
import { openWorkbook, textOfRuns, unescaped, type Workbook } from './xlsx-parts.ts';
import { plainForm, showNumber } from './xlsx-values.ts';

/** Excel's own limit (column XFD). */
const maxColumns = 16_384;

interface SheetRow {
  /** The sheet's own row number, from 1. */
  readonly number: number;
  readonly cells: (string | null)[];
  readonly isBlank: boolean;
}

/**
 * The first visible sheet that holds a table, else any.
 * @param headerRow row of the headings in the sheet, from 1; absent: it is found
 */
export function openXlsxTable(filePath: string, headerRow?: number): TableFile {
  const { columns, headings, leftOut, sheet } = withSheet(filePath, ({ workbook, path, rows }) => {
    const { columns, number } = readHeadings(filePath, rows, headerRow);
    const sheet = workbook.sheets.find((one) => one.path === path)?.name ?? '';
    return { columns, headings: number, leftOut: otherSheets(workbook, path), sheet };
  });
  return {
    path: filePath,
    leftOut,
    ...(leftOut !== null && { encoding: () => `sheet ${sheet}, without ${leftOut}` }),
    format: 'xlsx',
    columns,
    date: null,
    *rows(wanted) {
      const { workbook, rows } = openSheet(filePath, new Set(wanted));
      try {
        for (const { number, cells, isBlank } of rows) {
          if (isBlank || number <= headings) continue;
          const values = wanted.map((column) => cells[column] ?? null);
          yield { row: number - headings, values } satisfies TableRow;
        }
      } finally {
        rows.return(undefined);
        workbook.close();
      }
    },
  };
}

interface Sheet {
  readonly workbook: Workbook;
  readonly path: string;
  readonly rows: Generator<SheetRow>;
}

function withSheet<Result>(filePath: string, work: (sheet: Sheet) => Result): Result {
  const sheet = openSheet(filePath);
  try {
    return work(sheet);
  } finally {
    sheet.rows.return(undefined);
    sheet.workbook.close();
  }
}

function openSheet(filePath: string, wanted?: ReadonlySet<number>): Sheet {
  const workbook = openWorkbook(filePath);
  try {
    const filled = (columns: number) => workbook.sheets.find(({ path }) => columnsIn(path, workbook) >= columns);
    const sheet = filled(2) ?? filled(1) ?? workbook.sheets[0];
    const { path = '' } = sheet ?? {};
    return { workbook, path, rows: relabelled(workbook, readSheet(path, workbook, wanted)) };
  } catch (error) {
    workbook.close();
    throw workbook.relabel(error);
  }
}

/** A damaged sheet counts as one: it is not read, so it refuses nothing. */
function holdsTable(sheet: string, workbook: Workbook): boolean {
  try {
    return columnsIn(sheet, workbook) > 1;
  } catch (error) {
    if (error instanceof EngineError) return true;
    throw error;
  }
}

/** Sheets that hold a table too and are not read, in words; null: none. */
function otherSheets(workbook: Workbook, read: string): string | null {
  const names = workbook.sheets
    .filter(({ path }) => path !== read && holdsTable(path, workbook))
    .map(({ name }) => name);
  return names.length === 0
    ? null
    : `${counted(names.length, 'other sheet', 'other sheets')} of the workbook (${names.join(', ')})`;
}

function* relabelled(workbook: Workbook, rows: Generator<SheetRow>): Generator<SheetRow> {
  try {
    yield* rows;
  } catch (error) {
    throw workbook.relabel(error);
  }
}

/** The first rows that are not empty. */
function firstRows(rows: Generator<SheetRow>): SheetRow[] {
  const found: SheetRow[] = [];
  for (let next = rows.next(); !next.done && found.length < rowsBeforeHeadings; next = rows.next()) {
    if (!next.value.isBlank) found.push(next.value);
  }
  return found;
}

function columnsIn(sheet: string, workbook: Workbook): number {
  const rows = readSheet(sheet, workbook);
  try {
    return fullest(firstRows(rows).map(({ cells }) => cells));
  } finally {
    rows.return(undefined);
  }
}

function findRow(first: readonly SheetRow[]): SheetRow | undefined {
  const width = Math.max(...first.map(({ cells }) => cells.length));
  return first[findHeadings(first.map(({ cells }) => Array.from({ length: width }, (_, column) => cells[column])))];
}

function rowAt(rows: Generator<SheetRow>, wanted: number): SheetRow | undefined {
  for (let next = rows.next(); !next.done && next.value.number <= wanted; next = rows.next()) {
    if (next.value.number === wanted && !next.value.isBlank) return next.value;
  }
  return undefined;
}

/** The headings and their row number. */
function readHeadings(
  filePath: string,
  rows: Generator<SheetRow>,
  given?: number,
): { columns: string[]; number: number } {
  const row = given === undefined ? findRow(firstRows(rows)) : rowAt(rows, given);
  if (!row && given !== undefined) {
    throw new EngineError('import_refused', `${filePath}: expected headings in row ${given}, found none.`);
  }
  if (!row) {
    throw new EngineError('import_refused', `${filePath}: expected headings in the first row, found an empty sheet.`);
  }
  const columns = Array.from(row.cells, (cell) => cell ?? '');
  const repeated = columns.find((name, index) => name !== '' && columns.indexOf(name) !== index);
  if (repeated === undefined) return { columns, number: row.number };
  throw new EngineError(
    'import_refused',
    `${filePath}: expected each heading once, found ${repeated} twice: give one of both columns another name.`,
  );
}

/** @param wanted columns whose cells are read; the others are null. Default: all */
function* readSheet(sheet: string, workbook: Workbook, wanted?: ReadonlySet<number>): Generator<SheetRow> {
  const xml = new XmlScanner(sheet);
  try {
    let number = 0;
    for (let token = xml.next(); token !== 'end'; token = xml.next()) {
      xml.release();
      if (xml.name === 'sheetData' && (token === 'close' || xml.isEmpty)) return;
      if (token !== 'open' || xml.name !== 'row') continue;
      const given = Number(xml.attribute('r'));
      number = given > number ? given : number + 1;
      yield readCells(new RowPlace(xml, number), withoutSections(xml.content()), workbook, wanted);
    }
    throw xml.refusal('the sheet ends before its data');
  } finally {
    xml.close();
  }
}

/** For refusals. */
class RowPlace {
  readonly number: number;
  readonly #xml: XmlScanner;

  constructor(xml: XmlScanner, number: number) {
    this.#xml = xml;
    this.number = number;
  }

  refusal(problem: string): EngineError {
    return this.#xml.refusal(`${problem} in row ${this.number}`);
  }
}

const cell = /\s*<(?:\w+:)?c((?:\s[^>]*?)?)(?:\/>|>([\s\S]*?)<\/(?:\w+:)?c>)/y;
const cellValue = /<(?:\w+:)?v(?:\s[^>]*)?>([^<]*)<\//;

function readCells(
  place: RowPlace,
  content: string,
  workbook: Workbook,
  wanted: ReadonlySet<number> | undefined,
): SheetRow {
  const cells: (string | null)[] = [];
  let isBlank = true;
  let end = 0;
  for (cell.lastIndex = 0; ; ) {
    const match = cell.exec(content);
    if (match === null) break;
    end = cell.lastIndex;
    const [, attributes = '', inner] = match;
    const column = columnOf(attributeOf(attributes, 'r')) ?? cells.length;
    if (column >= maxColumns) throw place.refusal(`expected at most ${maxColumns} columns, found more`);
    while (cells.length < column) cells.push(null);
    cells[column] = null;
    if (inner === undefined || inner === '') continue;
    isBlank = false;
    if (!wanted || wanted.has(column)) cells[column] = readCell(place, attributes, inner, workbook);
    // Reading a text uses other expressions, but rows are not read within each other.
    cell.lastIndex = end;
  }
  if (content.slice(end).trim() !== '') throw place.refusal('expected cells, found something else');
  return { number: place.number, cells, isBlank };
}

/** The value of a cell's attribute: r, s or t. */
function attributeOf(attributes: string, name: string): string | null {
  for (const mark of ['"', "'"]) {
    const at = attributes.indexOf(` ${name}=${mark}`);
    if (at !== -1) return attributes.slice(at + 4, attributes.indexOf(mark, at + 4));
  }
  return null;
}

function readCell(place: RowPlace, attributes: string, inner: string, workbook: Workbook): string | null {
  const type = attributeOf(attributes, 't') ?? 'n';
  if (type === 'inlineStr') return textOfRuns(inner).trim() || null;
  const value = cellValue.exec(inner)?.[1];
  if (value === undefined || type === 'e') return null;
  const shown = showCell(place, type, value, Number(attributeOf(attributes, 's') ?? 0), workbook);
  return shown.trim() || null;
}

function showCell(place: RowPlace, type: string, value: string, style: number, workbook: Workbook): string {
  if (type === 's') {
    const text = workbook.texts.get(Number(value));
    if (text !== undefined) return text;
    throw place.refusal(
      `expected a text of the workbook, found number ${JSON.stringify(value.slice(0, 20))}, which does not exist,`,
    );
  }
  if (type === 'str') return unescaped(decodeXmlText(value));
  if (type === 'b') return value.trim() === '1' ? 'TRUE' : 'FALSE';
  if (type === 'd') return decodeXmlText(value).replace(/T00:00:00(?:\.0*)?Z?$/, '');
  const shown = showNumber(value, workbook.forms[style] ?? plainForm, workbook.startsIn1904);
  if (shown !== null) return shown;
  throw place.refusal(`expected a number, found ${JSON.stringify(value.slice(0, 40))},`);
}

/** `AB12` is column 27, counted from 0. */
function columnOf(reference: string | null): number | null {
  const letters = /^\$?([A-Z]{1,3})\$?\d/.exec(reference ?? '')?.[1];
  if (letters === undefined) return null;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}
