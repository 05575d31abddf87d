/** Adds up elevations and slopes of a parcel, cell by cell over the windows of a raster. */
import { metersPerFoot } from '../geo/local-metric.ts';
import { slopeEdgesPercent } from '../spec/parcel-columns.ts';
import { type HeightWindow, hornSlopePercent } from './horn-slope.ts';
import { type Finding, rounded, unknownFor } from './layer-kinds.ts';

/** A window with its position in the raster; it has one more cell on every side than requested. */
export interface RasterWindow extends HeightWindow {
  /** first column and row of `heights` in the raster */
  readonly left: number;
  readonly top: number;
}

const feetDecimals = 1;
const percentDecimals = 2;

export const noHeights = 'the elevation raster does not cover the parcel';

export class TerrainSums {
  /** Number of the parcel's cells, including those beyond the raster. */
  readonly #cells: number;
  #heights = 0;
  #sum = 0;
  #min = Number.POSITIVE_INFINITY;
  #max = Number.NEGATIVE_INFINITY;
  #slopes = 0;
  #slopeSum = 0;
  readonly #steeper = new Float64Array(slopeEdgesPercent.length);

  constructor(cells: number) {
    this.#cells = cells;
  }

  /** Adds columns `from` to `to` (exclusive) of a row. @param cell size of a cell on the ground, in the unit of the heights */
  addSpan(
    window: RasterWindow,
    row: number,
    from: number,
    to: number,
    cell: { readonly width: number; readonly height: number },
  ): void {
    let at = (row - window.top) * window.width + from - window.left;
    for (let column = from; column < to; column++, at++) {
      const height = window.heights[at] as number;
      if (Number.isNaN(height)) continue;
      this.#heights++;
      this.#sum += height;
      if (height < this.#min) this.#min = height;
      if (height > this.#max) this.#max = height;
      this.#addSlope(hornSlopePercent(window, at, cell));
    }
  }

  #addSlope(slope: number): void {
    if (Number.isNaN(slope)) return;
    this.#slopes++;
    this.#slopeSum += slope;
    for (let index = 0; index < slopeEdgesPercent.length; index++) {
      // edges ascend
      if (slope <= (slopeEdgesPercent[index] as number)) return;
      this.#steeper[index] = (this.#steeper[index] as number) + 1;
    }
  }

  /** Whether a part of the parcel has heights. */
  get hasHeights(): boolean {
    return this.#heights > 0;
  }

  /**
   * Adds the cells of another raster, converted to the number of cells that this raster would have there.
   * @param unit the other raster's unit of height, in this one's unit
   */
  merge(other: TerrainSums, unit: number): void {
    const weight = this.#cells / other.#cells;
    this.#heights += other.#heights * weight;
    this.#sum += other.#sum * weight * unit;
    this.#min = Math.min(this.#min, other.#min * unit);
    this.#max = Math.max(this.#max, other.#max * unit);
    this.#slopes += other.#slopes * weight;
    this.#slopeSum += other.#slopeSum * weight;
    for (const [index, cells] of other.#steeper.entries()) {
      this.#steeper[index] = (this.#steeper[index] as number) + cells * weight;
    }
  }

  /** @param metersPerUnit of the heights. @param minDataShare least share of cells with a height, and with a slope */
  finding(metersPerUnit: number, minDataShare: number): Finding {
    const least = Math.max(1, minDataShare * this.#cells);
    if (this.#heights < least) return unknownFor('slope', noHeights);
    const feet = (height: number) => rounded((height * metersPerUnit) / metersPerFoot, feetDecimals);
    const elevations = [feet(this.#min), feet(this.#sum / this.#heights), feet(this.#max)];
    // at the raster's edge cells have heights but no slope
    if (this.#slopes < least) return { values: [...elevations, null, null], used: [], reason: null };
    const mean = rounded(this.#slopeSum / this.#slopes, percentDecimals);
    const shares = Array.from(this.#steeper, (cells) => rounded((100 * cells) / this.#slopes, percentDecimals));
    return { values: [...elevations, mean, JSON.stringify(shares)], used: [], reason: null };
  }
}
