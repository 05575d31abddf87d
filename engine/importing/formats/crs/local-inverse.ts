/**
 * Interpolates a projection's inverse, because the exact one costs half a microsecond per vertex and a county has
 * millions.
 *
 * The plane is cut into square cells at fixed places, so that results do not depend on the order of the file. Within a
 * cell, longitude and latitude are polynomials of second degree in both directions through nine exact points. Their
 * error is of third order: (2 km / radius of the Earth)³, some 0.01 mm. Each cell is compared with the exact inverse at
 * the four points of largest error; where it differs by more than 1e-9 degrees (0.1 mm: at the edge of a datum shift,
 * near the antimeridian, far outside the zone) the exact inverse is used instead.
 */

/** Writes longitude and latitude of x, y into `out` at `at`. */
export type Inverse = (x: number, y: number, out: Float64Array, at: number) => void;

const cellMeters = 4000;
const toleranceDegrees = 1e-9;
/** 220 bytes each; a state of 500 by 500 km has 16,000. */
const maxCells = 65_536;
const coefficients = 9;
/** Where the third order term x (x² - 1) is largest between -1 and 1. */
const worstPlace = Math.sqrt(1 / 3);

/** Marks a cell whose vertices need the exact inverse. */
const exactCell: Float64Array = new Float64Array(0);

const evaluate = (cell: Float64Array, at: number, u: number, v: number): number =>
  (cell[at] as number) +
  v * ((cell[at + 1] as number) + v * (cell[at + 2] as number)) +
  u *
    ((cell[at + 3] as number) +
      v * ((cell[at + 4] as number) + v * (cell[at + 5] as number)) +
      u * ((cell[at + 6] as number) + v * ((cell[at + 7] as number) + v * (cell[at + 8] as number))));

export class LocalInverse {
  readonly #exact: Inverse;
  readonly #half: number;
  readonly #cells = new Map<number, Float64Array>();
  readonly #pair = new Float64Array(2);
  #column = Number.NaN;
  #row = Number.NaN;
  #cell: Float64Array = exactCell;

  /** @param unitsPerMeter units of the plane per meter */
  constructor(exact: Inverse, unitsPerMeter: number) {
    this.#exact = exact;
    this.#half = (cellMeters / 2) * unitsPerMeter;
  }

  /** Converts x y pairs to longitudes and latitudes, in place. */
  apply(coordinates: Float64Array): void {
    const half = this.#half;
    for (let index = 0; index + 1 < coordinates.length; index += 2) {
      const x = coordinates[index] as number;
      const y = coordinates[index + 1] as number;
      const column = Math.floor(x / (2 * half));
      const row = Math.floor(y / (2 * half));
      if (column !== this.#column || row !== this.#row) this.#enter(column, row);
      const cell = this.#cell;
      if (cell === exactCell) {
        this.#exact(x, y, coordinates, index);
        continue;
      }
      const u = x / half - 2 * column - 1;
      const v = y / half - 2 * row - 1;
      coordinates[index] = evaluate(cell, 0, u, v);
      coordinates[index + 1] = evaluate(cell, coefficients, u, v);
    }
  }

  #enter(column: number, row: number): void {
    this.#column = column;
    this.#row = row;
    // Beyond a million cells either way (and for NaN) there is no land, and no key.
    if (!(Math.abs(column) < 2 ** 20 && Math.abs(row) < 2 ** 20)) {
      this.#cell = exactCell;
      return;
    }
    const key = (column + 2 ** 20) * 2 ** 21 + row + 2 ** 20;
    const known = this.#cells.get(key);
    this.#cell = known ?? this.#build(column, row);
    if (known) return;
    if (this.#cells.size >= maxCells) this.#cells.clear();
    this.#cells.set(key, this.#cell);
  }

  #build(column: number, row: number): Float64Array {
    const pair = this.#pair;
    const half = this.#half;
    const sample = (u: number, v: number) =>
      this.#exact((2 * column + 1 + u) * half, (2 * row + 1 + v) * half, pair, 0);
    const cell = new Float64Array(2 * coefficients);
    for (let u = -1; u <= 1; u++) {
      for (let v = -1; v <= 1; v++) {
        sample(u, v);
        const at = (u + 1) * 3 + v + 1;
        cell[at] = pair[0] as number;
        cell[coefficients + at] = pair[1] as number;
      }
    }
    for (const start of [0, coefficients]) {
      for (let line = 0; line < 3; line++) toPowers(cell, start + line * 3, 1);
      for (let line = 0; line < 3; line++) toPowers(cell, start + line, 3);
    }
    for (const u of [-worstPlace, worstPlace]) {
      for (const v of [-worstPlace, worstPlace]) {
        sample(u, v);
        const offLongitude = Math.abs(evaluate(cell, 0, u, v) - (pair[0] as number));
        const offLatitude = Math.abs(evaluate(cell, coefficients, u, v) - (pair[1] as number));
        if (!(offLongitude < toleranceDegrees && offLatitude < toleranceDegrees)) return exactCell;
      }
    }
    return cell;
  }
}

/** Turns values at -1, 0, 1 into the coefficients of 1, t, t² of the parabola through them. */
function toPowers(cell: Float64Array, start: number, step: number): void {
  const before = cell[start] as number;
  const middle = cell[start + step] as number;
  const after = cell[start + 2 * step] as number;
  cell[start] = middle;
  cell[start + step] = (after - before) / 2;
  cell[start + 2 * step] = (after + before) / 2 - middle;
}
