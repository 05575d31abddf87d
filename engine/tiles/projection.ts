/** Projects degrees to units of one tile, fast: a logarithm per corner would be most of a tile's cost. */
import { gridLatitude } from '../geo/web-mercator.ts';
import type { TilePlace } from './tile-place.ts';

/**
 * From this zoom on a cubic replaces Mercator's northing up to a tile's height from the tile's center: the next term of the
 * series is below a thousandth of a unit there, even at 85°. Farther away the logarithm is used.
 */
const cubicZoom = 12;

export class Projection {
  readonly #place: TilePlace;
  readonly #perDegree: number;
  readonly #originX: number;
  readonly #middle: number;
  readonly #reach: number;
  readonly #y0: number;
  readonly #y1: number;
  readonly #y2: number;
  readonly #y3: number;

  constructor(place: TilePlace) {
    this.#place = place;
    this.#originX = place.unitsX(0);
    this.#perDegree = place.unitsX(1) - this.#originX;
    const bounds = place.bounds(0);
    const [minY, maxY] = [Math.max(bounds.minY, -gridLatitude), Math.min(bounds.maxY, gridLatitude)];
    this.#middle = (minY + maxY) / 2;
    this.#reach = place.z >= cubicZoom ? maxY - minY : -1;
    const sine = Math.sin((this.#middle * Math.PI) / 180);
    const secant = 1 / Math.sqrt(1 - sine * sine);
    const tangent = sine * secant;
    const radian = Math.PI / 180;
    // Derivatives of the northing by latitude: sec, sec·tan, sec·(sec² + tan²); y runs down.
    this.#y0 = place.unitsY(this.#middle);
    this.#y1 = -this.#perDegree * secant;
    this.#y2 = (-this.#perDegree * radian * secant * tangent) / 2;
    this.#y3 = (-this.#perDegree * radian * radian * secant * (secant * secant + tangent * tangent)) / 6;
  }

  x(longitude: number): number {
    return longitude * this.#perDegree + this.#originX;
  }

  y(latitude: number): number {
    const d = latitude - this.#middle;
    if (d > this.#reach || d < -this.#reach) return this.#place.unitsY(latitude);
    return this.#y0 + d * (this.#y1 + d * (this.#y2 + d * this.#y3));
  }
}
