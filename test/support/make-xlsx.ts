/** Small XLSX workbooks (ECMA-376), the parts given as XML. */
import { makeZip } from './make-zip.ts';

export interface XlsxParts {
  /** Rows of the first sheet, as the XML of `sheetData` holds them. */
  readonly rows: string;
  readonly sharedStrings?: readonly string[];
  /** `cellXfs` by their numFmtId; codes of formats from 164 on. */
  readonly formats?: readonly number[];
  readonly formatCodes?: Readonly<Record<number, string>>;
  readonly startsIn1904?: boolean;
  /** Further sheets before the first, by name. */
  readonly before?: Readonly<Record<string, string>>;
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const links = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

export function makeXlsx({
  rows,
  sharedStrings,
  formats = [0],
  formatCodes = {},
  startsIn1904,
  before = {},
}: XlsxParts): Buffer {
  const sheets = [...Object.entries(before), ['Rows', rows] as const];
  const codes = Object.entries(formatCodes).map(([id, code]) => `<numFmt numFmtId="${id}" formatCode="${code}"/>`);
  const parts: Record<string, string> = {
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${links}"><workbookPr${startsIn1904 ? ' date1904="1"' : ''}/><sheets>${sheets
      .map(([name], n) => `<sheet name="${name}" sheetId="${n + 1}" r:id="rId${n + 1}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${sheets
      .map((_, n) => `<Relationship Id="rId${n + 1}" Target="worksheets/sheet${n + 1}.xml"/>`)
      .join('')}</Relationships>`,
    'xl/styles.xml': `<styleSheet xmlns="${main}"><numFmts>${codes.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${formats
      .map((id) => `<xf numFmtId="${id}"/>`)
      .join('')}</cellXfs></styleSheet>`,
  };
  for (const [n, [, xml]] of sheets.entries()) {
    parts[`xl/worksheets/sheet${n + 1}.xml`] =
      `<?xml version="1.0" encoding="UTF-8"?>\n<worksheet xmlns="${main}"><sheetData>${xml}</sheetData></worksheet>`;
  }
  if (sharedStrings)
    parts['xl/sharedStrings.xml'] =
      `<sst xmlns="${main}">${sharedStrings.map((xml) => `<si>${xml}</si>`).join('')}</sst>`;
  return makeZip(Object.entries(parts).map(([name, content]) => ({ name, content })));
}
