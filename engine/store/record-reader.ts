/**
 * Reads single rows of a table that `LeafWriter` wrote, without SQLite: for threads that may hold no connection. This
 * process has just written the data, so nothing is validated.
 */
import fs from 'node:fs';
import type { RecordValue } from './record-writer.ts';
import { localBytes, overflowBytes, pageBytes, type TablePage } from './table-pages.ts';

/** Cached pages: rows that are neighbors on the map share a few dozen pages. */
const keptPages = 2048;

interface Varint {
  value: number;
  next: number;
}

const varint: Varint = { value: 0, next: 0 };

/** Writes into `varint`, shared by all calls: an object per call would be garbage at once. */
function readVarint(bytes: Uint8Array, at: number): Varint {
  let value = 0;
  let next = at;
  let byte: number;
  do {
    byte = bytes[next++] as number;
    value = value * 128 + (byte & 0x7f);
  } while (byte >= 0x80);
  varint.value = value;
  varint.next = next;
  return varint;
}

const integerBytes = [0, 1, 2, 3, 4, 6, 8];

function bytesOfType(type: number): number {
  if (type >= 12) return (type - 12) >> 1;
  return type === 7 ? 8 : (integerBytes[type] ?? 0);
}

function readInteger(bytes: Buffer, at: number, type: number): number {
  if (type === 6) return Number(bytes.readBigInt64BE(at));
  return bytes.readIntBE(at, integerBytes[type] as number);
}

export class TableReader {
  readonly #descriptor: number;
  readonly #leaves: readonly TablePage[];
  readonly #pages = Buffer.alloc(keptPages * pageBytes);
  readonly #pageIn = new Int32Array(keptPages);
  #record: Buffer = Buffer.alloc(0);
  readonly #types: number[] = [];
  readonly #places: number[] = [];

  /** @param leaves of one table, in the order of their rows */
  constructor(descriptor: number, leaves: readonly TablePage[]) {
    this.#descriptor = descriptor;
    this.#leaves = leaves;
  }

  /** Seeks a row that must exist; then read it with `value` and `prefix`. */
  seek(row: number): void {
    const page = this.#page(this.#leafOf(row));
    const cell = cellOf(page, row);
    const { value: length, next } = readVarint(page, cell);
    const start = readVarint(page, next).next;
    const local = localBytes(length);
    this.#record = page.subarray(start, start + local);
    if (local < length) this.#record = this.#whole(this.#record, length, page.readUInt32BE(start + local));
    this.#readHeader();
  }

  #leafOf(row: number): number {
    let low = 0;
    let high = this.#leaves.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#leaves[middle] as TablePage).last < row) low = middle + 1;
      else high = middle;
    }
    return (this.#leaves[low] as TablePage).page;
  }

  #page(number: number): Buffer {
    const slot = number % keptPages;
    const page = this.#pages.subarray(slot * pageBytes, (slot + 1) * pageBytes);
    if (this.#pageIn[slot] !== number) {
      fs.readSync(this.#descriptor, page, 0, pageBytes, (number - 1) * pageBytes);
      this.#pageIn[slot] = number;
    }
    return page;
  }

  /** Only for large shapes: their pages are not cached. */
  #whole(local: Buffer, length: number, firstPage: number): Buffer {
    const record = Buffer.alloc(length);
    const page = Buffer.alloc(pageBytes);
    let at = local.copy(record);
    for (let number = firstPage; number !== 0; number = page.readUInt32BE(0)) {
      fs.readSync(this.#descriptor, page, 0, pageBytes, (number - 1) * pageBytes);
      at += page.copy(record, at, 4, 4 + Math.min(overflowBytes, length - at));
    }
    return record;
  }

  #readHeader(): void {
    const record = this.#record;
    const { value: end, next } = readVarint(record, 0);
    let at = next;
    let place = end;
    for (let column = 0; at < end; column++) {
      const { value: type, next: behind } = readVarint(record, at);
      this.#types[column] = type;
      this.#places[column] = place;
      place += bytesOfType(type);
      at = behind;
    }
  }

  /** @param column from 0 */
  value(column: number): RecordValue {
    const type = this.#types[column] as number;
    if (type === 0) return null;
    if (type === 8 || type === 9) return type - 8;
    const at = this.#places[column] as number;
    if (type < 7) return readInteger(this.#record, at, type);
    if (type === 7) return this.#record.readDoubleBE(at);
    const end = at + bytesOfType(type);
    return type % 2 === 1 ? this.#record.toString('utf8', at, end) : this.#record.subarray(at, end);
  }

  /** The first bytes of a blob, copied; null if it has none. */
  prefix(column: number, bytes: number): Uint8Array | null {
    const at = this.#places[column] as number;
    return this.#types[column] === 0 ? null : new Uint8Array(this.#record.subarray(at, at + bytes));
  }
}

function cellOf(page: Buffer, row: number): number {
  let low = 0;
  let high = page.readUInt16BE(3) - 1;
  const placeOf = (cell: number): number => page.readUInt16BE(8 + 2 * cell);
  while (low < high) {
    const middle = (low + high) >>> 1;
    const { next } = readVarint(page, placeOf(middle));
    if (readVarint(page, next).value < row) low = middle + 1;
    else high = middle;
  }
  return placeOf(low);
}
