/**
 * The values of one column until a row group is full, and their bytes as Parquet stores them. No object for each value: a
 * million rows otherwise pass through a heap three times as large, because what lives as long as a group outlives the young
 * generation. Plain loops: iterators take four times as long for the hundred million values of a million rows.
 */
import type { ExportValue, ValueKind } from './export-columns.ts';

const dayMilliseconds = 86_400_000;

/** A column of a row group. */
export interface Chunk {
  /** 1 where a row has a value, else 0. */
  readonly levels: Uint8Array;
  readonly known: number;
  /** The known values in the encoding PLAIN (or RLE for yes and no); null where they stand in a dictionary. */
  readonly plain: Uint8Array | null;
  readonly dictionary: Dictionary | null;
  /** Absent without known values, or where no order is of use. */
  readonly least?: number | boolean | string | Uint8Array;
  readonly most?: number | boolean | string | Uint8Array;
}

export interface Dictionary {
  /** Distinct values in the encoding PLAIN. */
  readonly bytes: Uint8Array;
  readonly count: number;
  /** For each known value, its place among the distinct ones. */
  readonly places: Uint32Array;
}

export interface KeptColumn {
  /** @returns whether the value fits the type; one that does not is left out */
  add(value: ExportValue): boolean;
  chunk(): Chunk;
  clear(): void;
}

/** A dictionary has to halve the bytes. */
function isWorthIt(distinct: number, distinctBytes: number, known: number, plainBytes: number): boolean {
  const placeBytes = (known * bitsOf(distinct)) / 8;
  return 2 * (distinctBytes + placeBytes) <= plainBytes;
}

/** A place among so many takes these bits. */
export const bitsOf = (count: number): number => (count <= 1 ? 0 : 32 - Math.clz32(count - 1));

/** Numbers, NaN where unknown; `read` makes one of a value, NaN if it does not fit. */
class NumberColumn implements KeptColumn {
  readonly #numbers: Float64Array;
  readonly #kind: NumberKind;
  #end = 0;

  constructor(rows: number, kind: NumberKind) {
    this.#numbers = new Float64Array(rows);
    this.#kind = kind;
  }

  add(value: ExportValue): boolean {
    const stored = value === null ? Number.NaN : this.#kind.read(value);
    this.#numbers[this.#end++] = stored;
    return value === null || !Number.isNaN(stored);
  }

  chunk(): Chunk {
    const { levels, known } = knownNumbers(this.#numbers.subarray(0, this.#end));
    return { levels, known: known.length, ...this.#kind.encode(known) };
  }

  clear(): void {
    this.#end = 0;
  }
}

function knownNumbers(numbers: Float64Array): { levels: Uint8Array; known: Float64Array } {
  const levels = new Uint8Array(numbers.length);
  const known = new Float64Array(numbers.length);
  let end = 0;
  for (let row = 0; row < numbers.length; row++) {
    const one = numbers[row] as number;
    if (Number.isNaN(one)) continue;
    levels[row] = 1;
    known[end++] = one;
  }
  return { levels, known: known.subarray(0, end) };
}

type Encoded = Omit<Chunk, 'levels' | 'known'>;

interface NumberKind {
  readonly read: (value: NonNullable<ExportValue>) => number;
  readonly encode: (known: Float64Array) => Encoded;
}

type NumberBytes = (numbers: Float64Array) => Uint8Array;

const bytesOf = ({ buffer, byteLength }: { buffer: ArrayBufferLike; byteLength: number }) =>
  new Uint8Array(buffer, 0, byteLength);

/** Little endian, as every machine that the database driver supports. */
const asInt64: NumberBytes = (numbers) => {
  const halves = new Int32Array(numbers.length * 2);
  for (let at = 0; at < numbers.length; at++) {
    const one = numbers[at] as number;
    halves[2 * at] = one;
    halves[2 * at + 1] = Math.floor(one / 2 ** 32);
  }
  return bytesOf(halves);
};
const asInt32: NumberBytes = (numbers) => bytesOf(Int32Array.from(numbers));
const asDouble: NumberBytes = (numbers) => bytesOf(numbers.slice());
const asFloat: NumberBytes = (numbers) => bytesOf(Float32Array.from(numbers));

const sampled = 256;

/** Whether few of the numbers are alike. */
function differ(numbers: Float64Array): boolean {
  const step = Math.max(1, Math.floor(numbers.length / sampled));
  const some = new Set<number>();
  let looked = 0;
  for (let at = 0; at < numbers.length; at += step, looked++) some.add(numbers[at] as number);
  return some.size > looked * 0.9;
}

function dictionaryOf(numbers: Float64Array, bytes: NumberBytes): Dictionary | null {
  if (differ(numbers)) return null;
  const known = new Map<number, number>();
  const places = new Uint32Array(numbers.length);
  const most = numbers.length / 2;
  for (let at = 0; at < numbers.length; at++) {
    const one = numbers[at] as number;
    let place = known.get(one);
    if (place === undefined) {
      place = known.size;
      if (place > most) return null;
      known.set(one, place);
    }
    places[at] = place;
  }
  const stored = bytes(Float64Array.from(known.keys()));
  const width = stored.length / known.size;
  if (!isWorthIt(known.size, stored.length, numbers.length, numbers.length * width)) return null;
  return { bytes: stored, count: known.size, places };
}

/** Parquet wants -0 for a least 0, and 0 for a most. */
function extent(numbers: Float64Array): Pick<Chunk, 'least' | 'most'> {
  if (numbers.length === 0) return {};
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let at = 0; at < numbers.length; at++) {
    const one = numbers[at] as number;
    if (one < least) least = one;
    if (one > most) most = one;
  }
  return { least: least === 0 ? -0 : least, most: most === 0 ? 0 : most };
}

const encodeWith =
  (bytes: NumberBytes) =>
  (known: Float64Array): Encoded => {
    const dictionary = dictionaryOf(known, bytes);
    return { dictionary, plain: dictionary ? null : bytes(known), ...extent(known) };
  };

/** Without a dictionary: the writer packs them. */
function encodeBooleans(known: Float64Array): Encoded {
  const { least, most } = extent(known);
  const range = least === undefined ? {} : { least: least !== 0, most: most !== 0 };
  return { dictionary: null, plain: Uint8Array.from(known), ...range };
}

const knownDays = new Map<unknown, number>();
const mostKnownDays = 100_000;

function daysOf(value: unknown): number {
  const known = knownDays.get(value);
  if (known !== undefined) return known;
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(String(value));
  const days = isDay ? Date.parse(`${value}T00:00:00Z`) / dayMilliseconds : Number.NaN;
  if (knownDays.size < mostKnownDays) knownDays.set(value, days);
  return days;
}

const numberKinds: Readonly<Record<Exclude<ValueKind, 'text'>, NumberKind>> = {
  integer: {
    read: (value) => (Number.isSafeInteger(value) ? (value as number) : Number.NaN),
    encode: encodeWith(asInt64),
  },
  number: { read: (value) => value as number, encode: encodeWith(asDouble) },
  boolean: { read: Number, encode: encodeBooleans },
  date: { read: daysOf, encode: encodeWith(asInt32) },
};

/** Texts, each once. */
class TextColumn implements KeptColumn {
  readonly #places = new Map<string, number>();
  readonly #texts: string[] = [];
  readonly #rows: Int32Array;
  #end = 0;
  /** Characters of all rows, and of the distinct texts. */
  #length = 0;
  #distinctLength = 0;

  constructor(rows: number) {
    this.#rows = new Int32Array(rows);
  }

  add(value: ExportValue): boolean {
    this.#rows[this.#end++] = value === null ? -1 : this.#placeOf(String(value));
    return true;
  }

  #placeOf(text: string): number {
    this.#length += text.length;
    const known = this.#places.get(text);
    if (known !== undefined) return known;
    this.#distinctLength += text.length;
    this.#places.set(text, this.#texts.length);
    return this.#texts.push(text) - 1;
  }

  chunk(): Chunk {
    const levels = new Uint8Array(this.#end);
    const places = new Uint32Array(this.#end);
    let known = 0;
    for (let row = 0; row < this.#end; row++) {
      const place = this.#rows[row] as number;
      if (place < 0) continue;
      levels[row] = 1;
      places[known++] = place;
    }
    return { levels, known, ...this.#encode(places.subarray(0, known)), ...textExtent(this.#texts) };
  }

  #encode(places: Uint32Array): Encoded {
    const [texts, count] = [this.#texts, this.#texts.length];
    const [distinctBytes, plainBytes] = [this.#distinctLength + 4 * count, this.#length + 4 * places.length];
    if (isWorthIt(count, distinctBytes, places.length, plainBytes))
      return { plain: null, dictionary: { bytes: plainTexts(texts, null, this.#distinctLength), count, places } };
    return { plain: plainTexts(texts, places, this.#length), dictionary: null };
  }

  clear(): void {
    this.#end = 0;
    this.#length = 0;
    this.#distinctLength = 0;
    this.#places.clear();
    this.#texts.length = 0;
  }
}

/** @param places which of them, in order; null: all @param length characters of these */
function plainTexts(texts: readonly string[], places: Uint32Array | null, length: number): Uint8Array {
  const count = places?.length ?? texts.length;
  const bytes = Buffer.allocUnsafe(count * 4 + length * 3);
  let at = 0;
  for (let i = 0; i < count; i++) {
    const written = bytes.write(texts[places ? (places[i] as number) : i] as string, at + 4);
    bytes.writeUInt32LE(written, at);
    at += 4 + written;
  }
  return bytes.subarray(0, at);
}

/** Above these characters the order of JavaScript is not that of UTF-8, which Parquet takes. */
const beyond = /[\ud800-\uffff]/;

function textExtent(texts: readonly string[]): Pick<Chunk, 'least' | 'most'> {
  let [least, most] = [texts[0], texts[0]];
  if (least === undefined || most === undefined) return {};
  for (let i = 1; i < texts.length; i++) {
    const text = texts[i] as string;
    if (text < least) least = text;
    else if (text > most) most = text;
  }
  if (!texts.some((text) => beyond.test(text))) return { least, most };
  const sorted = texts.map((text) => Buffer.from(text)).sort(Buffer.compare);
  return { least: sorted[0] as Buffer, most: sorted.at(-1) as Buffer };
}

/** @param rows at most, until `clear` */
export const keptColumn = (kind: ValueKind, rows: number): KeptColumn =>
  kind === 'text' ? new TextColumn(rows) : new NumberColumn(rows, numberKinds[kind]);

/** A side of the boxes. */
export const keptFloats = (rows: number): KeptColumn =>
  new NumberColumn(rows, {
    read: Number,
    encode: (known) => ({ dictionary: null, plain: asFloat(known), ...extent(known) }),
  });

/** Bytes of each row, one after the other, as PLAIN has them. */
export class BytesColumn {
  #bytes = Buffer.alloc(1024 * 1024);
  readonly #levels: Uint8Array;
  #rows = 0;
  #known = 0;
  #end = 0;

  constructor(rows: number) {
    this.#levels = new Uint8Array(rows);
  }

  add(bytes: Uint8Array | null): void {
    this.#levels[this.#rows++] = bytes ? 1 : 0;
    if (!bytes) return;
    this.#known++;
    if (this.#end + 4 + bytes.length > this.#bytes.length) this.#grow(4 + bytes.length);
    this.#end = this.#bytes.writeUInt32LE(bytes.length, this.#end);
    this.#bytes.set(bytes, this.#end);
    this.#end += bytes.length;
  }

  #grow(more: number): void {
    const larger = Buffer.alloc(Math.max(this.#bytes.length * 2, this.#end + more));
    this.#bytes.copy(larger);
    this.#bytes = larger;
  }

  chunk(): Chunk {
    const levels = this.#levels.slice(0, this.#rows);
    return { levels, known: this.#known, plain: this.#bytes.subarray(0, this.#end), dictionary: null };
  }

  clear(): void {
    this.#rows = 0;
    this.#known = 0;
    this.#end = 0;
  }
}
