/** Makes the segments of a county's index: passes each on at once, and builds the directory. */
import type { BoxBuilder } from './box-builder.ts';
import { type BuiltColumn, bytesOf } from './column-builder.ts';
import {
  type ColumnEntry,
  type CountyDirectory,
  directoryFormat,
  type IdsEntry,
  segmentNames,
  type WordsEntry,
} from './county-directory.ts';
import type { IndexedColumn } from './indexed-columns.ts';
import type { OutlineBuilder } from './outline-builder.ts';
import { sortedRows } from './sorted-rows.ts';
import type { TextOrder } from './text-order.ts';
import type { WordIndexBuilder } from './word-index-builder.ts';

/** Receives a segment as soon as it is complete. */
export type KeepSegment = (name: string, bytes: Uint8Array) => void;

/** Rows sampled to estimate how many a range keeps. */
const sampledRows = 128;

export class CountySegments {
  readonly rows: number;
  readonly #keep: KeepSegment;
  readonly #columns: Record<string, ColumnEntry> = {};
  readonly #words: Record<string, WordsEntry> = {};
  readonly #packed: string[] = [];
  readonly #orders: Record<string, { known: number }> = {};
  readonly #leftToSql: string[] = [];
  #ids: IdsEntry = { type: 'run', first: 1 };
  #outlineBytes = 0;

  constructor(rows: number, keep: KeepSegment) {
    this.rows = rows;
    this.#keep = keep;
  }

  leaveToSql(column: string): void {
    this.#leftToSql.push(column);
  }

  /** Usually one run of consecutive ids, which needs no segment. */
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

  addOutlines({ starts, bytes }: ReturnType<OutlineBuilder['finish']>): void {
    this.#keep(segmentNames.outlineStarts, bytesOf(starts));
    this.#keep(segmentNames.outlines, bytes);
    this.#outlineBytes = starts.byteLength + bytes.byteLength;
  }

  addColumn({ name, isSorted }: IndexedColumn, { width, codes, scale, values, known }: BuiltColumn): void {
    const ofRows = codes.subarray(0, this.rows);
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

  addOrder({ name }: IndexedColumn, { rows, known, starts }: TextOrder): void {
    this.#keep(segmentNames.order(name), bytesOf(rows));
    this.#keep(segmentNames.orderStarts(name), starts);
    this.#orders[name] = { known };
  }

  finish(): CountyDirectory {
    return {
      format: directoryFormat,
      rows: this.rows,
      ids: this.#ids,
      outlineBytes: this.#outlineBytes,
      columns: this.#columns,
      words: this.#words,
      packed: this.#packed,
      orders: this.#orders,
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
