/**
 * Writes XLSX (ECMA-376). Texts stay texts, so that an APN like 3-12 does not become a date and leading zeros stay; numbers
 * and dates have their own types. It streams, since write-excel-file 4.1.1 holds every cell in memory (100,000 rows of 20
 * columns: 981 MB and 15.7 s; this writer: see test/exporting/speed.ts).
 */

import { notASurvey } from '../spec/not-a-survey.ts';
import { counted } from './count-words.ts';
import type { ExportColumn, ExportValue } from './export-columns.ts';
import { type ExportSource, headingOf } from './export-source.ts';
import { type PatchableSink, type Sink, withFile } from './file-sink.ts';
import { plainNumber } from './text-cells.ts';
import { xmlText } from './xml-text.ts';
import { ZipWriter } from './zip-writer.ts';

/** Excel's own limits; it reports a file beyond them as damaged. */
const maxRows = 1_048_576;
const maxCellCharacters = 32_767;
const daysBefore1970 = 25_569;
/** Excel counts a 29 February 1900, which did not exist; its day numbers are right from the next day on. */
const firstRightDate = '1900-03-01';

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const packageTypes = 'http://schemas.openxmlformats.org/package/2006';
const officeTypes = 'http://schemas.openxmlformats.org/officeDocument/2006';
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** Indexes in `cellXfs` of styles.xml. */
const styles = { text: 1, date: 2, heading: 3, plain: 0 } as const;

const stylesXml = `${declaration}<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

/** 0 → A, 26 → AA. */
function columnLetters(index: number): string {
  let letters = '';
  for (let rest = index; rest >= 0; rest = Math.floor(rest / 26) - 1) {
    letters = String.fromCharCode(65 + (rest % 26)) + letters;
  }
  return letters;
}

interface CellCounts {
  cut: number;
}

/** Excel would read `_x0041_` in a text as the letter A, so its underscore is escaped. */
function textCell(place: string, text: string, style: number, counts: CellCounts): string {
  let shown = text;
  if (text.length > maxCellCharacters) {
    counts.cut++;
    shown = text.slice(0, maxCellCharacters);
  }
  const escaped = xmlText(shown).replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_');
  return `<c r="${place}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escaped}</t></is></c>`;
}

/** Days since 1899-12-30; null if Excel cannot hold the date. */
function serialDate(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < firstRightDate) return null;
  const milliseconds = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(milliseconds) ? null : milliseconds / 86_400_000 + daysBefore1970;
}

function cell(place: string, { kind }: ExportColumn, value: ExportValue | undefined, counts: CellCounts): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return `<c r="${place}"><v>${plainNumber(value)}</v></c>`;
  if (typeof value === 'boolean') return `<c r="${place}" t="b"><v>${Number(value)}</v></c>`;
  const serial = kind === 'date' ? serialDate(value) : null;
  if (serial !== null) return `<c r="${place}" s="${styles.date}"><v>${serial}</v></c>`;
  return value === '' ? '' : textCell(place, value, styles.text, counts);
}

/** Column width for usual content, so that the user need not widen 80 columns by hand. */
function widthOf({ name, kind }: ExportColumn): number {
  const least = { text: 14, integer: 11, number: 10, date: 12, boolean: 9 }[kind];
  const wide = /name|address|description|subdivision|note/.test(name) ? 28 : 0;
  return Math.max(least, wide, name.length + 2);
}

const headCells = (names: readonly string[], counts: CellCounts): string =>
  names.map((name, i) => textCell(`${columnLetters(i)}1`, name, styles.heading, counts)).join('');

async function writeSheet(source: ExportSource, sink: Sink, counts: CellCounts): Promise<void> {
  const letters = source.columns.map((_, i) => columnLetters(i));
  const corner = `A1:${letters.at(-1) ?? 'A'}${source.count + 1}`;
  const widths = source.columns
    .map((column, i) => `<col min="${i + 1}" max="${i + 1}" width="${widthOf(column)}" customWidth="1"/>`)
    .join('');
  sink.put(
    `${declaration}<worksheet xmlns="${main}"><dimension ref="${corner}"/><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>${widths === '' ? '' : `<cols>${widths}</cols>`}<sheetData><row r="1">${headCells(
      source.columns.map(({ name }) => name),
      counts,
    )}</row>`,
  );
  let number = 1;
  for await (const rows of source.batches()) {
    for (const { values } of rows) {
      number++;
      const cells = source.columns.map((column, i) => cell(`${letters[i]}${number}`, column, values[i], counts));
      sink.put(`<row r="${number}">${cells.join('')}</row>`);
    }
    await sink.flush();
  }
  // Without it Excel marks every APN with a green corner as a number stored as text.
  const ignored = `<ignoredErrors><ignoredError sqref="${corner}" numberStoredAsText="1"/></ignoredErrors>`;
  sink.put(`</sheetData><autoFilter ref="${corner}"/>${ignored}</worksheet>`);
  await sink.flush();
}

/** Rows of the About sheet: columns, sources, notes. */
function aboutRows(source: ExportSource): string[][] {
  return [
    ['about', source.title],
    ['made', source.madeAt.toISOString()],
    [nounOf(source), String(source.count)],
    ...source.sources.map(({ name, date }) => ['source', `${name}, ${date}`]),
    ...(source.noun === undefined ? [['note', notASurvey]] : []),
    ...source.columns.map((column) => [column.name, `${headingOf(column)}: ${column.docs}`]),
  ];
}

function aboutSheet(source: ExportSource, counts: CellCounts): string {
  const rows = aboutRows(source).map(
    (texts, i) =>
      `<row r="${i + 1}">${texts.map((text, k) => textCell(`${columnLetters(k)}${i + 1}`, text, styles.text, counts)).join('')}</row>`,
  );
  return `${declaration}<worksheet xmlns="${main}"><cols><col min="1" max="1" width="30" customWidth="1"/><col min="2" max="2" width="100" customWidth="1"/></cols><sheetData>${rows.join('')}</sheetData></worksheet>`;
}

const nounOf = ({ noun = 'parcels' }: ExportSource): string => noun;

const capitalized = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

const workbookParts = (sheetNames: readonly string[]): readonly (readonly [string, string])[] => [
  [
    '[Content_Types].xml',
    `${declaration}<Types xmlns="${packageTypes}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>${sheetNames.map((_, i) => `<Override PartName="/xl/worksheets/sheet${i + 1}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`).join('')}<Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>`,
  ],
  [
    '_rels/.rels',
    `${declaration}<Relationships xmlns="${packageTypes}/relationships"><Relationship Id="rId1" Type="${officeTypes}/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ],
  [
    'xl/_rels/workbook.xml.rels',
    `${declaration}<Relationships xmlns="${packageTypes}/relationships">${sheetNames.map((_, i) => `<Relationship Id="rId${i + 1}" Type="${officeTypes}/relationships/worksheet" Target="worksheets/sheet${i + 1}.xml"/>`).join('')}<Relationship Id="rId${sheetNames.length + 1}" Type="${officeTypes}/relationships/styles" Target="styles.xml"/></Relationships>`,
  ],
  [
    'xl/workbook.xml',
    `${declaration}<workbook xmlns="${main}" xmlns:r="${officeTypes}/relationships"><sheets>${sheetNames.map((name, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`).join('')}</sheets></workbook>`,
  ],
  ['xl/styles.xml', stylesXml],
];

export const writeXlsx = (source: ExportSource, filePath: string): Promise<string[]> =>
  withFile(filePath, (file) => writeXlsxTo(source, file));

/** Used for saved files and for feeds. */
export async function writeXlsxTo(source: ExportSource, target: PatchableSink): Promise<string[]> {
  const zip = new ZipWriter(target, source.madeAt);
  const counts: CellCounts = { cut: 0 };
  const parts = workbookParts([capitalized(nounOf(source)), 'About']);
  for (const [name, text] of parts) await zip.add(name, async (sink) => sink.put(text));
  await zip.add('xl/worksheets/sheet1.xml', (sink) => writeSheet(source, sink, counts), { level: 3 });
  await zip.add('xl/worksheets/sheet2.xml', async (sink) => sink.put(aboutSheet(source, counts)));
  await zip.finish();
  return counts.cut === 0
    ? []
    : [`${counted(counts.cut, 'text')} cut to ${maxCellCharacters} characters, Excel's limit.`];
}

/** Why a source does not fit into a workbook; null if it does. */
export const xlsxProblem = ({ count }: ExportSource): string | null =>
  count < maxRows
    ? null
    : `A sheet holds ${(maxRows - 1).toLocaleString('en-US')} parcels at most, found ${count.toLocaleString('en-US')}; choose CSV or GeoPackage.`;
