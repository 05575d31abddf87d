/**
 * Where the parcels lie: the county is halved again and again until each piece is one parcel, and the number of parcels on
 * either side of a cut follows a density of towns in open country. So neighbours share edges exactly, lots of a tenth of
 * an acre lie close together in towns, and tracts of hundreds of acres lie between them.
 */
import type { Random } from '../../sample-maker/random.ts';

/** Whole units of 1e-7 degrees, the decimals that counties publish. */
export const unitsPerDegree = 1e7;
const metersPerDegree = 111_320;
const squareMetersPerAcre = 4046.856;
/** Mean over a county: lots in town, tracts outside. */
const meanAcres = 4;
/** Cells to a side of the summed density. */
const grid = 256;

/** A rectangle in units of 1e-7 degrees. */
export interface Extent {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

export interface Lot extends Extent {
  readonly acres: number;
}

export const eastMetersPerUnit = (latitude: number): number =>
  (metersPerDegree * Math.cos((latitude * Math.PI) / 180)) / unitsPerDegree;
const northMetersPerUnit = metersPerDegree / unitsPerDegree;

/** A square county, in meters, with room for this many parcels; its corner in degrees. */
export function extentFor(parcels: number, west: number, south: number): Extent {
  const side = Math.sqrt(parcels * meanAcres * squareMetersPerAcre);
  const corner = { west: Math.round(west * unitsPerDegree), south: Math.round(south * unitsPerDegree) };
  return {
    ...corner,
    east: corner.west + Math.round(side / eastMetersPerUnit(south)),
    north: corner.south + Math.round(side / northMetersPerUnit),
  };
}

/** Parcels per unit of area over the county, summed so that any rectangle's share is four look-ups. */
class Density {
  readonly #sums = new Float64Array((grid + 1) * (grid + 1));
  readonly #extent: Extent;

  constructor(extent: Extent, parcels: number, random: Random) {
    this.#extent = extent;
    const towns = Array.from({ length: Math.max(3, Math.round(Math.sqrt(parcels) / 25)) }, (_, rank) => ({
      x: random.between(0.06, 0.94),
      y: random.between(0.06, 0.94),
      radius: (random.between(0.5, 1) * 0.06) / Math.sqrt(1 + rank * 0.5),
    }));
    for (let row = 0; row < grid; row++) {
      let sum = 0;
      for (let column = 0; column < grid; column++) {
        const [x, y] = [(column + 0.5) / grid, (row + 0.5) / grid];
        // Ranches and timber in one part, small farms in another.
        let density = 0.004 * Math.exp(2 * Math.sin(9 * x + 1) * Math.sin(8 * y + 2));
        for (const town of towns) {
          const away = ((x - town.x) ** 2 + (y - town.y) ** 2) / town.radius ** 2;
          // Streets, and a belt of homesteads around them.
          if (away < 40) density += Math.exp(-1.5 * away) + 0.08 * Math.exp(-away / 6);
        }
        sum += density;
        this.#sums[(row + 1) * (grid + 1) + column + 1] = sum + (this.#sums[row * (grid + 1) + column + 1] ?? 0);
      }
    }
  }

  #below(x: number, y: number): number {
    const [column, row] = [Math.min(grid - 1, Math.floor(x)), Math.min(grid - 1, Math.floor(y))];
    const [u, v] = [x - column, y - row];
    const at = row * (grid + 1) + column;
    const sums = this.#sums;
    const [a = 0, b = 0] = [sums[at], sums[at + 1]];
    const [c = 0, d = 0] = [sums[at + grid + 1], sums[at + grid + 2]];
    return (a * (1 - u) + b * u) * (1 - v) + (c * (1 - u) + d * u) * v;
  }

  of({ west, south, east, north }: Extent): number {
    const extent = this.#extent;
    const across = grid / (extent.east - extent.west);
    const up = grid / (extent.north - extent.south);
    const [x0, x1] = [(west - extent.west) * across, (east - extent.west) * across];
    const [y0, y1] = [(south - extent.south) * up, (north - extent.south) * up];
    return this.#below(x1, y1) - this.#below(x0, y1) - this.#below(x1, y0) + this.#below(x0, y0);
  }
}

interface Piece extends Extent {
  readonly parcels: number;
}

/** Every lot of the county, neighbours close to each other in the order. */
export function* lotsOf(extent: Extent, parcels: number, random: Random): Generator<Lot> {
  const density = new Density(extent, parcels, random);
  const east = eastMetersPerUnit(extent.south / unitsPerDegree);
  const stack: Piece[] = [{ ...extent, parcels }];
  for (let piece = stack.pop(); piece; piece = stack.pop()) {
    const width = (piece.east - piece.west) * east;
    const height = (piece.north - piece.south) * northMetersPerUnit;
    if (piece.parcels > 1) {
      stack.push(...halves(piece, width > height, density, random));
      continue;
    }
    const acres = (width * height) / squareMetersPerAcre;
    const { west, south, north, east: right } = piece;
    yield { west, south, east: right, north, acres };
  }
}

function halves(piece: Piece, isWide: boolean, density: Density, random: Random): [Piece, Piece] {
  const share = random.between(0.3, 0.7);
  const x = Math.round(piece.west + share * (piece.east - piece.west));
  const y = Math.round(piece.south + share * (piece.north - piece.south));
  const first = isWide ? { ...piece, east: x } : { ...piece, north: y };
  const second = isWide ? { ...piece, west: x } : { ...piece, south: y };
  const part = density.of(first) / density.of(piece);
  const parcels = Math.min(piece.parcels - 1, Math.max(1, Math.round(piece.parcels * part)));
  return [
    { ...second, parcels: piece.parcels - parcels },
    { ...first, parcels },
  ];
}
