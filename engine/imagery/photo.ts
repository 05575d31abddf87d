/** A photo that is open: its levels, finest first, each read block by block. */
import type { Pixels } from './pixels.ts';

export interface PhotoLevel {
  readonly width: number;
  readonly height: number;
  /** Blocks at the right and lower edge are smaller. */
  readonly blockWidth: number;
  readonly blockHeight: number;
  /** Its pixels; null where the file has none. @throws Error if the bytes are damaged or not there */
  readonly read: (column: number, row: number) => Promise<Pixels | null>;
}

/** Least and greatest value that are drawn, of each band: a photo of 16 bit uses a part of its range. */
export type Stretch = readonly (readonly [least: number, greatest: number])[];

/**
 * What of the photo is no collar: for some rows the first and the last column of the photo, and for some columns the first
 * and the last row, as shares of its sides.
 */
export interface Frame {
  readonly rows: readonly (readonly [number, number])[];
  readonly columns: readonly (readonly [number, number])[];
}

/** `x = a·column + b·row + c`, `y = d·column + e·row + f`; a column and a row count from the outer corner. */
export type Affine = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** What is kept of a photo, so that it opens again without looking at all of it. */
export interface PhotoPlace {
  readonly affine: Affine;
  /** `EPSG:26919`, or a description. */
  readonly crs: string;
}

/** As jobs report it. */
export interface Progress {
  readonly phase: string;
  readonly rows: number;
  readonly total: number | null;
  readonly rows_per_second: number;
}

export const mostSide = 2 ** 31;
/** Of one tile or strip, unpacked. */
export const mostBlockBytes = 64 * 1024 * 1024;
