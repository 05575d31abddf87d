/**
 * The shape of an aliquot part, out of the polygon of its section, by the rules of the survey: a section is divided by
 * straight lines between the middles of opposite sides, a quarter by the middles of its own. Without the corners that
 * were set on the ground this is an approximation; sections along the north and west of a township have lots instead.
 *
 * Sides are polylines from corner to corner, so a part follows the bends of its section's boundary; lines are straight
 * in degrees, as everywhere in the engine.
 */
import type { AliquotPart, AliquotStep, Half } from '../spec/plss/aliquot.ts';
import { boundsOfCoordinates, type PolygonRings, planarRingArea, type Ring } from './geometry.ts';
import { localMetric } from './local-metric.ts';

type Point = readonly [number, number];
type Line = readonly Point[];

/** Four sides; north and south run from west to east, west and east from south to north. */
interface Region {
  readonly north: Line;
  readonly south: Line;
  readonly west: Line;
  readonly east: Line;
}

/** Less of a section's area between its four corners: it is not four-sided. */
const leastCornerShare = 0.9;

/** @returns null if the section's outline has no four corners */
export function aliquotShape(section: PolygonRings, part: AliquotPart): PolygonRings | null {
  const [outline] = section;
  const region = outline ? regionOf(outline) : null;
  if (region === null) return null;
  return [ringOf(part.reduce((within, step) => divided(within, step), region))];
}

function divided(region: Region, step: AliquotStep): Region {
  const scale = localMetric(middleOf(region.west)[1]);
  if (step.length === 1) return halfOf(region, step as Half, scale);
  // Both lines are drawn on the whole part: they meet in its center.
  const [northSouth, eastWest] = [halfOf(region, step.charAt(0) as Half, scale), step.charAt(1) as Half];
  const [bottom, top] = [splitAtMiddle(region.south, scale), splitAtMiddle(region.north, scale)];
  const [left, right] = [splitAtMiddle(region.west, scale), splitAtMiddle(region.east, scale)];
  const center = crossing(bottom.middle, top.middle, left.middle, right.middle);
  const isNorth = step.startsWith('N');
  const [cutWest, cutEast]: [Line, Line] = [
    [left.middle, center],
    [center, right.middle],
  ];
  const cutNorthSouth: Line = isNorth ? [center, top.middle] : [bottom.middle, center];
  const outer = isNorth ? top : bottom;
  if (eastWest === 'W') {
    return {
      north: isNorth ? outer.first : cutWest,
      south: isNorth ? cutWest : outer.first,
      west: northSouth.west,
      east: cutNorthSouth,
    };
  }
  return {
    north: isNorth ? outer.last : cutEast,
    south: isNorth ? cutEast : outer.last,
    west: cutNorthSouth,
    east: northSouth.east,
  };
}

function halfOf({ north, south, west, east }: Region, half: Half, scale: Scale): Region {
  if (half === 'N' || half === 'S') {
    const [left, right] = [splitAtMiddle(west, scale), splitAtMiddle(east, scale)];
    const cut: Line = [left.middle, right.middle];
    return half === 'N'
      ? { north, south: cut, west: left.last, east: right.last }
      : { north: cut, south, west: left.first, east: right.first };
  }
  const [bottom, top] = [splitAtMiddle(south, scale), splitAtMiddle(north, scale)];
  const cut: Line = [bottom.middle, top.middle];
  return half === 'W'
    ? { north: top.first, south: bottom.first, west, east: cut }
    : { north: top.last, south: bottom.last, west: cut, east };
}

interface Scale {
  readonly x: number;
  readonly y: number;
}

interface Split {
  readonly first: Line;
  readonly middle: Point;
  readonly last: Line;
}

const lengthOf = ([ax, ay]: Point, [bx, by]: Point, scale: Scale): number =>
  Math.hypot((bx - ax) * scale.x, (by - ay) * scale.y);

/** Splits a line in the middle of its length. */
function splitAtMiddle(line: Line, scale: Scale): Split {
  const lengths = line.slice(1).map((to, index) => lengthOf(line[index] as Point, to, scale));
  let left = lengths.reduce((sum, length) => sum + length, 0) / 2;
  for (const [index, length] of lengths.entries()) {
    if (left > length && index + 1 < lengths.length) {
      left -= length;
      continue;
    }
    const [a, b] = [line[index] as Point, line[index + 1] as Point];
    const share = length > 0 ? left / length : 0;
    const middle: Point = [a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])];
    return { first: [...line.slice(0, index + 1), middle], middle, last: [middle, ...line.slice(index + 1)] };
  }
  const only = line[0] as Point;
  return { first: line, middle: only, last: line };
}

const middleOf = (line: Line): Point => line[Math.floor(line.length / 2)] as Point;

/** Where the lines a–b and c–d meet; the middle of all four if they are parallel. */
function crossing(a: Point, b: Point, c: Point, d: Point): Point {
  const [ux, uy, vx, vy] = [b[0] - a[0], b[1] - a[1], d[0] - c[0], d[1] - c[1]];
  const cross = ux * vy - uy * vx;
  if (cross === 0) return [(a[0] + b[0] + c[0] + d[0]) / 4, (a[1] + b[1] + c[1] + d[1]) / 4];
  const share = ((c[0] - a[0]) * vy - (c[1] - a[1]) * vx) / cross;
  return [a[0] + share * ux, a[1] + share * uy];
}

/** Counterclockwise and closed. */
function ringOf({ north, south, west, east }: Region): Ring {
  const points = [
    ...south.slice(0, -1),
    ...east.slice(0, -1),
    ...north.toReversed().slice(0, -1),
    ...west.toReversed(),
  ];
  return Float64Array.from(points.flat());
}

/** The corners are the vertices that lie farthest out in the four diagonals of the outline's box. */
function regionOf(outline: Ring): Region | null {
  const isCounterclockwise = planarRingArea(outline) > 0;
  const open = Array.from(
    { length: outline.length / 2 - 1 },
    (_, index): Point => [outline[2 * index] as number, outline[2 * index + 1] as number],
  );
  const points = isCounterclockwise ? open : open.toReversed();
  const { minX, minY, maxX, maxY } = boundsOfCoordinates([outline]);
  if (!(maxX > minX) || !(maxY > minY)) return null;
  const farthest = (east: number, north: number): number => {
    const reach = points.map(([x, y]) => (east * (x - minX)) / (maxX - minX) + (north * (y - minY)) / (maxY - minY));
    return reach.indexOf(Math.max(...reach));
  };
  const [southwest, southeast, northeast, northwest] = [
    ...[farthest(-1, -1), farthest(1, -1), farthest(1, 1), farthest(-1, 1)],
  ] as [number, number, number, number];
  const corners = [southwest, southeast, northeast, northwest];
  if (new Set(corners).size < 4) return null;
  const quad = Float64Array.from([...corners, southwest].flatMap((corner) => points[corner] as Point));
  const share = planarRingArea(quad) / Math.abs(planarRingArea(outline));
  if (!(share >= leastCornerShare && share <= 1 / leastCornerShare)) return null;
  const side = (from: number, to: number): Line =>
    Array.from(
      { length: ((to - from + points.length) % points.length) + 1 },
      (_, index) => points[(from + index) % points.length] as Point,
    );
  return {
    south: side(southwest, southeast),
    east: side(southeast, northeast),
    north: side(northeast, northwest).toReversed(),
    west: side(northwest, southwest).toReversed(),
  };
}
