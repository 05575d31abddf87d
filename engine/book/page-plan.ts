/**
 * The pages of a book: a grid with a little overlap, laid where the fewest pages hold all land. Rows are A, B, … from the
 * north, columns 1, 2, … from the west; those without land are not counted.
 */
import type { Box } from '../exporting/pdf-page.ts';
import { squareMetersPerAcre } from '../geo/area.ts';
import type { Bounds, MultiPolygon } from '../geo/geometry.ts';
import { unionOfBounds } from '../geo/geometry.ts';
import { localMetric } from '../geo/local-metric.ts';
import { type GroundFrame, groundFrame } from '../sheet/ground-frame.ts';
import { pointsPerMeter, sheetScales } from '../spec/sheet-paper.ts';

export interface Neighbor {
  readonly side: 'above' | 'below' | 'west' | 'east';
  readonly name: string;
}

export interface PlannedPage {
  readonly name: string;
  readonly frame: GroundFrame;
  readonly neighbors: readonly Neighbor[];
  /** What the page is of, as a township: frames of such pages overlap. */
  readonly area?: MultiPolygon;
}

/** A parcel as pages are planned by it. Only those that lie on several parts of a page are asked for their polygons. */
export interface Placed {
  readonly polygons: MultiPolygon;
  readonly bounds: Bounds;
  /** Its acres, if it may end at pages of other land where it is a strip; null: all of it gets pages. */
  readonly stripAcres: number | null;
}

export interface PagePlan {
  readonly scale: number;
  readonly pages: readonly PlannedPage[];
  /** Long strips, like roads, that reach beyond the pages. */
  readonly cutStrips: number;
  /** The page of a point on the land; undefined for one that lies on no page. */
  homeOf(point: readonly [number, number]): PlannedPage | undefined;
}

/** A book has no more map pages than this. */
export const mostPages = 3000;
const overlap = 0.04;
/** Shifts of the grid that are tried along each axis: parts of a page. */
const parts = 8;
/** Boxes of the land overlap: a plan whose boxes hold so many times its parts is hopeless. */
const mostTimes = 6;

interface Grid {
  readonly minX: number;
  readonly maxY: number;
  /** Degrees of a part. */
  readonly partX: number;
  readonly partY: number;
}

/** @returns null if there would be far more pages */
export function planPages(
  placed: readonly Placed[],
  box: Box,
  scale: number,
  most: number = mostPages,
): PagePlan | null {
  const grid = gridOf(unionOfBounds(placed.map((one) => one.bounds)) as Bounds, box, scale);
  const { bulk, strips } = apart(placed, grid);
  const bounds = unionOfBounds(bulk.map((one) => one.bounds)) as Bounds;
  const occupied = partsOf(bulk, grid, most * parts * parts * mostTimes);
  if (!occupied || occupied.size > most * parts * parts) return null;
  const stripParts = strips.map((one) => partsAlong(one, grid));
  // One that crosses no other land has pages of its own.
  for (const own of stripParts)
    if (![...own].some((key) => occupied.has(key))) for (const key of own) occupied.add(key);
  const { shiftX, shiftY, keys } = fewestPages([...occupied].map(partAt));
  const rows = keys.map(([row]) => row);
  const columns = keys.map(([, column]) => column);
  const [rowPlaces, columnPlaces] = [placesOf(rows), placesOf(columns)];
  // A single row or column is centered on the land.
  const centerX = new Set(columns).size === 1 ? (bounds.minX + bounds.maxX) / 2 : null;
  const centerY = new Set(rows).size === 1 ? (bounds.minY + bounds.maxY) / 2 : null;
  const places = new Set(keys.map(([row, column]) => `${row} ${column}`));
  const nameAt = (row: number, column: number) =>
    `${rowLetters(rowPlaces.get(row) ?? 0)}${(columnPlaces.get(column) ?? 0) + 1}`;
  const byPlace = new Map<string, PlannedPage>();
  for (const [row, column] of keys.sort((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const longitude = centerX ?? grid.minX + (parts * column - shiftX + parts / 2) * grid.partX;
    const latitude = centerY ?? grid.maxY - (parts * row - shiftY + parts / 2) * grid.partY;
    byPlace.set(`${row} ${column}`, {
      name: nameAt(row, column),
      frame: groundFrame(box, [longitude, latitude], scale),
      neighbors: sides
        .filter(({ down, right }) => places.has(`${row + down} ${column + right}`))
        .map(({ side, down, right }) => ({ side, name: nameAt(row + down, column + right) })),
    });
  }
  const pages = [...byPlace.values()];
  const homeOf: PagePlan['homeOf'] = ([longitude, latitude]) => {
    const row = Math.floor((rowOf(latitude, grid) + shiftY) / parts);
    const column = Math.floor((columnOf(longitude, grid) + shiftX) / parts);
    // A sliver of land beyond a page's part lies in its margin.
    return byPlace.get(`${row} ${column}`) ?? pages.find(({ frame }) => holds(frame.bounds, longitude, latitude));
  };
  const isOnPage = (key: number): boolean => {
    const [row, column] = partAt(key);
    return places.has(`${Math.floor((row + shiftY) / parts)} ${Math.floor((column + shiftX) / parts)}`);
  };
  const cutStrips = stripParts.filter((own) => ![...own].every(isOnPage)).length;
  return { scale, pages, cutStrips, homeOf };
}

/** A strip fills less than this share of its box, or is narrower than this share of a page. */
const stripShare = 0.05;

/** Land, and strips that are longer than a page: these alone ask for no pages. */
function apart(placed: readonly Placed[], { partX, partY, maxY }: Grid) {
  const metric = localMetric(maxY);
  const acresOfPart = (partX * metric.x * partY * metric.y) / squareMetersPerAcre;
  const isStrip = ({ bounds, stripAcres }: Placed): boolean => {
    if (stripAcres === null) return false;
    const [across, down] = [(bounds.maxX - bounds.minX) / partX, (bounds.maxY - bounds.minY) / partY];
    const long = Math.max(across, down);
    return long > parts && stripAcres < stripShare * Math.max(across * down, long * parts) * acresOfPart;
  };
  const strips = placed.filter(isStrip);
  if (strips.length === 0 || strips.length === placed.length) return { bulk: placed, strips: [] };
  const found = new Set(strips);
  return { bulk: placed.filter((one) => !found.has(one)), strips };
}

function partsAlong({ polygons }: Placed, grid: Grid): Set<number> {
  const own = new Set<number>();
  for (const ring of polygons.flat()) markRing(ring, grid, own);
  return own;
}

/** Empty rows and columns have no names: land far apart would begin at page BH735. */
const placesOf = (numbers: readonly number[]): ReadonlyMap<number, number> =>
  new Map([...new Set(numbers)].sort((a, b) => a - b).map((number, place) => [number, place]));

const sides = [
  { side: 'above', down: -1, right: 0 },
  { side: 'below', down: 1, right: 0 },
  { side: 'west', down: 0, right: -1 },
  { side: 'east', down: 0, right: 1 },
] as const;

export const holds = ({ minX, minY, maxX, maxY }: Bounds, x: number, y: number): boolean =>
  x >= minX && x <= maxX && y >= minY && y <= maxY;

/** Steps hold at every latitude of the land: elsewhere pages overlap a little more. */
function gridOf({ minX, minY, maxY }: Bounds, { width, height }: Box, scale: number): Grid {
  const points = pointsPerMeter(scale);
  const step = (1 - overlap) / points / parts;
  const nearest = minY <= 0 && maxY >= 0 ? 0 : Math.min(Math.abs(minY), Math.abs(maxY));
  const farthest = Math.max(Math.abs(minY), Math.abs(maxY));
  return {
    ...{ minX, maxY },
    partX: (width * step) / localMetric(nearest).x,
    partY: (height * step) / localMetric(farthest).y,
  };
}

const width = 1 << 20;
const partKey = (row: number, column: number): number => row * width + column;
const partAt = (key: number): readonly [row: number, column: number] => [Math.floor(key / width), key % width];

/** Parts of pages that hold land; null if there are far too many. */
function partsOf(placed: readonly Placed[], grid: Grid, most: number): Set<number> | null {
  const occupied = new Set<number>();
  const wide: Placed[] = [];
  let looked = 0;
  for (const one of placed) {
    const { top, bottom, left, right } = spanOf(one.bounds, grid);
    if (top === bottom && left === right) {
      occupied.add(partKey(top, left));
      continue;
    }
    looked += (bottom - top + 1) * (right - left + 1);
    if (looked > most) return null;
    wide.push(one);
  }
  for (const one of wide) {
    const span = spanOf(one.bounds, grid);
    // Most lie where smaller land is known already: a shape costs a look into the file.
    if (isOccupied(span, occupied)) continue;
    const { polygons } = one;
    for (const ring of polygons.flat()) markRing(ring, grid, occupied);
    markInside(polygons, span, grid, occupied);
  }
  return occupied;
}

function isOccupied({ top, bottom, left, right }: ReturnType<typeof spanOf>, occupied: ReadonlySet<number>): boolean {
  for (let row = top; row <= bottom; row++)
    for (let column = left; column <= right; column++) if (!occupied.has(partKey(row, column))) return false;
  return true;
}

const rowOf = (latitude: number, { maxY, partY }: Grid): number => Math.floor((maxY - latitude) / partY);
const columnOf = (longitude: number, { minX, partX }: Grid): number => Math.floor((longitude - minX) / partX);

const spanOf = ({ minX, minY, maxX, maxY }: Bounds, grid: Grid) => ({
  top: rowOf(maxY, grid),
  bottom: rowOf(minY, grid),
  left: columnOf(minX, grid),
  right: columnOf(maxX, grid),
});

/** Parts without an edge lie wholly inside, or outside: where the middle of their row is inside tells which. */
function markInside(
  polygons: MultiPolygon,
  { top, bottom }: ReturnType<typeof spanOf>,
  { minX, maxY, partX, partY }: Grid,
  occupied: Set<number>,
): void {
  const rings = polygons.flat();
  for (let row = top + 1; row < bottom; row++) {
    const crossings = crossingsAt(rings, maxY - (row + 0.5) * partY);
    for (let at = 0; at + 1 < crossings.length; at += 2) {
      const first = Math.ceil(((crossings[at] as number) - minX) / partX - 0.5);
      const last = Math.floor(((crossings[at + 1] as number) - minX) / partX - 0.5);
      for (let column = first; column <= last; column++) occupied.add(partKey(row, column));
    }
  }
}

/** Longitudes at which rings cross a latitude, ascending: land lies between the first and the second, and so on. */
function crossingsAt(rings: readonly Float64Array[], latitude: number): Float64Array {
  const found: number[] = [];
  for (const ring of rings) {
    for (let at = 0; at + 3 < ring.length; at += 2) {
      const ay = ring[at + 1] as number;
      const by = ring[at + 3] as number;
      if (ay > latitude === by > latitude) continue;
      const ax = ring[at] as number;
      found.push(ax + ((latitude - ay) / (by - ay)) * ((ring[at + 2] as number) - ax));
    }
  }
  return Float64Array.from(found).sort();
}

/** Parts along a ring, in steps of a quarter of a part. */
function markRing(ring: Float64Array, { minX, maxY, partX, partY }: Grid, occupied: Set<number>): void {
  for (let at = 0; at + 3 < ring.length; at += 2) {
    const [ax, ay] = [((ring[at] as number) - minX) / partX, (maxY - (ring[at + 1] as number)) / partY];
    const [bx, by] = [((ring[at + 2] as number) - minX) / partX, (maxY - (ring[at + 3] as number)) / partY];
    const steps = Math.ceil(4 * Math.max(Math.abs(bx - ax), Math.abs(by - ay))) || 1;
    for (let step = 0; step < steps; step++) {
      const share = step / steps;
      occupied.add(partKey(Math.floor(ay + (by - ay) * share), Math.floor(ax + (bx - ax) * share)));
    }
  }
}

interface Shift {
  readonly shiftX: number;
  readonly shiftY: number;
  readonly pages: ReadonlySet<number>;
  /** How unevenly the free room lies at the ends. */
  readonly lean: number;
}

/** The shift with the fewest pages; among several, the one that has the land most in the middle. */
function fewestPages(occupied: readonly (readonly [number, number])[]) {
  const rows = occupied.map(([row]) => row);
  const columns = occupied.map(([, column]) => column);
  const [leanX, leanY] = [leansOf(columns), leansOf(rows)];
  const best = Array.from({ length: parts * parts }, (_, at) => [at % parts, Math.floor(at / parts)] as const)
    .map(([shiftX, shiftY]): Shift => {
      const pages = new Set<number>();
      for (const [row, column] of occupied) {
        pages.add(partKey(Math.floor((row + shiftY) / parts), Math.floor((column + shiftX) / parts)));
      }
      return { shiftX, shiftY, pages, lean: (leanX[shiftX] as number) + (leanY[shiftY] as number) };
    })
    .reduce((least, one) => ((one.pages.size - least.pages.size || one.lean - least.lean) < 0 ? one : least));
  return { ...best, keys: [...best.pages].map(partAt) };
}

/** By shift: the difference between the free room before and behind the land. */
function leansOf(places: readonly number[]): number[] {
  let [least, most] = [Infinity, -Infinity];
  for (const place of places) {
    if (place < least) least = place;
    if (place > most) most = place;
  }
  return Array.from({ length: parts }, (_, shift) =>
    Math.abs(((least + shift) % parts) - (parts - 1 - ((most + shift) % parts))),
  );
}

/** A … Z, AA, AB … */
function rowLetters(row: number): string {
  const letter = String.fromCharCode(65 + (row % 26));
  return row < 26 ? letter : `${rowLetters(Math.floor(row / 26) - 1)}${letter}`;
}

const usualScale = 24_000;
/** A small book may be large in scale, a large one stays in one hand. */
const [fewPages, manyPages] = [12, 500];

/** The plan at 1:24,000, at a larger scale if few pages hold the land, at a smaller one if there would be very many. */
export function planAtBestScale(placed: readonly Placed[], box: Box): PagePlan {
  const scales = sheetScales.filter((scale) => scale >= 2400);
  for (const scale of scales) {
    // More pages than parcels would show parts of them alone.
    const most = Math.min(placed.length, scale < usualScale ? fewPages : manyPages);
    const plan = planPages(placed, box, scale, most);
    if (plan && plan.pages.length <= most) return plan;
  }
  return planPages(placed, box, scales.at(-1) as number) as PagePlan;
}

/** The largest scale whose pages a book may have; null: none. */
export function fittingScale(placed: readonly Placed[], box: Box, refused: number): number | null {
  return (
    sheetScales.find((scale) => {
      if (scale <= refused) return false;
      const plan = planPages(placed, box, scale);
      return plan !== null && plan.pages.length <= mostPages;
    }) ?? null
  );
}
