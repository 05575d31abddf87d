/**
 * What one forest of a market may see: the rows outside its fold, and of a lot the ten columns that describe it from
 * them (docs/valuation.md, "The market model").
 */
import { medianInPlace } from '../value-order.ts';
import type { MarketRows, Spot } from './market-rows.ts';
import { modelParameters } from './model-parameters.ts';
import type { NearRows } from './point-tree.ts';
import { roundMillionth } from './whole-random.ts';

/** What a factor of the model is put down to. */
export const modelCauses = ['size', 'place', 'time', 'use', 'neighbours'] as const;
export type ModelCause = (typeof modelCauses)[number];

/** The columns of a lot, each with the cause that its splits count for. */
export const modelColumns: readonly { readonly name: string; readonly cause: ModelCause }[] = [
  { name: 'ln acres', cause: 'size' },
  { name: 'north', cause: 'place' },
  { name: 'east', cause: 'place' },
  { name: 'years', cause: 'time' },
  { name: 'use', cause: 'use' },
  { name: 'neighbours by distance', cause: 'neighbours' },
  { name: 'neighbours by distance and size', cause: 'neighbours' },
  { name: 'the nearest neighbours', cause: 'neighbours' },
  { name: 'all neighbours', cause: 'neighbours' },
  { name: 'ln h', cause: 'place' },
];
/** The place of ln h among them. */
export const nearColumn = modelColumns.length - 1;

/** A lot to be described. */
export interface Described {
  readonly spot: Spot;
  /** Days since 1970-01-01. */
  readonly date: number | null;
  readonly use: string | null;
}

const clip = (value: number, limit: number): number => Math.max(-limit, Math.min(limit, value));

/** Least squares of y on 1, a, a² from their moments, with a hair of ridge. */
function solveQuadratic(powers: Float64Array, products: Float64Array): [number, number, number] {
  const [s0, s1, s2, s3, s4] = powers as unknown as [number, number, number, number, number];
  const [t0, t1, t2] = products as unknown as [number, number, number];
  const ridge = 1e-6;
  const rows: [number, number, number, number][] = [
    [s0, s1, s2, t0],
    [s1, s2 + ridge, s3, t1],
    [s2, s3, s4 + ridge, t2],
  ];
  for (const [i, pivot] of rows.entries()) {
    for (const row of rows.slice(i + 1)) {
      const share = (row[i] as number) / (pivot[i] as number);
      for (let column = i; column < 4; column++)
        row[column] = (row[column] as number) - share * (pivot[column] as number);
    }
  }
  const [[a0, a1, a2, a3], [, b1, b2, b3], [, , c2, c3]] = rows as [
    (typeof rows)[number],
    (typeof rows)[number],
    (typeof rows)[number],
  ];
  const square = c3 / c2;
  const slope = (b3 - b2 * square) / b1;
  return [(a3 - a1 * slope - a2 * square) / a0, slope, square];
}

export class FoldView {
  /** ln(price per acre) in the middle of its rows; targets count from it, so that a scale of prices changes no tree. */
  readonly center: number;
  readonly #market: MarketRows;
  readonly #folds: Uint8Array;
  readonly #fold: number;
  /** Of every row. */
  readonly #residuals: Float64Array;
  readonly #useLevels: ReadonlyMap<string, number>;
  readonly #used = new Float64Array(modelParameters.neighbours.used);

  constructor(market: MarketRows, folds: Uint8Array, fold: number) {
    this.#market = market;
    this.#folds = folds;
    this.#fold = fold;
    this.center = medianInPlace(market.logPrices.filter((_, row) => this.sees(row)));
    this.#residuals = this.#residualsOfSize();
    this.#useLevels = this.#levelsOfUses();
  }

  sees(row: number): boolean {
    return this.#folds[row] !== this.#fold;
  }

  /** The logarithm of its price per acre above the center. */
  targetAt(row: number): number {
    return roundMillionth((this.#market.logPrices[row] as number) - this.center);
  }

  /** What the curve of size leaves over of every row. */
  #residualsOfSize(): Float64Array {
    const { logAcres, count } = this.#market;
    const middle = medianInPlace(logAcres.slice());
    const powers = new Float64Array(5);
    const products = new Float64Array(3);
    for (let row = 0; row < count; row++) {
      if (!this.sees(row)) continue;
      const size = (logAcres[row] as number) - middle;
      const target = this.targetAt(row);
      let power = 1;
      for (let i = 0; i < 5; i++) {
        powers[i] = (powers[i] as number) + power;
        if (i < 3) products[i] = (products[i] as number) + power * target;
        power *= size;
      }
    }
    const [constant, slope, square] = solveQuadratic(powers, products);
    return logAcres.map((logSize, row) => {
      const size = logSize - middle;
      return this.targetAt(row) - constant - slope * size - square * size * size;
    });
  }

  /** Mean residuals by use, drawn toward 0; rare uses count as 0. */
  #levelsOfUses(): Map<string, number> {
    const { minCount, priorCount, maxResidual } = modelParameters.uses;
    const sums = new Map<string, { count: number; sum: number }>();
    for (const [row, { use }] of this.#market.comps.entries()) {
      if (use === null || !this.sees(row)) continue;
      const { count, sum } = sums.get(use) ?? { count: 0, sum: 0 };
      sums.set(use, { count: count + 1, sum: sum + clip(this.#residuals[row] as number, maxResidual) });
    }
    return new Map(
      [...sums].map(([use, { count, sum }]) => [
        use,
        count < minCount ? 0 : roundMillionth(sum / (count + priorCount)),
      ]),
    );
  }

  /** Writes the columns of a lot with these neighbours into `columns`. */
  describe({ spot, date, use }: Described, near: NearRows, columns: Float64Array): void {
    columns[0] = spot.logAcres;
    columns[1] = spot.north;
    columns[2] = spot.east;
    columns[3] = date === null ? Number.NaN : roundMillionth(date / 365.25);
    columns[4] = use === null ? Number.NaN : (this.#useLevels.get(use) ?? 0);
    this.#describeNeighbours(spot, near, columns);
  }

  #describeNeighbours(spot: Spot, near: NearRows, columns: Float64Array): void {
    const { used, nearest, nearRank, minNearKilometers, sizeKernel } = modelParameters.neighbours;
    const places: number[] = [];
    for (let place = 0; place < near.count && places.length < used; place++)
      if (this.sees(near.rows[place] as number)) places.push(place);
    if (places.length === 0) {
      columns.fill(Number.NaN, 5);
      return;
    }
    const rankPlace = places[Math.min(nearRank, places.length) - 1] as number;
    const nearKilometers = Math.max(minNearKilometers, Math.sqrt(near.squares[rankPlace] as number));
    let [weights, sum, sizedWeights, sizedSum] = [0, 0, 0, 0];
    for (const [i, place] of places.entries()) {
      const row = near.rows[place] as number;
      const residual = this.#residuals[row] as number;
      const size = ((this.#market.logAcres[row] as number) - spot.logAcres) / sizeKernel;
      const weight = Math.exp((-0.5 * (near.squares[place] as number)) / (nearKilometers * nearKilometers));
      const sized = weight * Math.exp(-0.5 * size * size) + 1e-9;
      weights += weight;
      sum += weight * residual;
      sizedWeights += sized;
      sizedSum += sized * residual;
      this.#used[i] = residual;
    }
    columns[5] = roundMillionth(sum / weights);
    columns[6] = roundMillionth(sizedSum / sizedWeights);
    columns[7] = roundMillionth(medianInPlace(this.#used.slice(0, Math.min(nearest, places.length))));
    columns[8] = roundMillionth(medianInPlace(this.#used.slice(0, places.length)));
    columns[nearColumn] = roundMillionth(Math.log(nearKilometers));
  }
}
