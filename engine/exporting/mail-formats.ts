/** The formats of a mail merge: tables of letters, and sheets of labels. */
import type { OfferedFormat } from './index.ts';
import { labelSheets } from './label-sheets.ts';

export const mailFormats: readonly OfferedFormat[] = [
  { name: 'xlsx', label: 'Letters, XLSX', docs: 'one row per mailing address' },
  { name: 'csv', label: 'Letters, CSV', docs: 'the same for any program' },
  ...labelSheets.map(({ name, label, columns, rows, paper }) => ({
    ...{ name, label },
    docs: `PDF, ${columns * rows} on ${paper.words}`,
  })),
];
