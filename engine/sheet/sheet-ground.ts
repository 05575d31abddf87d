/** The ground of a sheet from the kept heights: relief and contours over the whole frame, without seams of tiles. */

import type { Box, Path, Picture } from '../exporting/pdf-page.ts';
import { thinned } from '../geo/thinned.ts';
import { latitudeOf, longitudeOf, worldX, worldY } from '../geo/web-mercator.ts';
import type { LandStore } from '../store/land-store.ts';
import { contourLines } from '../terrain/contour-lines.ts';
import type { Heights } from '../terrain/heights.ts';
import { shaded } from '../terrain/shade.ts';
import { contourInterval, deepestContourZoom, leastContourZoom } from '../tiles/contour-tile.ts';
import { deepestReliefZoom, leastReliefZoom } from '../tiles/relief-tile.ts';
import { heightsOf } from '../tiles/terrain-source.ts';
import type { GroundFrame } from './ground-frame.ts';

/** A square of heights over the frame, in steps of the Web Mercator grid. */
interface HeightSquare {
  readonly heights: Float32Array;
  readonly side: number;
  /** Points of the page for a place of the square. */
  readonly x: (column: number) => number;
  readonly y: (row: number) => number;
  readonly zoom: number;
  /** Steps from the frame's west edge to its east edge, and from north to south. */
  readonly columns: number;
  readonly rows: number;
}

/** @param points of the page between two places. @param margin places beyond the frame on each side */
function heightSquare(
  ground: Heights,
  frame: GroundFrame,
  { zoom, points, margin }: { readonly zoom: number; readonly points: number; readonly margin: number },
): HeightSquare {
  const tiles = 2 ** zoom;
  const { minX, maxX, minY, maxY } = frame.bounds;
  const [west, north] = [worldX(minX) * tiles, worldY(maxY) * tiles];
  const [wide, high] = [worldX(maxX) * tiles - west, worldY(minY) * tiles - north];
  const columns = Math.ceil(frame.box.width / points);
  const step = wide / columns;
  const rows = Math.ceil(high / step);
  const side = Math.max(columns, rows) + 1 + 2 * margin;
  // Places count in tiles, whole or not.
  const heights = ground.lattice(zoom, west - margin * step, north - margin * step, { from: 0, step, side });
  return {
    ...{ heights, side, zoom, columns, rows },
    x: (column) => frame.x(longitudeOf((west + (column - margin) * step) / tiles)),
    y: (row) => frame.y(latitudeOf((north + (row - margin) * step) / tiles)),
  };
}

/** Points of the page between two heights of a contour, and of the relief: 96 to the inch. */
const [contourPoints, reliefPoints] = [2.4, 0.75];
/** Points: dropped corners lie this near to the line, and shorter rings are dropped. */
const [tolerance, leastRing] = [0.12, 22];

interface SheetContours {
  /** Feet. */
  readonly interval: number;
  readonly lines: readonly { readonly feet: number; readonly isBold: boolean; readonly path: Path }[];
}

/** Paper is read as a whole and in gray: contours stand as far apart as on a screen that shows twice the land. */
const coarserZooms = 1;

/** Null without elevation, or where the scale is too small for contours. */
export function sheetContours(land: LandStore, frame: GroundFrame): SheetContours | null {
  const ground = heightsOf(land);
  const zoom = Math.min(deepestContourZoom, Math.floor(frame.zoom) - coarserZooms);
  if (ground === null || zoom < leastContourZoom) return null;
  const interval = contourInterval(land, zoom);
  const { heights, side, x, y } = heightSquare(ground, frame, { zoom, points: contourPoints, margin: 3 });
  const lines = contourLines(heights, side, interval).flatMap(({ feet, isBold, points, isRing }) => {
    const path = points.map((place, at) => (at % 2 === 0 ? x(place) : y(place)));
    return isRing && lengthOf(path) < leastRing ? [] : [{ feet, isBold, path: thinned(path, tolerance) }];
  });
  return { interval, lines };
}

function lengthOf(path: Float64Array): number {
  let length = 0;
  for (let at = 2; at < path.length; at += 2) {
    const dx = (path[at] as number) - (path[at - 2] as number);
    length += Math.hypot(dx, (path[at + 1] as number) - (path[at - 1] as number));
  }
  return length;
}

/** The relief and where it lies; null without elevation under the frame. */
export function sheetRelief(
  land: LandStore,
  frame: GroundFrame,
): { readonly picture: Picture; readonly box: Box } | null {
  const ground = heightsOf(land);
  const zoom = Math.min(deepestReliefZoom, Math.floor(frame.zoom));
  if (ground === null || zoom < leastReliefZoom) return null;
  const { heights, side, columns, rows, x, y } = heightSquare(ground, frame, { zoom, points: reliefPoints, margin: 1 });
  const meters = (x(1) - x(0)) / frame.pointsPerMeter;
  const whole = shaded(heights, side, meters, zoom);
  if (whole === null) return null;
  // A pixel lies around its place.
  const [left, top] = [x(0.5), y(0.5)];
  const box = { x: left, y: top, width: x(columns + 1.5) - left, height: y(rows + 1.5) - top };
  return { picture: cutOut(whole, side - 2, columns + 1, rows + 1), box };
}

/** The upper left part of a square picture. */
function cutOut(whole: Uint8Array, side: number, width: number, height: number): Picture {
  const grayAlpha = new Uint8Array(2 * width * height);
  for (let row = 0; row < height; row++) {
    grayAlpha.set(whole.subarray(2 * row * side, 2 * (row * side + width)), 2 * row * width);
  }
  return { width, height, grayAlpha };
}
