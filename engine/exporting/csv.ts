/** Writes CSV for spreadsheets (RFC 4180): UTF-8 with BOM, CRLF, plain numbers, ISO dates, formulas marked. */

import { neutralText } from '../spec/formula-cells.ts';
import type { ExportColumn, ExportValue } from './export-columns.ts';
import type { ExportSource } from './export-source.ts';
import type { Sink } from './file-sink.ts';
import { withFile } from './file-sink.ts';
import { csvCell, plainNumber } from './text-cells.ts';

/** Without it Excel decodes the file in the computer's code page. */
export const byteOrderMark = '\uFEFF';

function cellText({ kind }: ExportColumn, value: ExportValue | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return plainNumber(value);
  if (typeof value === 'boolean') return String(value);
  return csvCell(kind === 'text' ? neutralText(value) : value);
}

export const csvLine = (columns: readonly ExportColumn[], values: readonly ExportValue[]): string =>
  `${columns.map((column, i) => cellText(column, values[i])).join(',')}\r\n`;

/** Used for saved files and for feeds. */
export async function writeCsvTo(source: ExportSource, sink: Sink): Promise<void> {
  sink.put(`${byteOrderMark}${source.columns.map(({ name }) => csvCell(name)).join(',')}\r\n`);
  for await (const rows of source.batches()) {
    for (const { values } of rows) sink.put(csvLine(source.columns, values));
    await sink.flush();
  }
  await sink.flush();
}

export const writeCsv = (source: ExportSource, filePath: string): Promise<string[]> =>
  withFile(filePath, async (sink) => {
    await writeCsvTo(source, sink);
    return [];
  });
