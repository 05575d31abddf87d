/** Trained forests as bytes, 8 a node: little-endian, the same on every machine. */

import { modelColumns } from './fold-view.ts';
import type { Forest } from './forest.ts';
import type { TrainedForests } from './market-model.ts';
import { modelParameters } from './model-parameters.ts';

const nodeBytes = 8;

/** Appends numbers, or reads them again. */
class Bytes {
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  putCount(count: number): void {
    this.#view.setUint32(this.#take(4), count, true);
  }

  takeCount(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  putNumber(value: number): void {
    this.#view.setFloat64(this.#take(8), value, true);
  }

  takeNumber(): number {
    return this.#view.getFloat64(this.#take(8), true);
  }

  /** `left` counts from the root of its tree. */
  putNode(column: number, bin: number, left: number, value: number): void {
    const at = this.#take(nodeBytes);
    this.#view.setInt8(at, column);
    this.#view.setUint8(at + 1, bin);
    this.#view.setUint16(at + 2, left, true);
    this.#view.setFloat32(at + 4, value, true);
  }

  takeNode() {
    const at = this.#take(nodeBytes);
    return {
      column: this.#view.getInt8(at),
      bin: this.#view.getUint8(at + 1),
      left: this.#view.getUint16(at + 2, true),
      value: this.#view.getFloat32(at + 4, true),
    };
  }

  /** How many things of `size` bytes or more follow: no more than there are bytes for. */
  takeLength(size: number): number {
    const length = this.takeCount();
    if (length * size > this.#view.byteLength - this.#at) throw new RangeError('more is announced than follows');
    return length;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#view.byteLength;
  }

  #take(length: number): number {
    const at = this.#at;
    this.#at += length;
    return at;
  }
}

const forestLength = ({ edges, roots, columns }: Forest): number =>
  8 +
  edges.reduce((sum, bounds) => sum + 4 + 8 * bounds.length, 0) +
  4 +
  4 * roots.length +
  4 +
  nodeBytes * columns.length;

function putForest(bytes: Bytes, { edges, roots, columns, bins, lefts, values, base }: Forest): void {
  bytes.putNumber(base);
  for (const bounds of edges) {
    bytes.putCount(bounds.length);
    for (const bound of bounds) bytes.putNumber(bound);
  }
  bytes.putCount(roots.length);
  for (const root of roots) bytes.putCount(root);
  bytes.putCount(columns.length);
  let tree = 0;
  for (const [node, column] of columns.entries()) {
    while (node >= (roots[tree + 1] ?? Infinity)) tree++;
    const left = column < 0 ? 0 : (lefts[node] as number) - (roots[tree] as number);
    bytes.putNode(column, bins[node] as number, left, values[node] as number);
  }
}

function takeForest(bytes: Bytes): Forest {
  const base = bytes.takeNumber();
  const takeNumbers = () => Float64Array.from({ length: bytes.takeLength(8) }, () => bytes.takeNumber());
  const edges = modelColumns.map(takeNumbers);
  const roots = Int32Array.from({ length: bytes.takeLength(4) }, () => bytes.takeCount());
  const count = bytes.takeLength(nodeBytes);
  const columns = new Int8Array(count);
  const bins = new Uint8Array(count);
  const lefts = new Int32Array(count);
  const values = new Float32Array(count);
  let tree = 0;
  for (let node = 0; node < count; node++) {
    while (node >= (roots[tree + 1] ?? Infinity)) tree++;
    const { column, bin, left, value } = bytes.takeNode();
    columns[node] = column;
    bins[node] = bin;
    lefts[node] = column < 0 ? 0 : (roots[tree] as number) + left;
    values[node] = value;
    // Children follow their parent, so that every way down ends at a leaf.
    const child = lefts[node] as number;
    if (column >= edges.length || (column >= 0 && (child <= node || child + 1 >= count)))
      throw new RangeError(`node ${node} leads to no node after it`);
  }
  if (roots.some((root) => root < 0 || root >= count)) throw new RangeError('a tree without a root');
  return { edges, roots, columns, bins, lefts, values, base };
}

export function bytesOfForests({ repeats, middleLogNear }: TrainedForests): Uint8Array {
  const forests = repeats.flat();
  const bytes = new Uint8Array(4 + 8 + forests.reduce((sum, forest) => sum + forestLength(forest), 0));
  const writer = new Bytes(bytes);
  writer.putCount(repeats.length);
  writer.putNumber(middleLogNear);
  for (const forest of forests) putForest(writer, forest);
  return bytes;
}

/** @throws RangeError if the bytes are not those of forests: a home may come from a stranger */
export function forestsOfBytes(bytes: Uint8Array): TrainedForests {
  const reader = new Bytes(bytes);
  const count = reader.takeLength(modelParameters.folds * nodeBytes);
  const middleLogNear = reader.takeNumber();
  const repeats = Array.from({ length: count }, () =>
    Array.from({ length: modelParameters.folds }, () => takeForest(reader)),
  );
  if (!reader.isAtEnd) throw new RangeError('the bytes go on after the last forest');
  return { repeats, middleLogNear };
}
