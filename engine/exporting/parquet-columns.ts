/**
 * The values of one column until a row group is full, without an object for each: a million rows otherwise pass through a
 * heap three times as large, because what lives as long as a group outlives the young generation. Plain loops: iterators
 * take four times as long for the hundred million values of a million rows.
 */
import type { ExportValue, ValueKind } from './export-columns.ts';

const dayMilliseconds = 86_400_000;

export interface KeptColumn {
  /** @returns whether the value fits the type; one that does not is left out */
  add(value: ExportValue): boolean;
  /** As the writer of Parquet takes them, null where unknown. */
  values(): unknown[];
  clear(): void;
}

/** Numbers; `read` makes one of a value, NaN if it does not fit, `write` a value for Parquet of one. */
class NumberColumn implements KeptColumn {
  readonly #numbers: Float64Array;
  readonly #read: (value: NonNullable<ExportValue>) => number;
  readonly #write: (stored: number) => unknown;
  #end = 0;

  constructor(rows: number, { read, write }: NumberKind) {
    this.#numbers = new Float64Array(rows);
    this.#read = read;
    this.#write = write;
  }

  add(value: ExportValue): boolean {
    const stored = value === null ? Number.NaN : this.#read(value);
    this.#numbers[this.#end++] = stored;
    return value === null || !Number.isNaN(stored);
  }

  values(): unknown[] {
    const values = new Array<unknown>(this.#end);
    for (let row = 0; row < this.#end; row++) {
      const one = this.#numbers[row] as number;
      values[row] = Number.isNaN(one) ? null : this.#write(one);
    }
    return values;
  }

  clear(): void {
    this.#end = 0;
  }
}

/** Texts, each once. */
class TextColumn implements KeptColumn {
  readonly #places = new Map<string, number>();
  readonly #texts: string[] = [];
  readonly #rows: Int32Array;
  #end = 0;

  constructor(rows: number) {
    this.#rows = new Int32Array(rows);
  }

  add(value: ExportValue): boolean {
    this.#rows[this.#end++] = value === null ? -1 : this.#placeOf(String(value));
    return true;
  }

  #placeOf(text: string): number {
    const known = this.#places.get(text);
    if (known !== undefined) return known;
    this.#places.set(text, this.#texts.length);
    return this.#texts.push(text) - 1;
  }

  values(): unknown[] {
    const values = new Array<unknown>(this.#end);
    for (let row = 0; row < this.#end; row++) {
      const place = this.#rows[row] as number;
      values[row] = place < 0 ? null : this.#texts[place];
    }
    return values;
  }

  clear(): void {
    this.#end = 0;
    this.#places.clear();
    this.#texts.length = 0;
  }
}

interface NumberKind {
  readonly read: (value: NonNullable<ExportValue>) => number;
  readonly write: (stored: number) => unknown;
}

const numberKinds: Readonly<Record<Exclude<ValueKind, 'text'>, NumberKind>> = {
  integer: { read: (value) => (Number.isSafeInteger(value) ? (value as number) : Number.NaN), write: BigInt },
  number: { read: (value) => value as number, write: (stored) => stored },
  boolean: { read: Number, write: (stored) => stored === 1 },
  date: {
    read: (value) => {
      const isDay = /^\d{4}-\d{2}-\d{2}$/.test(String(value));
      return isDay ? Date.parse(`${value}T00:00:00Z`) / dayMilliseconds : Number.NaN;
    },
    write: (stored) => stored,
  },
};

/** @param rows at most, until `clear` */
export const keptColumn = (kind: ValueKind, rows: number): KeptColumn =>
  kind === 'text' ? new TextColumn(rows) : new NumberColumn(rows, numberKinds[kind]);

/** Bytes of each row, one after the other. */
export class BytesColumn {
  #bytes = Buffer.alloc(1024 * 1024);
  readonly #ends: number[] = [];
  #end = 0;

  add(bytes: Uint8Array | null): void {
    if (bytes) {
      if (this.#end + bytes.length > this.#bytes.length) this.#grow(bytes.length);
      this.#bytes.set(bytes, this.#end);
      this.#end += bytes.length;
    }
    this.#ends.push(bytes ? this.#end : -1);
  }

  #grow(more: number): void {
    const larger = Buffer.alloc(Math.max(this.#bytes.length * 2, this.#end + more));
    this.#bytes.copy(larger);
    this.#bytes = larger;
  }

  values(): (Uint8Array | null)[] {
    let start = 0;
    return this.#ends.map((end) => {
      if (end < 0) return null;
      const from = start;
      start = end;
      return this.#bytes.subarray(from, end);
    });
  }

  clear(): void {
    this.#end = 0;
    this.#ends.length = 0;
  }
}
