/** The band around a shape: what lies outside it, and not farther from its boundary than some meters. */
import { squaredDistance } from './boundary-distance.ts';
import { evenOddPolygons } from './even-odd.ts';
import { boundsOfMultiPolygon, type MultiPolygon, type Ring } from './geometry.ts';
import { localMetric } from './local-metric.ts';

/** Cells of a grid across the band, and along its longer side. */
const parameters = { acrossBand: 3, fewest: 64, most: 320, blockCells: 8 } as const;

/**
 * Its outline follows the places of equal distance, found on a grid: within a hundredth of the distance of it, or a hundredth
 * of a cell of a large shape.
 * @param meters above 0; up to a few miles
 * @returns null without a boundary, or of one with tens of thousands of corners
 */
export function bandAround(polygons: MultiPolygon, meters: number): MultiPolygon | null {
  const { minX, minY, maxX, maxY } = boundsOfMultiPolygon(polygons);
  const [x, y] = [(minX + maxX) / 2, (minY + maxY) / 2];
  const metric = localMetric(y);
  const rings = polygons
    .flat()
    .map((ring) => ring.map((value, at) => (at % 2 === 0 ? (value - x) * metric.x : (value - y) * metric.y)));
  if (rings.length === 0) return null;
  const [width, height] = [(maxX - minX) * metric.x + 2 * meters, (maxY - minY) * metric.y + 2 * meters];
  const wanted = Math.ceil((parameters.acrossBand * Math.max(width, height)) / meters);
  const cell = Math.max(width, height) / Math.min(Math.max(wanted, parameters.fewest), parameters.most);
  // A cell beyond on every side: the outline is closed.
  const grid = { cell, columns: Math.ceil(width / cell) + 2, rows: Math.ceil(height / cell) + 2 };
  const [west, south] = [-width / 2 - cell, -height / 2 - cell];
  const outlines = zeroLines(
    grid,
    (column, row) => heightOver(rings, west + column * cell, south + row * cell) - meters,
  );
  const inDegrees = (ring: readonly number[]): Ring =>
    Float64Array.from(ring, (value, at) =>
      at % 2 === 0 ? x + (west + value * cell) / metric.x : y + (south + value * cell) / metric.y,
    );
  return evenOddPolygons([...outlines.map(inDegrees), ...polygons.flat()]);
}

/** Meters to the nearest of the boundaries; below 0 inside them. */
function heightOver(rings: readonly Ring[], x: number, y: number): number {
  let nearest = Number.POSITIVE_INFINITY;
  let isInside = false;
  for (const ring of rings)
    for (let at = 0; at + 3 < ring.length; at += 2) {
      const ax = (ring[at] as number) - x;
      const ay = (ring[at + 1] as number) - y;
      const dx = (ring[at + 2] as number) - x - ax;
      const dy = (ring[at + 3] as number) - y - ay;
      nearest = Math.min(nearest, squaredDistance(ax, ay, dx, dy));
      if (ay > 0 !== ay + dy > 0 && ax - (ay * dx) / dy > 0) isInside = !isInside;
    }
  return isInside ? -Math.sqrt(nearest) : Math.sqrt(nearest);
}

interface Grid {
  /** Meters. */
  readonly cell: number;
  readonly columns: number;
  readonly rows: number;
}

/**
 * Closed lines of columns and rows along which a height is 0; it is above 0 at the rim.
 * @param heightAt of a corner of cells; it changes by no more than the way goes
 */
function zeroLines({ cell, columns, rows }: Grid, heightAt: (column: number, row: number) => number): number[][] {
  const { blockCells } = parameters;
  const heights = new Map<number, number>();
  const height = (column: number, row: number): number => {
    const at = row * (columns + 1) + column;
    const known = heights.get(at) ?? heightAt(column, row);
    heights.set(at, known);
    return known;
  };
  const next = new Map<number, number>();
  const places = new Map<number, readonly [number, number]>();
  /** Where the height crosses 0 between a corner and the one east (0) or north (1) of it. */
  const crossing = (column: number, row: number, way: 0 | 1): number => {
    const key = 2 * (row * (columns + 1) + column) + way;
    const [here, there] = [height(column, row), height(column + 1 - way, row + way)];
    const share = here / (here - there);
    places.set(key, way === 0 ? [column + share, row] : [column, row + share]);
    return key;
  };
  const march = (column: number, row: number): void => {
    const corners = [
      height(column, row),
      height(column + 1, row),
      height(column + 1, row + 1),
      height(column, row + 1),
    ];
    const sides = [
      [column, row, 0],
      [column + 1, row, 1],
      [column, row + 1, 0],
      [column, row, 1],
    ] as const;
    const isBelow = corners.map((one) => one < 0);
    for (let side = 0; side < 4; side++) {
      if (!isBelow[side] || isBelow[(side + 1) % 4]) continue;
      // Counterclockwise it leaves what is below here, and comes back at a later side.
      let back = side + 1;
      while (isBelow[back % 4] || !isBelow[(back + 1) % 4]) back++;
      next.set(crossing(...(sides[side] as (typeof sides)[0])), crossing(...(sides[back % 4] as (typeof sides)[0])));
    }
  };
  const farthest = (blockCells * cell) / Math.SQRT2;
  for (let row = 0; row < rows; row += blockCells)
    for (let column = 0; column < columns; column += blockCells) {
      if (Math.abs(heightAt(column + blockCells / 2, row + blockCells / 2)) > farthest) continue;
      for (let north = row; north < Math.min(row + blockCells, rows); north++)
        for (let east = column; east < Math.min(column + blockCells, columns); east++) march(east, north);
    }
  return ringsOf(next, places);
}

/** Follows each line from crossing to crossing until it closes. */
function ringsOf(next: Map<number, number>, places: ReadonlyMap<number, readonly [number, number]>): number[][] {
  const rings: number[][] = [];
  for (const first of next.keys()) {
    const ring: number[] = [];
    for (let at: number | undefined = first; at !== undefined; ) {
      ring.push(...(places.get(at) ?? []));
      const following = next.get(at);
      next.delete(at);
      at = following;
    }
    rings.push(ring);
  }
  return rings;
}
