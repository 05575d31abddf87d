/** Writes an import's problems as a CSV file: one line per row that needs attention, in file order. */
import fs from 'node:fs';
import path from 'node:path';
import { EngineError } from '../../spec/errors.ts';
import type { ImportProblem, ProblemSink } from './import-report.ts';

const headings = ['file', 'row', 'column', 'value', 'reason'] as const;
const bufferLength = 64 * 1024;

/** Spreadsheets read a text with this beginning as a formula; a number is none. */
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
  /** Nothing may be added after it. */
  readonly close: () => void;
}

/** @throws EngineError file_missing: before any work, if the list could not be written after it */
export function expectFolderOf(filePath: string): void {
  const folder = path.dirname(filePath);
  if (fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new EngineError('file_missing', `Expected the folder ${folder} for the list of problems, found none.`);
}

/** Replaces the file. UTF-8 with a byte order mark, because spreadsheets otherwise read it as Windows-1252. */
export function openProblemList(filePath: string): ProblemList {
  expectFolderOf(filePath);
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
