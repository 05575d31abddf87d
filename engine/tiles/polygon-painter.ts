/** Draws polygons on one tile, from a stored geometry in one pass without decoding it, or from rings. */
import { clipRing } from '../geo/clip-ring.ts';
import type { Bounds, PolygonRings, Ring } from '../geo/geometry.ts';
import { extent, type LayerWriter } from './mvt-writer.ts';
import type { PolygonScanner } from './polygon-scanner.ts';
import { Projection } from './projection.ts';
import { RingCorners } from './ring-corners.ts';
import { buffer, isOnEarth, type TilePlace } from './tile-place.ts';

export const bufferedBox: Bounds = { minX: -buffer, minY: -buffer, maxX: extent + buffer, maxY: extent + buffer };

const usualNumbers = 4096;

export class PolygonPainter {
  readonly projection: Projection;
  /** The tile with its buffer, in degrees. */
  readonly near: Bounds;
  readonly #corners = new RingCorners();
  #units = new Float64Array(usualNumbers);
  /** A corner, within the tile, of a part too small to draw. */
  #smallX = Number.NaN;
  #smallY = Number.NaN;

  constructor(place: TilePlace) {
    this.projection = new Projection(place);
    this.near = place.bounds(buffer);
  }

  /**
   * Adds the polygons of a stored geometry to the current feature.
   * @param keepsPixel draws one unit if everything is smaller, so that no white holes appear among parcels
   * @returns false, without drawing, if the bytes are not such a geometry or lie outside the world
   */
  drawBlob(layer: LayerWriter, scanner: PolygonScanner, keepsPixel: boolean): boolean {
    const { bounds } = scanner;
    if (!isOnEarth(bounds)) return false;
    this.#smallX = Number.NaN;
    const isWhole = holdsBox(this.near, bounds);
    let isExteriorDrawn = false;
    while (scanner.nextRing()) {
      const isHole = !scanner.isExterior;
      // Without its exterior a polygon holds nothing.
      if (isHole && !isExteriorDrawn) {
        scanner.skipRing();
        continue;
      }
      const isDrawn = isWhole ? this.#drawWhole(layer, scanner, isHole) : this.#drawClipped(layer, scanner, isHole);
      if (!isHole) isExteriorDrawn = isDrawn;
    }
    if (scanner.isDamaged) layer.discard();
    else if (keepsPixel && !layer.hasGeometry) this.#drawSmall(layer);
    return !scanner.isDamaged;
  }

  #drawWhole(layer: LayerWriter, scanner: PolygonScanner, isHole: boolean): boolean {
    const { projection } = this;
    const corners = this.#corners;
    const { points } = scanner;
    corners.begin(points);
    let x = 0;
    let y = 0;
    for (let point = 0; point < points; point++) {
      scanner.nextPoint();
      x = projection.x(scanner.x);
      y = projection.y(scanner.y);
      corners.add(x, y);
    }
    const isDrawn = corners.drawTo(layer, isHole);
    if (!isDrawn) this.#noteSmall(x, y);
    return isDrawn;
  }

  #drawClipped(layer: LayerWriter, scanner: PolygonScanner, isHole: boolean): boolean {
    const { projection } = this;
    const { points } = scanner;
    if (this.#units.length < points * 2) this.#units = new Float64Array(points * 4);
    const units = this.#units;
    for (let at = 0; at < points * 2; at += 2) {
      scanner.nextPoint();
      units[at] = projection.x(scanner.x);
      units[at + 1] = projection.y(scanner.y);
    }
    return this.#drawPart(layer, units.subarray(0, points * 2), isHole);
  }

  #drawPart(layer: LayerWriter, units: Ring, isHole: boolean): boolean {
    const left = clipRing(units, bufferedBox);
    if (!left) return false;
    this.#corners.addRing(left);
    const isDrawn = this.#corners.drawTo(layer, isHole);
    // Only its own corner shows that it is on the tile: clipping may leave a line along the edge.
    if (!isDrawn) this.#noteCornerWithin(units);
    return isDrawn;
  }

  #noteCornerWithin(units: Ring): void {
    const { minX, minY, maxX, maxY } = bufferedBox;
    for (let at = 0; at < units.length; at += 2) {
      const x = units[at] as number;
      const y = units[at + 1] as number;
      if (x < minX || x > maxX || y < minY || y > maxY) continue;
      this.#noteSmall(x, y);
      return;
    }
  }

  #noteSmall(x: number, y: number): void {
    this.#smallX = x;
    this.#smallY = y;
  }

  #drawSmall(layer: LayerWriter): void {
    if (Number.isNaN(this.#smallX)) return;
    drawSquare(layer, unitWithin(this.#smallX, bufferedBox.maxX), unitWithin(this.#smallY, bufferedBox.maxY), 1);
  }

  /** Adds a polygon in degrees to the current feature. */
  drawRings(layer: LayerWriter, rings: PolygonRings): void {
    for (const [index, ring] of rings.entries()) {
      const isDrawn = this.#drawPart(layer, this.#project(ring), index > 0);
      // Without its exterior a polygon holds nothing.
      if (!isDrawn && index === 0) return;
    }
  }

  #project(ring: Ring): Ring {
    const units = new Float64Array(ring.length);
    for (let at = 0; at < ring.length; at += 2) {
      units[at] = this.projection.x(ring[at] as number);
      units[at + 1] = this.projection.y(ring[at + 1] as number);
    }
    return units;
  }
}

const holdsBox = (outer: Bounds, inner: Bounds): boolean =>
  inner.minX >= outer.minX && inner.maxX <= outer.maxX && inner.minY >= outer.minY && inner.maxY <= outer.maxY;

const unitWithin = (value: number, end: number): number => Math.min(end - 1, Math.floor(value));

const square = new Int32Array(8);

/** A square of whole units, north-west corner first. */
export function drawSquare(layer: LayerWriter, x: number, y: number, side: number): void {
  square.set([x, y, x + side, y, x + side, y + side, x, y + side]);
  layer.ring(square, 4);
}
