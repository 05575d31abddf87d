/** The list of an import's problems as a CSV file: one line a row that needs a look, in the order of the files. */
import fs from 'node:fs';
import type { ImportProblem, ProblemSink } from './import-report.ts';

const headings = ['file', 'row', 'column', 'value', 'reason'] as const;
const bufferLength = 64 * 1024;

/** A spreadsheet takes a text that begins so for a formula; a number is none. */
function neutralised(text: string): string {
  return /^[=+\-@\t\r]/.test(text) && !/^[+-]?\d[\d,.]*$/.test(text) ? `'${text}` : text;
}

function cell(value: string | number): string {
  const text = neutralised(String(value));
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export interface ProblemList {
  readonly add: ProblemSink;
  readonly count: () => number;
  /** Nothing more is added after it. */
  readonly close: () => void;
}

/** Replaces the file. UTF-8 with a mark, because spreadsheets take it for Windows-1252 otherwise. */
export function openProblemList(filePath: string): ProblemList {
  const descriptor = fs.openSync(filePath, 'w', 0o600);
  let waiting = `\ufeff${headings.join(',')}\r\n`;
  let rows = 0;
  const flush = (): void => {
    fs.writeSync(descriptor, waiting);
    waiting = '';
  };
  return {
    add: (problem: ImportProblem) => {
      rows++;
      waiting += `${headings.map((name) => cell(problem[name])).join(',')}\r\n`;
      if (waiting.length > bufferLength) flush();
    },
    count: () => rows,
    close: () => {
      flush();
      fs.closeSync(descriptor);
    },
  };
}
