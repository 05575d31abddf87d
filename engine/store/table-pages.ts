/**
 * Writes tables of a SQLite file page by page (https://www.sqlite.org/fileformat2.html, sections 1.2 to 1.6), without
 * SQLite: rows come in the order of their numbers, so a B-tree is its leaves in sequence, plus the pages above them
 * written at the end. Only for private files that have no readers until finished.
 */
import fs from 'node:fs';
import { RecordWriter, varintLength, writeVarint } from './record-writer.ts';
import { temporaryDiskError } from './temporary-disk.ts';

/** Page size of the land file. */
const pageBytes = 8192;
const leafMark = 0x0d;
const interiorMark = 0x05;
const leafHeaderBytes = 8;
const interiorHeaderBytes = 12;
const fileHeaderBytes = 100;
/** The page that holds the byte at 1 GiB is never used: SQLite locks bytes there. */
const lockPage = 0x40000000 / pageBytes + 1;
/** Bytes of a row in its leaf: at most, and at least when the rest overflows (section 1.6). */
const maxLocal = pageBytes - 35;
const minLocal = Math.floor(((pageBytes - 12) * 32) / 255) - 23;
const overflowBytes = pageBytes - 4;

/** Pages of one file, shared by its tables: its descriptor, and how many pages were taken. */
export interface PageSpace {
  readonly descriptor: number;
  taken: number;
}

/** The first page is for the schema. */
export const newPageSpace = (descriptor: number): PageSpace => ({ descriptor, taken: 1 });

function writeWhole(descriptor: number, bytes: Uint8Array, position: number): void {
  try {
    for (let done = 0; done < bytes.length; ) {
      done += fs.writeSync(descriptor, bytes, done, bytes.length - done, position + done);
    }
  } catch (error) {
    throw temporaryDiskError(error);
  }
}

/** Takes several pages from the space at a time and writes them in one call. */
class PageWriter {
  readonly #space: PageSpace;
  readonly #buffer: Buffer;
  readonly #perWrite: number;
  #first = 0;
  #used = 0;

  constructor(space: PageSpace, perWrite: number) {
    this.#space = space;
    this.#perWrite = perWrite;
    this.#buffer = Buffer.alloc(perWrite * pageBytes);
  }

  /** @returns the number of the page */
  add(page: Uint8Array): number {
    if (this.#used === this.#perWrite) this.flush();
    if (this.#used === 0) {
      this.#first = this.#space.taken + 1;
      this.#space.taken += this.#perWrite;
    }
    if (this.#first + this.#used === lockPage) {
      this.#used++;
      return this.add(page);
    }
    this.#buffer.set(page, this.#used * pageBytes);
    return this.#first + this.#used++;
  }

  flush(): void {
    const bytes = this.#buffer.subarray(0, this.#used * pageBytes);
    writeWhole(this.#space.descriptor, bytes, (this.#first - 1) * pageBytes);
    this.#used = 0;
  }
}

/** A page of a table, and the last row below it. */
export interface TablePage {
  readonly page: number;
  readonly last: number;
}

const pagesPerWrite = 32;

/** Leaves of one table. Add rows in the order of their numbers. */
export class LeafWriter {
  readonly leaves: TablePage[] = [];
  readonly #pages: PageWriter;
  readonly #page = Buffer.alloc(pageBytes);
  readonly #overflow = Buffer.alloc(pageBytes);
  #cells = 0;
  #contentAt = pageBytes;
  #last = 0;

  /** @param perWrite pages buffered per write; fewer where many tables grow at once */
  constructor(space: PageSpace, perWrite: number = pagesPerWrite) {
    this.#pages = new PageWriter(space, perWrite);
  }

  add(row: number, { bytes, start, end }: RecordWriter): void {
    const length = end - start;
    const local = localBytes(length);
    const size = varintLength(length) + varintLength(row) + local + (local < length ? 4 : 0);
    if (leafHeaderBytes + 2 * (this.#cells + 1) + size > this.#contentAt) this.endLeaf();
    const overflow = local < length ? this.#addOverflow(bytes.subarray(start + local, end)) : 0;
    this.#contentAt -= size;
    let at = writeVarint(this.#page, this.#contentAt, length);
    at = writeVarint(this.#page, at, row);
    bytes.copy(this.#page, at, start, start + local);
    if (overflow > 0) this.#page.writeUInt32BE(overflow, at + local);
    this.#page.writeUInt16BE(this.#contentAt, leafHeaderBytes + 2 * this.#cells);
    this.#cells++;
    this.#last = row;
  }

  /** Written from the last page to the first: each names the next. */
  #addOverflow(rest: Uint8Array): number {
    let next = 0;
    for (let from = Math.floor((rest.length - 1) / overflowBytes) * overflowBytes; from >= 0; from -= overflowBytes) {
      this.#overflow.fill(0);
      this.#overflow.writeUInt32BE(next, 0);
      this.#overflow.set(rest.subarray(from, from + overflowBytes), 4);
      next = this.#pages.add(this.#overflow);
    }
    return next;
  }

  /** The next row starts a new page. */
  endLeaf(): void {
    if (this.#cells === 0) return;
    writeLeafHeader(this.#page, 0, this.#cells, this.#contentAt);
    this.leaves.push({ page: this.#pages.add(this.#page), last: this.#last });
    this.#page.fill(0);
    this.#cells = 0;
    this.#contentAt = pageBytes;
  }

  /** Writes what is still buffered. Nothing may be added after it. */
  finish(): readonly TablePage[] {
    this.endLeaf();
    this.#pages.flush();
    return this.leaves;
  }
}

function localBytes(length: number): number {
  if (length <= maxLocal) return length;
  const local = minLocal + ((length - minLocal) % overflowBytes);
  return local <= maxLocal ? local : minLocal;
}

function writeLeafHeader(page: Buffer, at: number, cells: number, contentAt: number): void {
  page[at] = leafMark;
  page.writeUInt16BE(cells, at + 3);
  page.writeUInt16BE(contentAt, at + 5);
}

/** Fills a page with as many of the pages below as fit. @returns how many */
function fillInterior(page: Buffer, at: number, below: readonly TablePage[]): number {
  page.fill(0);
  let contentAt = pageBytes;
  let cells = 0;
  // The last page below has no cell: the header names it.
  for (; cells + 1 < below.length; cells++) {
    const { page: number, last } = below[cells] as TablePage;
    const size = 4 + varintLength(last);
    if (at + interiorHeaderBytes + 2 * (cells + 1) + size > contentAt) break;
    contentAt -= size;
    page.writeUInt32BE(number, contentAt);
    writeVarint(page, contentAt + 4, last);
    page.writeUInt16BE(contentAt, at + interiorHeaderBytes + 2 * cells);
  }
  page[at] = interiorMark;
  page.writeUInt16BE(cells, at + 3);
  page.writeUInt16BE(contentAt, at + 5);
  page.writeUInt32BE((below[cells] as TablePage).page, at + 8);
  return cells + 1;
}

/** The next level of pages. */
function levelAbove(pages: PageWriter, below: readonly TablePage[]): TablePage[] {
  const level: TablePage[] = [];
  const page = Buffer.alloc(pageBytes);
  for (let from = 0; from < below.length; ) {
    from += fillInterior(page, 0, shareOf(below, from));
    level.push({ page: pages.add(page), last: (below[from - 1] as TablePage).last });
  }
  return level;
}

const mostBelow = 1000;

/** An interior page has at least two pages below it. */
function shareOf(below: readonly TablePage[], from: number): readonly TablePage[] {
  const rest = below.length - from;
  return below.slice(from, from + (rest <= mostBelow / 2 ? rest : Math.min(mostBelow / 2, rest - 2)));
}

/** A table of a file that is being written. */
export interface WrittenTable {
  readonly name: string;
  readonly sql: string;
  /** In row order. */
  readonly leaves: readonly TablePage[];
}

function rootOf(pages: PageWriter, leaves: readonly TablePage[]): number {
  if (leaves.length === 0) {
    const empty = Buffer.alloc(pageBytes);
    writeLeafHeader(empty, 0, 0, pageBytes);
    return pages.add(empty);
  }
  let level = leaves;
  while (level.length > 1) level = levelAbove(pages, level);
  return (level[0] as TablePage).page;
}

/**
 * Takes at least two tables. Writes the pages above the leaves and the first page with the schema, which makes the file
 * a database.
 */
export function finishTables(space: PageSpace, tables: readonly WrittenTable[]): void {
  const pages = new PageWriter(space, 8);
  const record = new RecordWriter();
  const schema = new LeafWriter(space, 8);
  for (const [index, { name, sql, leaves }] of tables.entries()) {
    record.begin();
    for (const value of ['table', name, name, rootOf(pages, leaves), sql]) record.add(value);
    record.finish();
    schema.add(index + 1, record);
    // The first page needs at least two below it.
    if (index === 0) schema.endLeaf();
  }
  const top = schema.finish();
  const first = Buffer.alloc(pageBytes);
  if (fillInterior(first, fileHeaderBytes, top) < Math.max(top.length, 2))
    throw new RangeError('too many tables, or one');
  pages.flush();
  writeFileHeader(first, space.taken);
  writeWhole(space.descriptor, first, 0);
  // Cuts off pages that were taken but not written.
  fs.ftruncateSync(space.descriptor, space.taken * pageBytes);
}

/** Section 1.3: a file of the current schema format in UTF-8, without a free page. */
function writeFileHeader(page: Buffer, pageCount: number): void {
  page.write('SQLite format 3\0', 0, 'latin1');
  page.writeUInt16BE(pageBytes, 16);
  page.set([1, 1, 0, 64, 32, 32], 18);
  page.writeUInt32BE(1, 24);
  page.writeUInt32BE(pageCount, 28);
  page.writeUInt32BE(1, 40);
  page.writeUInt32BE(4, 44);
  page.writeUInt32BE(1, 56);
  page.writeUInt32BE(1, 92);
  page.writeUInt32BE(3_054_001, 96);
}
