/** The comps of a market as rows of its model: in order of ids, in groups that one parcel makes, and their neighbours. */
import { compareIds } from '../comp-table.ts';
import { splitTwins, toldSaleOf } from '../same-sale.ts';
import { medianInPlace } from '../value-order.ts';
import type { ValueComp } from '../value-types.ts';
import { modelParameters } from './model-parameters.ts';
import { createNearRows, type NearRows, PointTree } from './point-tree.ts';
import { hashOf, roundMillionth } from './whole-random.ts';

/** A comp that tells a price per acre. */
interface PricedComp extends ValueComp {
  readonly price: number;
  readonly acres: number;
}

export const isPriced = (comp: ValueComp): comp is PricedComp =>
  comp.struck == null &&
  comp.price !== null &&
  comp.acres !== null &&
  comp.price > 0 &&
  comp.acres > 0 &&
  comp.price / comp.acres < Infinity;

/**
 * What is never in two folds: the comps of one parcel; without a parcel, those of one place and size. At the point of a
 * ZIP code, where many lots lie, each comp is alone.
 */
export function groupKeyOf({ id, propertyId, coordinateGrain, latitude, longitude, acres }: PricedComp): string {
  if (propertyId !== null) return `p${propertyId}`;
  if (coordinateGrain === 'zip') return `i${id}`;
  return `a${Math.round(latitude * 2000)},${Math.round(longitude * 2000)},${Math.round(Math.log(acres) * 20)}`;
}

/** Priced comps, each sale once, in order of ids; of too many those whose groups have the smallest hashes. */
export function marketCompsOf(comps: Iterable<ValueComp>): PricedComp[] {
  const priced = [...comps].filter(isPriced).map((comp) => ({ ...toldSaleOf(comp), comp }));
  const { kept } = splitTwins(priced, (a, b) => compareIds(a.comp.id, b.comp.id));
  const byId = (a: PricedComp, b: PricedComp) => compareIds(a.id, b.id);
  const all = kept.map(({ comp }) => comp);
  if (all.length <= modelParameters.maxRows) return all.sort(byId);
  return all
    .map((comp) => ({ comp, hash: hashOf(`n${groupKeyOf(comp)}`) }))
    .sort((a, b) => a.hash - b.hash || byId(a.comp, b.comp))
    .slice(0, modelParameters.maxRows)
    .map(({ comp }) => comp)
    .sort(byId);
}

const kilometersPerDegreeEast = 111.32;
const kilometersPerDegreeNorth = 110.57;

/** A place on the plane of the market's middle latitude, and a size. */
export interface Spot {
  /** Kilometers. */
  readonly east: number;
  readonly north: number;
  readonly logAcres: number;
}

/** The model's inputs for a lot, without its neighbours. */
export interface Lot {
  readonly longitude: number;
  readonly latitude: number;
  readonly acres: number;
}

export class MarketRows {
  readonly comps: readonly PricedComp[];
  readonly keys: readonly string[];
  readonly logAcres: Float64Array;
  /** ln(price per acre), not rounded. */
  readonly logPrices: Float64Array;
  /** Tenths. */
  readonly weights: Uint8Array;
  readonly rowOf: ReadonlyMap<string, number>;
  readonly #eastPerDegree: number;
  readonly #east: Float64Array;
  readonly #north: Float64Array;
  readonly #groups: Int32Array;
  readonly #tree: PointTree;
  readonly #rowsOfParcel = new Map<number, number[]>();
  readonly #near = createNearRows(modelParameters.neighbours.searched);

  /** @param comps `marketCompsOf` */
  constructor(comps: readonly PricedComp[]) {
    this.comps = comps;
    this.keys = comps.map(groupKeyOf);
    this.rowOf = new Map(comps.map(({ id }, row) => [id, row]));
    const middle = medianInPlace(Float64Array.from(comps, ({ latitude }) => latitude));
    this.#eastPerDegree = kilometersPerDegreeEast * Math.cos((middle * Math.PI) / 180);
    const spots = comps.map((comp) => this.spotOf(comp));
    this.#east = Float64Array.from(spots, ({ east }) => east);
    this.#north = Float64Array.from(spots, ({ north }) => north);
    this.logAcres = Float64Array.from(spots, ({ logAcres }) => logAcres);
    this.logPrices = Float64Array.from(comps, ({ price, acres }) => Math.log(price / acres));
    this.weights = Uint8Array.from(comps, ({ status }) => modelParameters.statusTenths[status]);
    const numbers = new Map<string, number>();
    this.#groups = Int32Array.from(this.keys, (key) => {
      const number = numbers.get(key) ?? numbers.size;
      numbers.set(key, number);
      return number;
    });
    this.#tree = new PointTree(this.#east, this.#north);
    for (const [row, { propertyId }] of comps.entries()) {
      if (propertyId === null) continue;
      const rows = this.#rowsOfParcel.get(propertyId);
      if (rows) rows.push(row);
      else this.#rowsOfParcel.set(propertyId, [row]);
    }
  }

  get count(): number {
    return this.comps.length;
  }

  spotOf({ longitude, latitude, acres }: Lot): Spot {
    return {
      east: roundMillionth(longitude * this.#eastPerDegree),
      north: roundMillionth(latitude * kilometersPerDegreeNorth),
      logAcres: roundMillionth(Math.log(acres)),
    };
  }

  spotAt(row: number): Spot {
    return {
      east: this.#east[row] as number,
      north: this.#north[row] as number,
      logAcres: this.logAcres[row] as number,
    };
  }

  /** The rows nearest to a row that are other lots. The answer is valid until the next. */
  neighboursOf(row: number): NearRows {
    const { ownMeters, ownLogAcres } = modelParameters.neighbours;
    const ownSquare = (ownMeters / 1000) ** 2;
    const isPlaced = this.comps[row]?.coordinateGrain !== 'zip';
    const spot = this.spotAt(row);
    const isOwn = (other: number, square: number) =>
      this.#groups[other] === this.#groups[row] ||
      (isPlaced && square <= ownSquare && Math.abs((this.logAcres[other] as number) - spot.logAcres) <= ownLogAcres);
    this.#tree.findNearest(spot.east, spot.north, this.#near, isOwn);
    return this.#near;
  }

  /** The rows nearest to a place but for `skipped` ones. The answer is valid until the next. */
  nearestTo({ east, north }: Spot, skipped: ReadonlySet<number>): NearRows {
    this.#tree.findNearest(east, north, this.#near, (row) => skipped.has(row));
    return this.#near;
  }

  /** The rows of a parcel, and all within `kilometers` of a place. */
  rowsAbout(propertyId: number | null, { east, north }: Spot, kilometers: number): Set<number> {
    const rows = new Set(propertyId === null ? [] : this.#rowsOfParcel.get(propertyId));
    this.#tree.forEachWithin(east, north, kilometers, (row) => rows.add(row));
    return rows;
  }
}
