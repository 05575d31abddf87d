/** The number of rows an import will read: as the files say, else estimated from the bytes read so far. */
import fs from 'node:fs';
import type { FeaturePosition } from '../formats/parcel-feature.ts';
import type { OtherRows, ParcelLayer, RowsLeft } from '../formats/parcel-source.ts';
import type { ImportOptions } from './import-options.ts';

/** Below this share of a file an estimate would be unsteady. */
const steadyShare = 0.01;

export class RowTotal {
  readonly #sizes: readonly number[];
  /** What the files have that is no parcel, and is not read. */
  leftOut = 0;
  /** Rows of other counties that were passed over. */
  otherRows: OtherRows | null = null;
  /** Rows that the condition of the import passed over. */
  leftByCondition: RowsLeft | null = null;
  #done = 0;
  #file = 0;
  #counted: number | null = null;
  #last: FeaturePosition = { row: 0, byteOffset: 0 };

  constructor({ files = [] }: ImportOptions) {
    this.#sizes = files.map((file) => fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0);
  }

  /**
   * @param counted by the file itself; null: unknown
   * @param leftOut what the file has besides
   */
  begin(file: number, counted: number | null, leftOut = 0): void {
    this.leftOut += leftOut;
    this.#done += this.#last.row;
    this.#last = { row: 0, byteOffset: 0 };
    this.#file = file;
    this.#counted = counted;
  }

  take({ byteOffset }: FeaturePosition): void {
    // Counted, because a file may be read in parts.
    this.#last = { row: this.#last.row + 1, byteOffset };
  }

  passOver(layer: ParcelLayer | undefined): void {
    const left = layer?.leftByCondition?.();
    if (left) this.leftByCondition = { ...left, rows: (this.leftByCondition?.rows ?? 0) + left.rows };
    const found = layer?.otherRows?.() ?? null;
    const { rows = 0, files = 0 } = this.otherRows ?? {};
    if (found) this.otherRows = { ...found, rows: rows + found.rows, files: files + found.files };
  }

  /** Null if unknown. */
  get rows(): number | null {
    const own = this.#counted ?? this.#guess();
    const [size = 0, later] = [this.#sizes[this.#file], this.#sizes.slice(this.#file + 1)];
    if (own === null || (later.length > 0 && size === 0)) return null;
    const rest = later.reduce((sum, bytes) => sum + (own * bytes) / size, 0);
    return Math.max(this.#done + this.#last.row, Math.round(this.#done + own + rest));
  }

  #guess(): number | null {
    const share = this.#last.byteOffset / (this.#sizes[this.#file] || Number.POSITIVE_INFINITY);
    return share < steadyShare || share > 1 ? null : this.#last.row / share;
  }
}
