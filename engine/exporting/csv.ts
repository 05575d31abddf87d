/** Writes CSV for spreadsheets (RFC 4180): UTF-8, CRLF, plain numbers, ISO dates, formulas marked. */

import { neutralText } from '../spec/formula-cells.ts';
import type { ExportColumn, ExportValue } from './export-columns.ts';
import type { ExportSource } from './export-source.ts';
import type { Sink } from './file-sink.ts';
import { withFile } from './file-sink.ts';
import { csvCell, plainNumber, quotedCell } from './text-cells.ts';

/** Without it Excel decodes a file in the computer's code page; an answer over HTTP names its encoding itself. */
export const byteOrderMark = '\uFEFF';

function cellText({ kind }: ExportColumn, value: ExportValue | undefined, textCell: (text: string) => string): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return plainNumber(value);
  if (typeof value === 'boolean') return String(value);
  return kind === 'text' ? textCell(neutralText(value)) : csvCell(value);
}

async function writeRows(source: ExportSource, sink: Sink, textCell: (text: string) => string): Promise<void> {
  const { columns } = source;
  sink.put(`${columns.map(({ name }) => csvCell(name)).join(',')}\r\n`);
  for await (const rows of source.batches()) {
    for (const { values } of rows)
      sink.put(`${columns.map((column, i) => cellText(column, values[i], textCell)).join(',')}\r\n`);
    await sink.flush();
  }
  await sink.flush();
}

/**
 * For programs that fetch it: no byte order mark, which WEBSERVICE puts into the first cell; every text quoted, so that
 * they can keep APNs and ZIP codes as texts.
 */
export const writeCsvFeed = (source: ExportSource, sink: Sink): Promise<void> => writeRows(source, sink, quotedCell);

export const writeCsv = (source: ExportSource, filePath: string): Promise<string[]> =>
  withFile(filePath, async (sink) => {
    sink.put(byteOrderMark);
    await writeRows(source, sink, csvCell);
    return [];
  });
