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
   * Every current parcel by property_id, ascending: its id, the first bytes of its geometry (or
   * null), its point's longitude and latitude, then a value for each of `columns`. Some thousand rows at a time,
   * which are the reader's to change.
   */
  scan(columns: readonly string[]): Iterable<readonly unknown[][]>;
}

export interface BuiltCounty {
  readonly directory: CountyDirectory;
  readonly segments: ReadonlyMap<string, Uint8Array>;
}

/** Places in a scanned row before the columns. */
const idAt = 0;
const geometryAt = 1;
const longitudeAt = 2;
const latitudeAt = 3;
const columnsAt = 4;

const sourceColumns = [...new Set(indexedColumns.flatMap(({ sources }) => sources))];

type Rows = readonly (readonly unknown[])[];

/** Takes what the scan gives to one column. */
interface Collector {
  readonly column: IndexedColumn;
  readonly feed: (rows: Rows) => boolean;
  readonly finish: (county: CountySegments) => void;
}

export function buildCounty(source: CountySource): BuiltCounty {
  const county = new CountySegments(source.rows);
  const ids = new Float64Array(source.rows);
  const boxes = new BoxBuilder(source.rows);
  let collectors = indexedColumns.map((column) => collectorOf(column, source.rows));
  let next = 0;
  for (const rows of source.scan(sourceColumns)) {
    for (const row of rows) {
      ids[next++] = row[idAt] as number;
      boxes.add(boundsOfRow(row), row[geometryAt] !== null);
      for (const place of listPlaces) row[place] = listOf(row[place]);
    }
    // What a column cannot hold (no county publishes text among numbers, but other programs write what they like) leaves
    // that column to SQL.
    const failed = collectors.filter(({ feed }) => !feed(rows));
    collectors = collectors.filter((collector) => !failed.includes(collector));
    for (const { column } of failed) county.leaveToSql(column.name);
  }
  if (next !== source.rows) throw new Error(`${source.rows} rows were announced and ${next} came`);
  county.addIds(ids);
  county.addBoxes(boxes.finish());
  for (const collector of collectors) collector.finish(county);
  return county.finish();
}

function collectorOf(column: IndexedColumn, rows: number): Collector {
  const read = readerOf(column);
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
function readerOf({ sources, element }: IndexedColumn): ReadValue {
  const places = sources.map((name) => columnsAt + sourceColumns.indexOf(name));
  const [first = columnsAt] = places;
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

/** Columns whose text is a list of numbers. */
const listPlaces = [
  ...new Set(
    indexedColumns.flatMap(({ sources, element }) =>
      element === undefined ? [] : sources.map((name) => columnsAt + sourceColumns.indexOf(name)),
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

function boundsOfRow(row: readonly unknown[]): Bounds | null {
  const blob = row[geometryAt];
  if (blob instanceof Uint8Array) return prefixBounds(blob);
  const x = row[longitudeAt];
  const y = row[latitudeAt];
  return typeof x === 'number' && typeof y === 'number' ? { minX: x, minY: y, maxX: x, maxY: y } : null;
}

/** Rows looked at to guess how many a range will keep. */
const sampledRows = 128;

class CountySegments {
  readonly #rows: number;
  readonly #segments = new Map<string, Uint8Array>();
  readonly #columns: Record<string, ColumnEntry> = {};
  readonly #words: Record<string, WordsEntry> = {};
  readonly #packed: string[] = [];
  readonly #leftToSql: string[] = [];
  #ids: IdsEntry = { type: 'run', first: 1 };

  constructor(rows: number) {
    this.#rows = rows;
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
    this.#segments.set(segmentNames.ids, bytesOf(ids));
  }

  addBoxes({ rowBoxes, wordBoxes, located, shaped }: ReturnType<BoxBuilder['finish']>): void {
    this.#segments.set(segmentNames.rowBoxes, bytesOf(rowBoxes));
    this.#segments.set(segmentNames.wordBoxes, bytesOf(wordBoxes));
    this.#segments.set(segmentNames.located, located);
    this.#segments.set(segmentNames.shaped, shaped);
  }

  addColumn({ name, isSorted }: IndexedColumn, { width, codes, scale, values }: BuiltColumn): void {
    const known = codes.subarray(0, this.#rows);
    this.#segments.set(segmentNames.codes(name), bytesOf(codes));
    if (values) this.#segments.set(segmentNames.values(name), values);
    if (isSorted) this.#segments.set(segmentNames.order(name), bytesOf(sortedRows(known, scale.count)));
    this.#columns[name] = {
      width,
      scale,
      sample: sampleOf(known),
      known: countKnown(known),
      isSorted: isSorted ?? false,
    };
  }

  addWords({ name }: IndexedColumn, built: ReturnType<WordIndexBuilder['finish']>): void {
    const segment = (part: keyof typeof segmentNames.words, bytes: Uint8Array) =>
      this.#segments.set(segmentNames.words[part](name), bytes);
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
    this.#segments.set(segmentNames.packed(name), packed);
    this.#packed.push(name);
  }

  finish(): BuiltCounty {
    const directory: CountyDirectory = {
      format: directoryFormat,
      rows: this.#rows,
      ids: this.#ids,
      columns: this.#columns,
      words: this.#words,
      packed: this.#packed,
      leftToSql: this.#leftToSql,
    };
    return { directory, segments: this.#segments };
  }
}

/** Rows that have a value. */
function countKnown(codes: BuiltColumn['codes']): number {
  let known = 0;
  for (const code of codes) if (code !== 0) known++;
  return known;
}

/** Codes of evenly spread rows, sorted. */
function sampleOf(codes: Uint8Array | Uint16Array | Uint32Array): number[] {
  const count = Math.min(sampledRows, codes.length);
  const sample = Uint32Array.from({ length: count }, (_, i) => codes[Math.floor((i * codes.length) / count)] as number);
  return [...sample.sort()];
}

/** Positions by code, equal codes by position, unknown ones last. */
export function sortedRows(codes: Uint8Array | Uint16Array | Uint32Array, highest: number): Uint32Array {
  // Least significant digit first (each pass keeps the order of the one before); 16 bits a pass.
  let rows: Uint32Array = Uint32Array.from({ length: codes.length }, (_, row) => row);
  const digits = highest > 0xffff ? [0, 16] : [0];
  for (const shift of digits) rows = sortedByDigit(rows, (row) => ((codes[row] as number) >>> shift) & 0xffff);
  const firstKnown = rows.findIndex((row) => codes[row] !== 0);
  if (firstKnown <= 0) return rows;
  const unknownLast = new Uint32Array(rows.length);
  unknownLast.set(rows.subarray(firstKnown));
  unknownLast.set(rows.subarray(0, firstKnown), rows.length - firstKnown);
  return unknownLast;
}

function sortedByDigit(rows: Uint32Array, digitOf: (row: number) => number): Uint32Array {
  const next = new Uint32Array(0x10001);
  for (const row of rows) next[digitOf(row) + 1] = (next[digitOf(row) + 1] as number) + 1;
  for (let digit = 0; digit < 0x10000; digit++) {
    next[digit + 1] = (next[digit + 1] as number) + (next[digit] as number);
  }
  const sorted = new Uint32Array(rows.length);
  for (const row of rows) {
    const digit = digitOf(row);
    const at = next[digit] as number;
    sorted[at] = row;
    next[digit] = at + 1;
  }
  return sorted;
}
