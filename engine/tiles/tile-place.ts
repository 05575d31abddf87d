/** A tile of the Web Mercator grid (EPSG:3857, y from the north), and where places on earth lie on it. */
import type { Bounds } from '../geo/geometry.ts';
import { EngineError } from '../spec/errors.ts';
import { extent } from './mvt-writer.ts';

/** Units beyond the tile that shapes are drawn to, so that lines along its edge are as wide as everywhere. */
export const buffer = 64;

/** The deepest that maps zoom in. */
export const maxZoom = 22;

/** The grid ends where it is square: atan(sinh(π)). Beyond, places are taken as lying on its edge. */
export const gridLatitude = 85.0511287798066;

/** From 0 in the north-west corner of the grid to 1. */
export const worldX = (longitude: number): number => longitude / 360 + 0.5;

export function worldY(latitude: number): number {
  const held = Math.min(gridLatitude, Math.max(-gridLatitude, latitude));
  const sine = Math.sin((held * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

export const longitudeOf = (x: number): number => (x - 0.5) * 360;
export const latitudeOf = (y: number): number => (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI;

export class TilePlace {
  readonly z: number;
  readonly x: number;
  readonly y: number;
  /** Units of this zoom to a side of the world. */
  readonly #scale: number;

  constructor(z: number, x: number, y: number) {
    this.z = z;
    this.x = x;
    this.y = y;
    this.#scale = extent * 2 ** z;
  }

  /** Degrees, of the tile with so many units around it. */
  bounds(around: number): Bounds {
    const left = (this.x * extent - around) / this.#scale;
    const right = ((this.x + 1) * extent + around) / this.#scale;
    const top = (this.y * extent - around) / this.#scale;
    const bottom = ((this.y + 1) * extent + around) / this.#scale;
    return {
      minX: longitudeOf(left),
      maxX: longitudeOf(right),
      // The grid's edge stands for all that lies beyond.
      minY: bottom >= 1 ? -90 : latitudeOf(bottom),
      maxY: top <= 0 ? 90 : latitudeOf(top),
    };
  }

  unitsX(longitude: number): number {
    return worldX(longitude) * this.#scale - this.x * extent;
  }

  unitsY(latitude: number): number {
    return worldY(latitude) * this.#scale - this.y * extent;
  }

  /** Whether this tile, and no other of its zoom, is the point's. */
  holds(longitude: number, latitude: number): boolean {
    return this.#cell(worldX(longitude)) === this.x && this.#cell(worldY(latitude)) === this.y;
  }

  #cell(world: number): number {
    const side = 2 ** this.z;
    return Math.min(side - 1, Math.max(0, Math.floor(world * side)));
  }
}

/** @throws EngineError validation_error for what is no place on the grid */
export function tilePlace(z: number, x: number, y: number): TilePlace {
  if (!isCell(z, maxZoom + 1)) {
    throw new EngineError('validation_error', `Expected a whole zoom from 0 to ${maxZoom}, found ${z}.`);
  }
  const side = 2 ** z;
  if (!isCell(x, side) || !isCell(y, side)) {
    throw new EngineError(
      'validation_error',
      `Expected a column and a row from 0 to ${side - 1} at zoom ${z}, found ${x} and ${y}.`,
    );
  }
  return new TilePlace(z, x, y);
}

const isCell = (value: number, side: number): boolean => Number.isInteger(value) && value >= 0 && value < side;

/** A box that the R-tree can be asked for; whether a box of degrees is one at all. */
export const isOnEarth = ({ minX, minY, maxX, maxY }: Bounds): boolean =>
  minX >= -180 && maxX <= 180 && minY >= -90 && maxY <= 90;
