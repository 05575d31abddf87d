/** A tile of the Web Mercator grid (EPSG:3857, y from the north): its bounds, and the position of coordinates on it. */
import type { Bounds } from '../geo/geometry.ts';
import { latitudeOf, longitudeOf, worldX, worldY } from '../geo/web-mercator.ts';
import { EngineError } from '../spec/errors.ts';
import { extent } from './mvt-writer.ts';

/** Shapes are drawn this many units beyond the tile, so that lines along its edge have full width. */
export const buffer = 64;

/** The deepest zoom of maps. */
export const maxZoom = 22;

export class TilePlace {
  readonly z: number;
  readonly x: number;
  readonly y: number;
  /** Units of this zoom across the world. */
  readonly #scale: number;

  constructor(z: number, x: number, y: number) {
    this.z = z;
    this.x = x;
    this.y = y;
    this.#scale = extent * 2 ** z;
  }

  /** Bounds in degrees of the tile. @param around extra units on every side */
  bounds(around: number): Bounds {
    const left = (this.x * extent - around) / this.#scale;
    const right = ((this.x + 1) * extent + around) / this.#scale;
    const top = (this.y * extent - around) / this.#scale;
    const bottom = ((this.y + 1) * extent + around) / this.#scale;
    return {
      minX: longitudeOf(left),
      maxX: longitudeOf(right),
      // The grid's edge includes everything beyond it.
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

  /** Whether the point belongs to this tile; it belongs to exactly one tile per zoom. */
  holds(longitude: number, latitude: number): boolean {
    return this.#cell(worldX(longitude)) === this.x && this.#cell(worldY(latitude)) === this.y;
  }

  #cell(world: number): number {
    const side = 2 ** this.z;
    return Math.min(side - 1, Math.max(0, Math.floor(world * side)));
  }
}

/** @throws EngineError validation_error if zoom, column or row is outside the grid */
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

/** Whether a box has valid degrees, so that the R-tree can be searched with it. */
export const isOnEarth = ({ minX, minY, maxX, maxY }: Bounds): boolean =>
  minX >= -180 && maxX <= 180 && minY >= -90 && maxY <= 90;
