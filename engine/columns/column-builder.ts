/**
 * Turns the values of one column, row by row, into codes and a scale. Most columns of a county have few distinct
 * values; a row costs two bytes while collecting, and one or two in the index.
 */
import { NumberCodes } from './number-codes.ts';
import { compareUtf8, isIndexable, packTexts, TextPacker } from './text-table.ts';
import type { CodeWidth, ScaleEntry } from './value-scale.ts';

/** A finished column. */
export interface BuiltColumn {
  readonly width: CodeWidth;
  /** One code per row, then zeros to a multiple of 64 rows. */
  readonly codes: Uint8Array | Uint16Array | Uint32Array;
  readonly scale: ScaleEntry;
  /** Distinct values in order, for scales that store them. */
  readonly values: Uint8Array | null;
  /** Rows that have a value. */
  readonly known: number;
}

/**
 * Takes one value from each of some rows, in one loop per column: a call per row and column would cost more than the
 * work.
 */
export interface ColumnBuilder {
  /** @returns false when a value cannot be indexed: the column is then left to SQL */
  addAll(rows: readonly (readonly unknown[])[], read: ReadValue): boolean;
  finish(): BuiltColumn;
}

/** Index of the value in a row, or a function that computes it. */
export type ReadValue = number | ((row: readonly unknown[]) => unknown);

/** The values of some rows. */
export const valuesOf = (rows: readonly (readonly unknown[])[], read: ReadValue): unknown[] =>
  typeof read === 'number' ? rows.map((row) => row[read]) : rows.map(read);

/** Rows are processed 64 at a time. */
export const paddedRows = (rows: number): number => Math.ceil(rows / 64) * 64;

/** Up to this many distinct values a row stores a 16-bit code; 0 is unknown. */
const maximumCoded = 65_535;
const maximumNarrow = 255;

function codesOf(width: CodeWidth, rows: number): Uint8Array | Uint16Array | Uint32Array {
  const padded = paddedRows(rows);
  if (width === 1) return new Uint8Array(padded);
  return width === 2 ? new Uint16Array(padded) : new Uint32Array(padded);
}

const widthFor = (count: number): CodeWidth => (count <= maximumNarrow ? 1 : count <= maximumCoded ? 2 : 4);

/**
 * Maps codes in order of appearance to codes in order of value. One loop for each pair of widths: a loop that meets
 * several array types is compiled for none of them and takes ten times as long.
 */
function mapCodes(coded: Uint16Array | Uint32Array, final: Uint32Array, width: CodeWidth): BuiltColumn['codes'] {
  const codes = codesOf(width, coded.length);
  if (coded instanceof Uint16Array) {
    return codes instanceof Uint8Array ? map16To8(coded, final, codes) : map16To16(coded, final, codes);
  }
  if (codes instanceof Uint8Array) return map32To8(coded, final, codes);
  return codes instanceof Uint16Array ? map32To16(coded, final, codes) : map32To32(coded, final, codes);
}

function map16To8(coded: Uint16Array, final: Uint32Array, codes: Uint8Array): Uint8Array {
  for (let row = 0; row < coded.length; row++) codes[row] = final[coded[row] as number] as number;
  return codes;
}

function map16To16(coded: Uint16Array, final: Uint32Array, codes: BuiltColumn['codes']): BuiltColumn['codes'] {
  for (let row = 0; row < coded.length; row++) codes[row] = final[coded[row] as number] as number;
  return codes;
}

function map32To8(coded: Uint32Array, final: Uint32Array, codes: Uint8Array): Uint8Array {
  for (let row = 0; row < coded.length; row++) codes[row] = final[coded[row] as number] as number;
  return codes;
}

function map32To16(coded: Uint32Array, final: Uint32Array, codes: Uint16Array): Uint16Array {
  for (let row = 0; row < coded.length; row++) codes[row] = final[coded[row] as number] as number;
  return codes;
}

function map32To32(coded: Uint32Array, final: Uint32Array, codes: Uint32Array): Uint32Array {
  for (let row = 0; row < coded.length; row++) codes[row] = final[coded[row] as number] as number;
  return codes;
}

export class NumberColumnBuilder implements ColumnBuilder {
  readonly #rows: number;
  #next = 0;
  #known = 0;
  readonly #seen = new NumberCodes(maximumCoded);
  #coded: Uint16Array | null;
  #raw: Float64Array | null = null;

  /** @param rows how many will be added */
  constructor(rows: number) {
    this.#rows = rows;
    this.#coded = new Uint16Array(rows);
  }

  addAll(rows: readonly (readonly unknown[])[], read: ReadValue): boolean {
    for (const value of valuesOf(rows, read)) {
      const row = this.#next++;
      if (value === null) {
        if (this.#raw) this.#raw[row] = Number.NaN;
        continue;
      }
      if (typeof value !== 'number' || isInexact(value)) return false;
      this.#known++;
      if (this.#raw) this.#raw[row] = value;
      else this.#addCoded(row, value);
    }
    return true;
  }

  #addCoded(row: number, value: number): void {
    const coded = this.#coded as Uint16Array;
    const code = this.#seen.codeOf(value);
    if (code !== 0) coded[row] = code;
    else this.#spill(row)[row] = value;
  }

  /** Too many distinct values for 16 bits: from here on stores the numbers themselves. */
  #spill(rows: number): Float64Array {
    const values = this.#seen.values();
    const raw = new Float64Array(this.#rows);
    const coded = this.#coded as Uint16Array;
    for (let row = 0; row < rows; row++) raw[row] = values[(coded[row] as number) - 1] ?? Number.NaN;
    this.#raw = raw;
    this.#coded = null;
    return raw;
  }

  finish(): BuiltColumn {
    const known = this.#known;
    if (!this.#raw) return { ...this.#finishCoded(this.#coded as Uint16Array), known };
    return { ...(finishLinear(this.#raw) ?? finishDistinct(this.#raw)), known };
  }

  #finishCoded(coded: Uint16Array): Unfinished {
    const sorted = this.#seen.values().sort();
    const final = new Uint32Array(sorted.length + 1);
    for (let place = 0; place < sorted.length; place++) final[this.#seen.codeOf(sorted[place] as number)] = place + 1;
    const width = widthFor(sorted.length);
    const scale: ScaleEntry = { type: 'numbers', count: sorted.length };
    return { width, codes: mapCodes(coded, final, width), scale, values: bytesOf(sorted) };
  }
}

type Unfinished = Omit<BuiltColumn, 'known'>;

/** SQLite holds integers beyond 2^53 exactly, a JavaScript number does not. */
const isInexact = (value: number): boolean => Math.abs(value) > Number.MAX_SAFE_INTEGER && Number.isInteger(value);

export const bytesOf = (array: ArrayBufferView): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

/** Numbers with few decimals within 32 bits: codes are computed, and no list of values is stored. */
function finishLinear(raw: Float64Array): Unfinished | null {
  for (let divisor = 1; divisor <= 1_000_000; divisor *= 10) {
    const bounds = linearBounds(raw, divisor);
    if (bounds === null) continue;
    if (bounds.most - bounds.least + 1 >= 2 ** 32) return null;
    const codes = codesOf(4, raw.length);
    for (let row = 0; row < raw.length; row++) {
      const value = raw[row] as number;
      if (!Number.isNaN(value)) codes[row] = Math.round(value * divisor) - bounds.least + 1;
    }
    const scale: ScaleEntry = { type: 'linear', count: bounds.most - bounds.least + 1, least: bounds.least, divisor };
    return { width: 4, codes, scale, values: null };
  }
  return null;
}

/** Minimum and maximum of value × divisor; null if a value is no whole multiple of 1 ÷ divisor. */
function linearBounds(raw: Float64Array, divisor: number): { least: number; most: number } | null {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const value of raw) {
    if (Number.isNaN(value)) continue;
    const scaled = Math.round(value * divisor);
    if (scaled / divisor !== value || !Number.isSafeInteger(scaled)) return null;
    if (scaled < least) least = scaled;
    if (scaled > most) most = scaled;
  }
  return { least, most };
}

function finishDistinct(raw: Float64Array): Unfinished {
  const sorted = raw.filter((value) => !Number.isNaN(value)).sort();
  let count = 0;
  for (const value of sorted) {
    // Zero and minus zero are equal, as in SQL.
    if (count === 0 || value !== sorted[count - 1]) sorted[count++] = value;
  }
  const values = sorted.slice(0, count);
  const codes = codesOf(4, raw.length);
  for (let row = 0; row < raw.length; row++) {
    const value = raw[row] as number;
    if (!Number.isNaN(value)) codes[row] = codeIn(values, value);
  }
  return { width: 4, codes, scale: { type: 'numbers', count }, values: bytesOf(values) };
}

function codeIn(values: Float64Array, value: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low + 1;
}

export class TextColumnBuilder implements ColumnBuilder {
  #next = 0;
  #known = 0;
  readonly #seen = new Map<string, number>();
  readonly #coded: Uint32Array;

  constructor(rows: number) {
    this.#coded = new Uint32Array(rows);
  }

  addAll(rows: readonly (readonly unknown[])[], read: ReadValue): boolean {
    for (const value of valuesOf(rows, read)) {
      const row = this.#next++;
      if (value === null) continue;
      if (typeof value !== 'string') return false;
      let code = this.#seen.get(value);
      if (code === undefined) {
        if (!isIndexable(value)) return false;
        code = this.#seen.size + 1;
        this.#seen.set(value, code);
      }
      this.#coded[row] = code;
      this.#known++;
    }
    return true;
  }

  finish(): BuiltColumn {
    const seen = [...this.#seen].sort(([a], [b]) => compareUtf8(a, b));
    const final = new Uint32Array(seen.length + 1);
    for (const [place, [, code]] of seen.entries()) final[code] = place + 1;
    const sorted = seen.map(([text]) => text);
    const width = widthFor(sorted.length);
    const codes = mapCodes(this.#coded, final, width);
    const scale: ScaleEntry = { type: 'texts', count: sorted.length };
    return { width, codes, scale, values: packTexts(sorted), known: this.#known };
  }
}

/** Texts searched by any part: stored whole, row by row. */
export class PackedTextBuilder {
  readonly #texts = new TextPacker();

  /** @returns false when a value cannot be indexed */
  addAll(rows: readonly (readonly unknown[])[], read: ReadValue): boolean {
    for (const value of valuesOf(rows, read)) {
      if (value !== null && (typeof value !== 'string' || !isIndexable(value))) return false;
      this.#texts.add(value ?? '');
    }
    return true;
  }

  finish(): Uint8Array {
    return this.#texts.finish();
  }
}
