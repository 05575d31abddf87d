/**
 * One county's current parcels → the segments of its column index. Read row by row in the order of property_id, so that
 * position and id rise together; once, unless there are so many that what is collected would fill the memory.
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
import { TextOrderBuilder } from './text-order.ts';
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

/**
 * Roughly what is collected of a row until its column is done, in bytes: codes of two bytes, or the numbers themselves of
 * eight; codes of four; four for each word of a name and where its words begin; the text of an APN; a text to sort by and
 * its place.
 */
const collectedBytes: Readonly<Record<IndexedColumn['kind'], number>> = {
  numbers: 4,
  texts: 4,
  words: 28,
  packed: 16,
  ordered: 32,
};

/**
 * Most that is collected at once. Beyond it the parcels are read again for further columns, at 1.3 µs a row: that
 * is what an import of a million of them within 512 MB depends on (1,084 with everything at once).
 */
const maxCollectedBytes = 32 * 1024 * 1024;

/** Columns that are collected in one reading. */
function readingsOf(rows: number, most: number): IndexedColumn[][] {
  const readings: IndexedColumn[][] = [[]];
  let bytes = 0;
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

/** Takes what the scan gives to one column. */
interface Collector {
  readonly column: IndexedColumn;
  readonly feed: (rows: Rows) => boolean;
  readonly finish: (county: CountySegments) => void;
}

/**
 * Segments are given away one after the other, and the directory in the end: together they may be as large as the parcels.
 * @param most bytes that are collected at once; fewer mean more readings, and nothing else
 */
export function buildCounty(source: CountySource, keep: KeepSegment, most = maxCollectedBytes): CountyDirectory {
  const county = new CountySegments(source.rows, keep);
  for (const [index, columns] of readingsOf(source.rows, most).entries()) {
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
