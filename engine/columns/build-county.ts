/**
 * One county's current parcels → the segments of its column index. Read once, row by row, in the order of property_id, so
 * that position and id rise together.
 */
import type { Bounds } from '../geo/geometry.ts';
import { prefixBounds } from '../geo/spatialite-blob.ts';
import { BoxBuilder } from './box-builder.ts';
import {
  type BuiltColumn,
  bytesOf,
  type ColumnBuilder,
  NumberColumnBuilder,
  PackedTextBuilder,
  type ReadValue,
  TextColumnBuilder,
} from './column-builder.ts';
import {
  type ColumnEntry,
  type CountyDirectory,
  directoryFormat,
  type IdsEntry,
  segmentNames,
  type WordsEntry,
} from './county-directory.ts';
import { type IndexedColumn, indexedColumns } from './indexed-columns.ts';
import { WordIndexBuilder } from './word-index-builder.ts';

/** What a county is read from. */
export interface CountySource {
  readonly rows: number;
  /**
   * Every current parcel by property_id, ascending: a value for each of `columns`, then, where places are asked for, its id,
   * the first bytes of its geometry (or null), and its point's longitude and latitude. Some hundred rows at a time, which
   * are the reader's to change.
   */
  scan(columns: readonly string[], withPlaces: boolean): Iterable<readonly unknown[][]>;
}

/** Takes a segment as soon as it is made. */
export type KeepSegment = (name: string, bytes: Uint8Array) => void;

/**
 * What is collected of a row until its column is done, in bytes, measured on generated counties: codes, or the numbers
 * themselves; the words of a name; the text of an APN.
 */
const collectedBytes: Readonly<Record<IndexedColumn['kind'], number>> = { numbers: 4, texts: 4, words: 28, packed: 16 };

/**
 * Most that is collected at once. Beyond it the parcels are read again for further columns, at a microsecond a row: that
 * keeps an import of a million of them within 512 MB.
 */
const maxCollectedBytes = 64 * 1024 * 1024;

/** Columns that are collected in one reading. */
function readingsOf(rows: number): IndexedColumn[][] {
  const readings: IndexedColumn[][] = [[]];
  let bytes = 0;
  for (const column of indexedColumns) {
    const more = rows * collectedBytes[column.kind];
    if (bytes > 0 && bytes + more > maxCollectedBytes) {
      readings.push([]);
      bytes = 0;
    }
    readings.at(-1)?.push(column);
    bytes += more;
  }
  return readings;
}

type Rows = readonly (readonly unknown[])[];

/** Takes what the scan gives to one column. */
interface Collector {
  readonly column: IndexedColumn;
  readonly feed: (rows: Rows) => boolean;
  readonly finish: (county: CountySegments) => void;
}

/** Segments are given away one after the other, and the directory in the end: together they may be as large as the parcels. */
export function buildCounty(source: CountySource, keep: KeepSegment): CountyDirectory {
  const county = new CountySegments(source.rows, keep);
  for (const [index, columns] of readingsOf(source.rows).entries()) {
    const places = index === 0 ? new PlaceCollector(source.rows) : null;
    for (const collector of collect(source, columns, county, places)) collector.finish(county);
    places?.finish(county);
  }
  return county.finish();
}

/** Reads the parcels once. Answers the columns that can be held. */
function collect(
  source: CountySource,
  columns: readonly IndexedColumn[],
  county: CountySegments,
  places: PlaceCollector | null,
): Iterable<Collector> {
  const names = [...new Set(columns.flatMap(({ sources }) => sources))];
  const lists = listPlaces(columns, names);
  let collectors = columns.map((column) => collectorOf(column, names, source.rows));
  let count = 0;
  for (const rows of source.scan(names, places !== null)) {
    count += rows.length;
    places?.addAll(rows, names.length);
    for (const row of rows) for (const place of lists) row[place] = listOf(row[place]);
    // What a column cannot hold (no county publishes text among numbers, but other programs write what they like) leaves
    // that column to SQL.
    const failed = collectors.filter(({ feed }) => !feed(rows));
    if (failed.length > 0) collectors = collectors.filter((collector) => !failed.includes(collector));
    for (const { column } of failed) county.leaveToSql(column.name);
  }
  if (count !== source.rows) throw new Error(`${source.rows} rows were announced and ${count} came`);
  return takenOut(collectors);
}

/** One after the other, and no longer held: what a column has collected goes when the next one is asked for. */
function* takenOut<Item>(items: Item[]): Generator<Item> {
  for (let item = items.shift(); item !== undefined; item = items.shift()) yield item;
}

/** Ids and boxes of all rows. */
class PlaceCollector {
  readonly #ids: Float64Array;
  readonly #boxes: BoxBuilder;
  #next = 0;

  constructor(rows: number) {
    this.#ids = new Float64Array(rows);
    this.#boxes = new BoxBuilder(rows);
  }

  /** @param at where a row's id stands; its geometry and its point follow */
  addAll(rows: Rows, at: number): void {
    for (const row of rows) {
      this.#ids[this.#next++] = row[at] as number;
      this.#boxes.add(boundsOf(row[at + 1], row[at + 2], row[at + 3]), row[at + 1] !== null);
    }
  }

  finish(county: CountySegments): void {
    county.addIds(this.#ids);
    county.addBoxes(this.#boxes.finish());
  }
}

function collectorOf(column: IndexedColumn, names: readonly string[], rows: number): Collector {
  const read = readerOf(column, names);
  if (column.kind === 'packed') {
    const builder = new PackedTextBuilder();
    return {
      column,
      feed: (some) => builder.addAll(some, read),
      finish: (county) => county.addPacked(column, builder.finish()),
    };
  }
  if (column.kind === 'words') {
    const builder = new WordIndexBuilder(rows);
    return {
      column,
      feed: (some) => builder.addAll(some, read),
      finish: (county) => county.addWords(column, builder.finish()),
    };
  }
  const builder: ColumnBuilder = column.kind === 'texts' ? new TextColumnBuilder(rows) : new NumberColumnBuilder(rows);
  return {
    column,
    feed: (some) => builder.addAll(some, read),
    finish: (county) => county.addColumn(column, builder.finish()),
  };
}

/** Where a scanned row has the value of a column, or how it is made. */
function readerOf({ sources, element }: IndexedColumn, names: readonly string[]): ReadValue {
  const places = sources.map((name) => names.indexOf(name));
  const [first = 0] = places;
  if (element !== undefined) return (row) => (row[first] as readonly unknown[] | null)?.[element] ?? null;
  if (places.length === 1) return first;
  return (row) => {
    let sum = 0;
    for (const place of places) {
      const value = row[place];
      if (value === null) return null;
      sum += value as number;
    }
    return sum;
  };
}

/** Where the columns stand whose text is a list of numbers. */
const listPlaces = (columns: readonly IndexedColumn[], names: readonly string[]): number[] => [
  ...new Set(
    columns.flatMap(({ sources, element }) =>
      element === undefined ? [] : sources.map((name) => names.indexOf(name)),
    ),
  ),
];

/** A list that cannot be read is an unknown one. */
function listOf(text: unknown): readonly unknown[] | null {
  if (typeof text !== 'string') return null;
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list : null;
  } catch {
    return null;
  }
}

function boundsOf(blob: unknown, x: unknown, y: unknown): Bounds | null {
  if (blob instanceof Uint8Array) return prefixBounds(blob);
  return typeof x === 'number' && typeof y === 'number' ? { minX: x, minY: y, maxX: x, maxY: y } : null;
}

/** Rows looked at to guess how many a range will keep. */
const sampledRows = 128;

class CountySegments {
  readonly #rows: number;
  readonly #keep: KeepSegment;
  readonly #columns: Record<string, ColumnEntry> = {};
  readonly #words: Record<string, WordsEntry> = {};
  readonly #packed: string[] = [];
  readonly #leftToSql: string[] = [];
  #ids: IdsEntry = { type: 'run', first: 1 };

  constructor(rows: number, keep: KeepSegment) {
    this.#rows = rows;
    this.#keep = keep;
  }

  leaveToSql(column: string): void {
    this.#leftToSql.push(column);
  }

  /** Mostly one run of numbers: then nothing is kept. */
  addIds(ids: Float64Array): void {
    const first = ids[0] ?? 1;
    const last = ids.at(-1) ?? 0;
    if (last - first + 1 === ids.length || ids.length === 0) {
      this.#ids = { type: 'run', first };
      return;
    }
    this.#ids = { type: 'list' };
    this.#keep(segmentNames.ids, bytesOf(ids));
  }

  addBoxes({ rowBoxes, wordBoxes, located, shaped }: ReturnType<BoxBuilder['finish']>): void {
    this.#keep(segmentNames.rowBoxes, bytesOf(rowBoxes));
    this.#keep(segmentNames.wordBoxes, bytesOf(wordBoxes));
    this.#keep(segmentNames.located, located);
    this.#keep(segmentNames.shaped, shaped);
  }

  addColumn({ name, isSorted }: IndexedColumn, { width, codes, scale, values, known }: BuiltColumn): void {
    const ofRows = codes.subarray(0, this.#rows);
    this.#keep(segmentNames.codes(name), bytesOf(codes));
    if (values) this.#keep(segmentNames.values(name), values);
    if (isSorted) this.#keep(segmentNames.order(name), bytesOf(sortedRows(ofRows, scale.count)));
    this.#columns[name] = {
      width,
      scale,
      sample: sampleOf(ofRows),
      known,
      isSorted: isSorted ?? false,
    };
  }

  addWords({ name }: IndexedColumn, built: ReturnType<WordIndexBuilder['finish']>): void {
    const segment = (part: keyof typeof segmentNames.words, bytes: Uint8Array) =>
      this.#keep(segmentNames.words[part](name), bytes);
    segment('vocabulary', built.vocabulary);
    segment('postingStarts', bytesOf(built.postingStarts));
    segment('postings', bytesOf(built.postings));
    segment('sequenceStarts', bytesOf(built.sequenceStarts));
    segment('sequence', bytesOf(built.sequence));
    segment('parts', built.parts);
    segment('partStarts', bytesOf(built.partStarts));
    segment('partWords', bytesOf(built.partWords));
    segment('unknown', built.unknown);
    this.#words[name] = { words: built.wordCount, known: built.known };
  }

  addPacked({ name }: IndexedColumn, packed: Uint8Array): void {
    this.#keep(segmentNames.packed(name), packed);
    this.#packed.push(name);
  }

  finish(): CountyDirectory {
    return {
      format: directoryFormat,
      rows: this.#rows,
      ids: this.#ids,
      columns: this.#columns,
      words: this.#words,
      packed: this.#packed,
      leftToSql: this.#leftToSql,
    };
  }
}

/** Codes of evenly spread rows, sorted. */
function sampleOf(codes: Uint8Array | Uint16Array | Uint32Array): number[] {
  const count = Math.min(sampledRows, codes.length);
  const sample = Uint32Array.from({ length: count }, (_, i) => codes[Math.floor((i * codes.length) / count)] as number);
  return [...sample.sort()];
}

/** Positions by code, equal codes by position, unknown ones last. */
export function sortedRows(codes: Uint8Array | Uint16Array | Uint32Array, highest: number): Uint32Array {
  // Of one type, whatever the width of the column: a loop that meets several takes ten times as long.
  const wide = new Uint32Array(codes);
  let rows = new Uint32Array(wide.length);
  for (let row = 0; row < rows.length; row++) rows[row] = row;
  // Least significant digit first (each pass keeps the order of the one before); 16 bits a pass.
  const digits = highest > 0xffff ? [0, 16] : [0];
  for (const shift of digits) rows = sortedByDigit(rows, wide, shift);
  const firstKnown = rows.findIndex((row) => wide[row] !== 0);
  if (firstKnown <= 0) return rows;
  const unknownLast = new Uint32Array(rows.length);
  unknownLast.set(rows.subarray(firstKnown));
  unknownLast.set(rows.subarray(0, firstKnown), rows.length - firstKnown);
  return unknownLast;
}

function sortedByDigit(rows: Uint32Array, codes: Uint32Array, shift: number): Uint32Array<ArrayBuffer> {
  const next = new Uint32Array(0x10001);
  for (const code of codes) {
    const digit = (code >>> shift) & 0xffff;
    next[digit + 1] = (next[digit + 1] as number) + 1;
  }
  for (let digit = 0; digit < 0x10000; digit++) {
    next[digit + 1] = (next[digit + 1] as number) + (next[digit] as number);
  }
  const sorted = new Uint32Array(rows.length);
  for (const row of rows) {
    const digit = ((codes[row] as number) >>> shift) & 0xffff;
    const at = next[digit] as number;
    sorted[at] = row;
    next[digit] = at + 1;
  }
  return sorted;
}
