/**
 * Builds the segments of a county's column index from its current parcels. Reads rows in the order of property_id, so
 * that position and id rise together; once, unless the collected values would fill the memory.
 */
import type { Bounds } from '../geo/geometry.ts';
import { prefixBounds } from '../geo/spatialite-blob.ts';
import { BoxBuilder } from './box-builder.ts';
import {
  type ColumnBuilder,
  NumberColumnBuilder,
  PackedTextBuilder,
  type ReadValue,
  TextColumnBuilder,
} from './column-builder.ts';
import type { CountyDirectory } from './county-directory.ts';
import { CountySegments, type KeepSegment } from './county-segments.ts';
import { type IndexedColumn, indexedColumns } from './indexed-columns.ts';
import { OutlineBuilder } from './outline-builder.ts';
import { TextOrderBuilder } from './text-order.ts';
import { WordIndexBuilder } from './word-index-builder.ts';

/** The source of a county's parcels. */
export interface CountySource {
  readonly rows: number;
  /**
   * Yields every current parcel by property_id, ascending: a value for each of `columns`, then, with `withPlaces`, its
   * id, its geometry (or null), and its point's longitude and latitude. Each batch holds a few
   * hundred rows, which the reader may change.
   */
  scan(columns: readonly string[], withPlaces: boolean): Iterable<readonly unknown[][]>;
}

/**
 * Approximate bytes collected per row until its column is done: two-byte codes, or the numbers themselves at eight;
 * four-byte codes; four for each word of a name and its starts; the text of an APN; a text to sort by and its place.
 */
const collectedBytes: Readonly<Record<IndexedColumn['kind'], number>> = {
  numbers: 4,
  texts: 4,
  words: 28,
  packed: 16,
  ordered: 32,
};

/**
 * Limit of bytes collected at once. Beyond it the parcels are read again for further columns, at 1.3 µs per row: this
 * keeps an import of a million parcels within 512 MB (1,084 with everything at once).
 */
const maxCollectedBytes = 32 * 1024 * 1024;

/** The outline of a row, collected in the first pass. */
const outlineBytes = 20;

/** Columns collected in one pass. */
export function readingsOf(rows: number, most = maxCollectedBytes): IndexedColumn[][] {
  const readings: IndexedColumn[][] = [[]];
  let bytes = rows * outlineBytes;
  for (const column of indexedColumns) {
    const more = rows * collectedBytes[column.kind];
    if (bytes > 0 && bytes + more > most) {
      readings.push([]);
      bytes = 0;
    }
    readings.at(-1)?.push(column);
    bytes += more;
  }
  return readings;
}

type Rows = readonly (readonly unknown[])[];

/** Adds scanned rows to one column. */
interface Collector {
  readonly column: IndexedColumn;
  readonly feed: (rows: Rows) => boolean;
  readonly finish: (county: CountySegments) => void;
}

/**
 * Passes on segments one by one, and the directory last: together they may be as large as the parcels.
 * @param most bytes collected at once; fewer only mean more passes
 */
export function buildCounty(source: CountySource, keep: KeepSegment, most = maxCollectedBytes): CountyDirectory {
  const county = new CountySegments(source.rows, keep);
  for (const [index, columns] of readingsOf(source.rows, most).entries()) {
    const reading = new CountyReading(county, columns, index === 0);
    for (const rows of source.scan(reading.names, reading.withPlaces)) reading.add(rows);
    for (const _ of reading.finish());
  }
  return county.finish();
}

/** Collects columns while the parcels are read once. */
export class CountyReading {
  /** What a row holds, before its place. */
  readonly names: readonly string[];
  readonly withPlaces: boolean;
  readonly #county: CountySegments;
  readonly #lists: readonly number[];
  readonly #places: PlaceCollector | null;
  #collectors: Collector[];
  #count = 0;

  constructor(county: CountySegments, columns: readonly IndexedColumn[], withPlaces: boolean) {
    this.#county = county;
    this.names = [...new Set(columns.flatMap(({ sources }) => sources))];
    this.withPlaces = withPlaces;
    this.#lists = listPlaces(columns, this.names);
    this.#places = withPlaces ? new PlaceCollector(county.rows) : null;
    this.#collectors = columns.map((column) => collectorOf(column, this.names, county.rows));
  }

  /** @param rows as `CountySource.scan` yields them */
  add(rows: readonly unknown[][]): void {
    this.#count += rows.length;
    this.#places?.addAll(rows, this.names.length);
    for (const row of rows) for (const place of this.#lists) row[place] = listOf(row[place]);
    // A column with values it cannot index (text among numbers, written by another program) is left to SQL.
    const failed = this.#collectors.filter(({ feed }) => !feed(rows));
    if (failed.length > 0) this.#collectors = this.#collectors.filter((collector) => !failed.includes(collector));
    for (const { column } of failed) this.#county.leaveToSql(column.name);
  }

  /** A step for each column that can be indexed. */
  *finish(): Generator<void> {
    const { rows } = this.#county;
    if (this.#count !== rows) throw new Error(`expected ${rows} rows, found ${this.#count}`);
    for (const collector of takenOut(this.#collectors)) {
      collector.finish(this.#county);
      yield;
    }
    this.#places?.finish(this.#county);
  }
}

/** Yields items one by one and releases them: a column's collected values are freed when the next is requested. */
function* takenOut<Item>(items: Item[]): Generator<Item> {
  for (let item = items.shift(); item !== undefined; item = items.shift()) yield item;
}

/** Ids, boxes and outlines of all rows. */
class PlaceCollector {
  readonly #ids: Float64Array;
  readonly #boxes: BoxBuilder;
  readonly #outlines: OutlineBuilder;
  #next = 0;

  constructor(rows: number) {
    this.#ids = new Float64Array(rows);
    this.#boxes = new BoxBuilder(rows);
    this.#outlines = new OutlineBuilder(rows);
  }

  /** @param at index of a row's id; its geometry and its point follow */
  addAll(rows: Rows, at: number): void {
    for (const row of rows) {
      this.#ids[this.#next++] = row[at] as number;
      const bounds = boundsOf(row[at + 1], row[at + 2], row[at + 3]);
      this.#boxes.add(bounds, row[at + 1] !== null);
      this.#outlines.add(row[at + 1], bounds);
    }
  }

  finish(county: CountySegments): void {
    county.addIds(this.#ids);
    county.addBoxes(this.#boxes.finish());
    county.addOutlines(this.#outlines.finish());
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
  if (column.kind === 'ordered') {
    const builder = new TextOrderBuilder(rows);
    return {
      column,
      feed: (some) => builder.addAll(some, read),
      finish: (county) => county.addOrder(column, builder.finish()),
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

/** The index of a column's value in a scanned row, or a function that computes it. */
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

/** Indexes of the columns whose text is a list of numbers. */
const listPlaces = (columns: readonly IndexedColumn[], names: readonly string[]): number[] => [
  ...new Set(
    columns.flatMap(({ sources, element }) =>
      element === undefined ? [] : sources.map((name) => names.indexOf(name)),
    ),
  ),
];

/** An unreadable list counts as unknown. */
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
