/** Converts between degrees and pixels of a photo, turned photos too. */
import { PixelMap } from '../enrichment/pixel-map.ts';
import { systemOfText } from '../importing/formats/crs/reference-system.ts';
import { EngineError } from '../spec/errors.ts';
import type { PhotoPlace } from './photo.ts';

export class PhotoGround {
  readonly #pixels: PixelMap;
  readonly #width: number;
  readonly #height: number;
  readonly #file: string;

  constructor({ affine: [a, b, c, d, e, f], crs }: PhotoPlace, width: number, height: number, filePath: string) {
    const system = systemOfText(crs, filePath);
    const toWgs84 = (pairs: Float64Array): void => {
      for (let at = 0; at + 1 < pairs.length; at += 2) {
        const [column, row] = [pairs[at] as number, pairs[at + 1] as number];
        pairs[at] = a * column + b * row + c;
        pairs[at + 1] = d * column + e * row + f;
      }
      system.toWgs84(pairs);
    };
    this.#pixels = new PixelMap({ originX: 0, originY: 0, cellX: 1, cellY: 1, toWgs84 }, width, height);
    [this.#width, this.#height, this.#file] = [width, height, filePath];
  }

  /** Columns and rows of pairs of degrees. */
  toPixels = (degrees: Float64Array): Float64Array => this.#pixels.toCells(degrees);

  toDegrees = (column: number, row: number): [number, number] => this.#pixels.toDegrees(column, row);

  /** West, south, east, north. @throws EngineError import_refused if it lies nowhere on Earth */
  bounds(): [number, number, number, number] {
    const box: [number, number, number, number] = [180, 90, -180, -90];
    for (let each = 0; each <= 8; each++) {
      const [across, down] = [(each / 8) * this.#width, (each / 8) * this.#height];
      const edges: readonly (readonly [number, number])[] = [
        [across, 0],
        [across, this.#height],
        [0, down],
        [this.#width, down],
      ];
      for (const place of edges) {
        const [x, y] = this.toDegrees(...place);
        box[0] = Math.min(box[0], x);
        box[1] = Math.min(box[1], y);
        box[2] = Math.max(box[2], x);
        box[3] = Math.max(box[3], y);
      }
    }
    const [west, south, east, north] = box;
    if (west >= -180 && east <= 180 && south >= -90 && north <= 90 && west < east && south < north) return box;
    throw new EngineError(
      'import_refused',
      `${this.#file}: expected a photo on Earth, found one from ${west}, ${south} to ${east}, ${north} degrees. Is its coordinate system right (--crs EPSG:…)?`,
    );
  }
}
