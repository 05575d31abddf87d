/** The files that GDAL is given for one: the file that is named and what belongs to it, each checked to be whole. */
import fs from 'node:fs';
import path from 'node:path';
import { EngineError } from '../../../spec/errors.ts';
import { formatOf, type GdalFormat, type GdalFormatName } from '../../../spec/import-formats.ts';
import { readChunks, readHead } from '../bytes/byte-window.ts';
import { afterProlog, beforeEpilog } from '../xml/xml-prolog.ts';

/** A file by the name that it is known under, and where it lies. */
export interface NamedFile {
  readonly name: string;
  readonly path: string;
}

const tailBytes = 4096;

const endingOf = (name: string): string => path.posix.extname(name).slice(1).toLowerCase();
const stemOf = (name: string): string => name.slice(0, name.length - path.posix.extname(name).length).toLowerCase();

/** Whether a file is a part of another: it has its name, and the ending of a part. */
export function isPartOf({ name }: NamedFile, main: NamedFile, format: GdalFormatName): boolean {
  const { beside } = formatOf(format);
  const ending = endingOf(name);
  return stemOf(name) === stemOf(main.name) && [...(beside?.needed ?? []), ...(beside?.also ?? [])].includes(ending);
}

/** All files of a folder. */
export const filesOf = (folder: string): NamedFile[] =>
  fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => ({ name, path: path.join(folder, name) }));

/**
 * The file and its parts, all under its own name, which is that of its layer.
 * @param around the files among which the parts are
 * @throws EngineError import_refused if a part is missing or the file was cut off
 */
export function gdalFiles(format: GdalFormatName, main: NamedFile, around: readonly NamedFile[]): NamedFile[] {
  const { beside, label, gdal } = formatOf(format);
  const parts = around.filter((file) => isPartOf(file, main, format));
  const missing = (beside?.needed ?? []).filter((ending) => !parts.some(({ name }) => endingOf(name) === ending));
  if (missing.length > 0) {
    const named = missing.map((ending) => `.${ending}`).join(' and ');
    const whole = ['', ...(beside?.needed ?? [])].map((ending) => `.${ending || endingOf(main.name)}`).join(', ');
    throw new EngineError(
      'import_refused',
      `${main.path}: expected ${named} of the same name beside it, found none. A ${label} is ${whole} together: give the whole folder or zip.`,
    );
  }
  if (gdal?.ends) expectEnd(main.path, gdal.ends);
  for (const part of parts) expectRecords(part);
  const own = path.posix.basename(main.name, path.posix.extname(main.name));
  return [main, ...parts].map(({ name, path: place }) => ({ name: `${own}.${endingOf(name)}`, path: place }));
}

/** How many rows the parts say there are; null if none says it. GDAL counts the rows of a MIF that was cut off, not those of its .mid. */
export function declaredRows(files: readonly NamedFile[]): number | null {
  const values = files.find(({ name }) => endingOf(name) === 'mid');
  return values ? countRecords(values.path) : null;
}

/** Lines that are not empty; a line break within quotes ends none. */
function countRecords(filePath: string): number {
  let [count, quotes, isFilled] = [0, 0, false];
  for (const chunk of readChunks(filePath)) {
    for (const byte of chunk) {
      if (byte === 0x22) quotes++;
      const isEnd = byte === 0x0a && quotes % 2 === 0;
      if (isEnd && isFilled) count++;
      isFilled = !isEnd && (isFilled || byte > 0x20);
    }
  }
  return isFilled ? count + 1 : count;
}

function readTail(filePath: string): string {
  const descriptor = fs.openSync(filePath, 'r');
  try {
    const { size } = fs.fstatSync(descriptor);
    const bytes = Buffer.alloc(Math.min(size, tailBytes));
    fs.readSync(descriptor, bytes, 0, bytes.length, size - bytes.length);
    return bytes.toString('latin1');
  } finally {
    fs.closeSync(descriptor);
  }
}

/** GDAL reads a file that was cut off up to where it ends, and says nothing. */
function expectEnd(filePath: string, ends: NonNullable<GdalFormat['ends']>): void {
  const tail = readTail(filePath);
  const closing = ends === 'root' ? `</${rootOf(filePath)}>` : null;
  const isWhole = ends === 'root' ? beforeEpilog(tail).endsWith(closing ?? '') : ends.mark.test(tail);
  if (isWhole) return;
  const what = ends === 'root' ? closing : ends.words;
  throw new EngineError(
    'import_refused',
    `${filePath}: expected ${what} at its end, found ${JSON.stringify(tail.trimEnd().slice(-40))}: the file was cut off. Download or export it again.`,
  );
}

/** The name of the first element, with its prefix. */
const rootOf = (filePath: string): string =>
  /^<([^\s/>]+)/.exec(afterProlog(readHead(filePath, 64 * 1024).toString('latin1')) ?? '')?.[1] ?? '';

/** The .dat of a TAB is a table of dBASE: it says how many rows it has. */
function expectRecords({ name, path: place }: NamedFile): void {
  if (endingOf(name) !== 'dat') return;
  const head = readHead(place, 32);
  const { size } = fs.statSync(place);
  const needed = head.length < 32 ? 32 : head.readUInt16LE(8) + head.readUInt32LE(4) * head.readUInt16LE(10);
  if (size >= needed) return;
  throw new EngineError(
    'import_refused',
    `${place}: expected ${needed} bytes for its rows, found ${size}: the file was cut off. Copy it again.`,
  );
}
