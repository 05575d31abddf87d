/**
 * The opened index of one county: columns are loaded into its memory on first use and stay there. Positions are rows in
 * the order of property_id.
 */

import type { Bounds } from '../geo/geometry.ts';
import type { CountyDirectory } from './county-directory.ts';
import { segmentNames } from './county-directory.ts';
import { CountyMemory } from './county-memory.ts';
import { orderOf } from './indexed-columns.ts';
import type { Kernels } from './kernels.ts';
import { sortedRows } from './sorted-rows.ts';
import type { TextOrder } from './text-order.ts';
import { TextTable } from './text-table.ts';
import { type CodeWidth, linearScale, numberScale, type Scale, TextScale } from './value-scale.ts';
import { WordIndex } from './word-index.ts';

/** A loaded column. */
export interface LoadedColumn {
  readonly name: string;
  readonly width: CodeWidth;
  /** Offset of the codes. */
  readonly at: number;
  readonly scale: Scale;
  /** Sorted codes of some rows. */
  readonly sample: readonly number[];
}

/** Loaded rows in order of value, known ones first. */
export interface LoadedOrder {
  /** Offset of the positions, u32. */
  readonly at: number;
  /** How many rows have a value. */
  readonly known: number;
  /** Offset of a bitmap over the entries: set where a new value begins. */
  readonly starts: number;
}

export interface LoadedWords {
  readonly index: WordIndex;
  /** Offset of where each word's postings begin, u32. */
  readonly postingStarts: number;
  /** Offset of the postings, u32. */
  readonly postingsAt: () => number;
  /** Offset of the bitmap of rows without a text. */
  readonly unknown: number;
}

interface LoadedBoxes {
  readonly rowBoxes: number;
  readonly wordBoxes: number;
  readonly located: number;
  /** Bitmap of the rows with a shape. */
  readonly shaped: number;
}

/** Loaded outlines; both 0 where there is no room for them. */
interface LoadedOutlines {
  /** Offset of where each row's outline begins, u32. */
  readonly starts: number;
  readonly at: number;
}

/** Reads a segment by name. The caller copies the bytes before it reads the next. */
type ReadSegment = (name: string) => Uint8Array;

export class CountyColumns {
  readonly fips: string;
  readonly rows: number;
  readonly memory: CountyMemory;
  readonly #directory: CountyDirectory;
  readonly #read: ReadSegment;
  readonly #hasRoom: (bytes: number) => boolean;
  readonly #columns = new Map<string, LoadedColumn>();
  readonly #orders = new Map<string, LoadedOrder>();
  readonly #words = new Map<string, LoadedWords>();
  readonly #packed = new Map<string, TextTable>();
  #boxes: LoadedBoxes | null = null;
  #outlines: LoadedOutlines | null = null;
  #bounds: Bounds | null | undefined;
  #ids: Float64Array | null = null;
  #heapBytes = 0;

  /** @param hasRoom whether this many bytes more are within the budget */
  constructor(fips: string, directory: CountyDirectory, read: ReadSegment, hasRoom: (bytes: number) => boolean) {
    this.#hasRoom = hasRoom;
    this.fips = fips;
    this.rows = directory.rows;
    this.memory = new CountyMemory(directory.rows);
    this.#directory = directory;
    this.#read = read;
  }

  get kernels(): Kernels {
    return this.memory.kernels;
  }

  /** 64-bit words of a bitmap. */
  get words(): number {
    return this.memory.words;
  }

  get byteLength(): number {
    return this.memory.byteLength + this.#heapBytes;
  }

  /** Whether the index has a column, or its words. */
  has(name: string): boolean {
    const { columns, words, packed } = this.#directory;
    return name in columns || name in words || packed.includes(name);
  }

  column(name: string): LoadedColumn {
    const known = this.#columns.get(name);
    if (known) return known;
    const entry = this.#directory.columns[name];
    if (!entry) throw new Error(`the index of ${this.fips} has no column ${name}`);
    const { width, sample } = entry;
    const loaded = {
      name,
      width,
      sample,
      scale: this.#scale(name),
      at: this.memory.place(this.#read(segmentNames.codes(name))),
    };
    this.#columns.set(name, loaded);
    return loaded;
  }

  #scale(name: string): Scale {
    const { scale } = this.#directory.columns[name] ?? {};
    if (scale?.type === 'linear') return linearScale(scale);
    const values = this.#read(segmentNames.values(name));
    this.#heapBytes += values.byteLength;
    return scale?.type === 'texts' ? new TextScale(values) : numberScale(floats(values));
  }

  /** Whether a column's values are stored as codes. */
  isCoded(name: string): boolean {
    return name in this.#directory.columns;
  }

  /** Null for a column with neither codes nor an order. */
  order(name: string): LoadedOrder | null {
    const known = this.#orders.get(name) ?? this.#storedOrder(name);
    if (known || !this.isCoded(name)) return known;
    const column = this.column(name);
    const stored = this.#directory.columns[name]?.isSorted;
    const rows = stored ? aligned(this.#read(segmentNames.order(name))) : this.#sortRows(column);
    return this.addOrder(name, { rows, ...this.#valueStarts(column, rows) });
  }

  #storedOrder(column: string): LoadedOrder | null {
    const name = orderOf(column);
    const stored = this.#directory.orders[name];
    if (!stored) return null;
    const rows = aligned(this.#read(segmentNames.order(name)));
    return this.addOrder(column, { rows, known: stored.known, starts: this.#read(segmentNames.orderStarts(name)) });
  }

  addOrder(name: string, { rows, known, starts }: TextOrder): LoadedOrder {
    const at = this.memory.place(new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength));
    const loaded = { at, known, starts: this.memory.place(starts) };
    this.#orders.set(name, loaded);
    return loaded;
  }

  #sortRows(column: LoadedColumn): Uint32Array {
    return sortedRows(this.codes(column), column.scale.count);
  }

  #valueStarts(column: LoadedColumn, rows: Uint32Array): { known: number; starts: Uint8Array } {
    const codes = this.codes(column);
    const starts = new Uint8Array(this.words * 8);
    let before = 0;
    let entry = 0;
    for (; entry < rows.length; entry++) {
      const code = codes[rows[entry] as number] as number;
      if (code === 0) break;
      if (code !== before) starts[entry >> 3] = (starts[entry >> 3] as number) | (1 << (entry & 7));
      before = code;
    }
    return { known: entry, starts };
  }

  /** The codes of a column, one per row; valid until the memory grows. */
  codes({ at, width }: LoadedColumn): Uint8Array | Uint16Array | Uint32Array {
    const { buffer } = this.memory;
    if (width === 1) return new Uint8Array(buffer, at, this.rows);
    return width === 2 ? new Uint16Array(buffer, at, this.rows) : new Uint32Array(buffer, at, this.rows);
  }

  wordsOf(name: string): LoadedWords {
    const known = this.#words.get(name);
    if (known) return known;
    const read = (part: keyof typeof segmentNames.words): Uint8Array => {
      const bytes = this.#read(segmentNames.words[part](name));
      this.#heapBytes += bytes.byteLength;
      return bytes;
    };
    const once = <Value>(make: () => Value): (() => Value) => {
      let made: Value | undefined;
      return () => {
        made ??= make();
        return made;
      };
    };
    const vocabulary = new TextTable(read('vocabulary'));
    const postingStarts = this.memory.place(this.#read(segmentNames.words.postingStarts(name)));
    const index = new WordIndex({
      memory: this.memory,
      vocabulary,
      postingStarts,
      parts: new TextTable(read('parts')),
      partStarts: aligned(read('partStarts')),
      partWords: aligned(read('partWords')),
      sequenceStarts: once(() => aligned(read('sequenceStarts'))),
      sequence: once(() => aligned(read('sequence'))),
    });
    const loaded = {
      index,
      postingStarts,
      postingsAt: once(() => this.memory.place(this.#read(segmentNames.words.postings(name)))),
      unknown: this.memory.place(this.#read(segmentNames.words.unknown(name))),
    };
    this.#words.set(name, loaded);
    return loaded;
  }

  /** The texts of a column searched by parts, by row. */
  packed(name: string): TextTable {
    const known = this.#packed.get(name);
    if (known) return known;
    const table = new TextTable(this.#read(segmentNames.packed(name)));
    this.#heapBytes += table.byteLength;
    this.#packed.set(name, table);
    return table;
  }

  /** Rows that have a value. */
  knownRows(name: string): number {
    return (this.#directory.columns[name] ?? this.#directory.words[name])?.known ?? 0;
  }

  /** The box around all rows with a place, rounded outwards like their boxes; null if none has one. */
  bounds(): Bounds | null {
    if (this.#bounds === undefined)
      this.#bounds = boundsOfWords(this.memory.floats(this.boxes().wordBoxes, this.words * 4));
    return this.#bounds;
  }

  boxes(): LoadedBoxes {
    this.#boxes ??= {
      rowBoxes: this.memory.place(this.#read(segmentNames.rowBoxes)),
      wordBoxes: this.memory.place(this.#read(segmentNames.wordBoxes)),
      located: this.memory.place(this.#read(segmentNames.located)),
      shaped: this.memory.place(this.#read(segmentNames.shaped)),
    };
    return this.#boxes;
  }

  /** Left out while memory is short: the exact test reads the parcels then. */
  outlines(): LoadedOutlines {
    if (!this.#outlines && !this.#hasRoom(this.#directory.outlineBytes)) return { starts: 0, at: 0 };
    this.#outlines ??= {
      starts: this.memory.place(this.#read(segmentNames.outlineStarts)),
      at: this.memory.place(this.#read(segmentNames.outlines)),
    };
    return this.#outlines;
  }

  /** property_id of a row. */
  id(row: number): number {
    const { ids } = this.#directory;
    return ids.type === 'run' ? ids.first + row : (this.#listedIds()[row] as number);
  }

  /** Row of a property_id, or −1. */
  rowOf(id: number): number {
    const { ids } = this.#directory;
    if (ids.type === 'run') {
      const row = id - ids.first;
      return row >= 0 && row < this.rows ? row : -1;
    }
    const row = this.firstRowFrom(id);
    return row < this.rows && this.#listedIds()[row] === id ? row : -1;
  }

  /** The first row whose property_id is `id` or more; `rows` where none is. */
  firstRowFrom(id: number): number {
    const { ids } = this.#directory;
    if (ids.type === 'run') return Math.min(Math.max(id - ids.first, 0), this.rows);
    const listed = this.#listedIds();
    let low = 0;
    let high = this.rows;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((listed[middle] as number) < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #listedIds(): Float64Array {
    if (this.#ids) return this.#ids;
    this.#ids = floats(this.#read(segmentNames.ids));
    this.#heapBytes += this.#ids.byteLength;
    return this.#ids;
  }
}

/** SQLite's bytes may be unaligned for numbers. */
function aligned(bytes: Uint8Array): Uint32Array {
  const from = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
  return new Uint32Array(from.buffer, from.byteOffset, from.byteLength / 4);
}

function floats(bytes: Uint8Array): Float64Array {
  const from = bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes);
  return new Float64Array(from.buffer, from.byteOffset, from.byteLength / 8);
}

/** @param boxes west, east, south, north: one list each of one number per word, NaN for words without a place */
function boundsOfWords(boxes: Float32Array): Bounds | null {
  const words = boxes.length / 4;
  const bounds = {
    minX: Number.POSITIVE_INFINITY,
    maxX: Number.NEGATIVE_INFINITY,
    minY: Number.POSITIVE_INFINITY,
    maxY: Number.NEGATIVE_INFINITY,
  };
  for (let word = 0; word < words; word++) {
    const [minX = 0, maxX = 0, minY = 0, maxY = 0] = [0, 1, 2, 3].map((side) => boxes[side * words + word]);
    if (Number.isNaN(minX)) continue;
    bounds.minX = Math.min(bounds.minX, minX);
    bounds.maxX = Math.max(bounds.maxX, maxX);
    bounds.minY = Math.min(bounds.minY, minY);
    bounds.maxY = Math.max(bounds.maxY, maxY);
  }
  return bounds.minX <= bounds.maxX ? bounds : null;
}
