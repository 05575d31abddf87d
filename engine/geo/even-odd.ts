/**
 * Repairs a self-intersecting polygon by the even-odd rule: the result is the area that an odd number of its boundaries
 * encloses, as in GEOS's MakeValid. Every crossing becomes a corner, coinciding boundaries cancel in pairs, and the
 * remaining faces are assembled. Meant for the few such shapes of a county: a ring of n corners costs n² at worst.
 */
import { type MultiPolygon, type PolygonRings, planarRingArea, type Ring } from './geometry.ts';
import { locateInPolygon, segmentsTouch } from './orientation.ts';
import { findSelfCrossing } from './ring-crossings.ts';

/** No parcel has more; comparing them all would take seconds. */
const maxSegments = 20_000;
/** In square degrees, about a tenth of a square meter; slivers from rounding at a crossing are smaller. */
const minArea = 1e-11;

type Position = readonly [x: number, y: number];
/** From a to b; the direction may have no meaning. */
type Edge = readonly [a: Position, b: Position];

/**
 * @returns polygons whose rings neither cross nor touch themselves; null if nothing is left or the polygon is too large,
 *   and then stays as it is
 */
export function evenOddPolygons(rings: PolygonRings): PolygonRings[] | null {
  const segments = rings.flatMap(segmentsOf);
  if (segments.length > maxSegments) return null;
  const edges = nodedEdges(segments);
  if (edges === null) return null;
  const loops = traceFaces(edges).flatMap(cutAtRepeats);
  const polygons = assemble(loops);
  return polygons.length === 0 || findSelfCrossing(polygons) !== null ? null : polygons;
}

/** Crossings snap to this grain (a ten-thousandth of a millimeter), so that several edges can cross in one point. */
const grain = 2 ** -40;
const snapped = (value: number): number => Math.round(value / grain) * grain;

function segmentsOf(ring: Ring): Edge[] {
  const segments: Edge[] = [];
  for (let index = 0; index + 3 < ring.length; index += 2) {
    const [ax = 0, ay = 0, bx = 0, by = 0] = Array.from(ring.subarray(index, index + 4), snapped);
    if (ax !== bx || ay !== by)
      segments.push([
        [ax, ay],
        [bx, by],
      ]);
  }
  return segments;
}

/** Snapping a crossing moves its edges slightly and may make them cross others; repeated until none does. */
const maxPasses = 5;

function nodedEdges(segments: readonly Edge[]): Edge[] | null {
  let edges = segments;
  for (let pass = 0; pass < maxPasses; pass++) {
    const split = cancelPairs(splitAtCrossings(edges));
    if (pass > 0 && split.length === edges.length) return split;
    edges = split;
  }
  return null;
}

/** Splits segments so that they cross or touch only at their ends. */
function splitAtCrossings(segments: readonly Edge[]): Edge[] {
  const cuts = segments.map((): Position[] => []);
  const order = segments.map((_, index) => index).sort((a, b) => lowX(segments[a]) - lowX(segments[b]));
  for (const [place, first] of order.entries()) {
    const one = segments[first] as Edge;
    const end = Math.max(one[0][0], one[1][0]);
    for (let next = place + 1; next < order.length; next++) {
      const second = order[next] as number;
      const other = segments[second] as Edge;
      if (lowX(other) > end) break;
      for (const point of meetingPoints(one, other)) {
        cuts[first]?.push(point);
        cuts[second]?.push(point);
      }
    }
  }
  return segments.flatMap((segment, index) => cut(segment, cuts[index] ?? []));
}

const lowX = (edge: Edge | undefined): number => Math.min(edge?.[0][0] ?? 0, edge?.[1][0] ?? 0);

/** The points where two segments meet: their crossing, or the ends of one on the other. */
function meetingPoints([a, b]: Edge, [c, d]: Edge): Position[] {
  const isApart =
    Math.max(a[1], b[1]) < Math.min(c[1], d[1]) ||
    Math.max(c[1], d[1]) < Math.min(a[1], b[1]) ||
    !segmentsTouch(a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1]);
  if (isApart) return [];
  const ends = [...[a, b].filter((point) => isOn(point, [c, d])), ...[c, d].filter((point) => isOn(point, [a, b]))];
  if (ends.length > 0) return ends;
  const [ux, uy, vx, vy] = [b[0] - a[0], b[1] - a[1], d[0] - c[0], d[1] - c[1]];
  const along = ((c[0] - a[0]) * vy - (c[1] - a[1]) * vx) / (ux * vy - uy * vx);
  return Number.isFinite(along) ? [[snapped(a[0] + along * ux), snapped(a[1] + along * uy)]] : [];
}

const isOn = ([x, y]: Position, [a, b]: Edge): boolean =>
  x >= Math.min(a[0], b[0]) &&
  x <= Math.max(a[0], b[0]) &&
  y >= Math.min(a[1], b[1]) &&
  y <= Math.max(a[1], b[1]) &&
  segmentsTouch(a[0], a[1], b[0], b[1], x, y, x, y);

function cut([a, b]: Edge, points: readonly Position[]): Edge[] {
  const along = ([x, y]: Position) => (x - a[0]) * (b[0] - a[0]) + (y - a[1]) * (b[1] - a[1]);
  const corners = [a, ...[...points].sort((p, q) => along(p) - along(q)), b];
  return corners
    .slice(1)
    .map((corner, index): Edge => [corners[index] as Position, corner])
    .filter(([from, to]) => !isSame(from, to));
}

const isSame = (a: Position, b: Position): boolean => a[0] === b[0] && a[1] === b[1];
const keyOf = ([x, y]: Position): string => `${x} ${y}`;

/** Coinciding edges cancel in pairs: an even number encloses nothing, an odd number counts as one. */
function cancelPairs(edges: readonly Edge[]): Edge[] {
  const odd = new Map<string, Edge>();
  for (const edge of edges) {
    const key = [keyOf(edge[0]), keyOf(edge[1])].sort().join(' ');
    if (!odd.delete(key)) odd.set(key, edge);
  }
  return [...odd.values()];
}

/** The edges from each corner, by the angle at which they leave. */
function leavingEdges(edges: readonly Edge[]): Map<string, { readonly to: Position; readonly angle: number }[]> {
  const leaving = new Map<string, { to: Position; angle: number }[]>();
  const add = (from: Position, to: Position) => {
    const all = leaving.get(keyOf(from)) ?? [];
    all.push({ to, angle: Math.atan2(to[1] - from[1], to[0] - from[0]) });
    leaving.set(keyOf(from), all);
  };
  for (const [a, b] of edges) {
    add(a, b);
    add(b, a);
  }
  for (const all of leaving.values()) all.sort((a, b) => a.angle - b.angle);
  return leaving;
}

/** Loops with the inside to their left, each once. */
function traceFaces(edges: readonly Edge[]): Position[][] {
  const leaving = leavingEdges(edges);
  const used = new Set<string>();
  const loops: Position[][] = [];
  for (const [a, b] of edges) {
    for (const start of [
      [a, b],
      [b, a],
    ] as const) {
      const loop = traceLoop(start, leaving, used);
      if (loop.length > 0 && isInsideLeft(start, edges)) loops.push(loop);
    }
  }
  return loops;
}

/** Follows the next edge clockwise, which gives one face to the left of the loop. Empty if traced before. */
function traceLoop([first, second]: Edge, leaving: ReturnType<typeof leavingEdges>, used: Set<string>): Position[] {
  const loop: Position[] = [];
  let [from, to] = [first, second];
  for (;;) {
    const key = `${keyOf(from)} ${keyOf(to)}`;
    if (used.has(key)) return loop;
    used.add(key);
    loop.push(from);
    const all = leaving.get(keyOf(to)) ?? [];
    const back = all.findIndex((edge) => isSame(edge.to, from));
    const next = all.at(back - 1);
    if (!next) return loop;
    [from, to] = [to, next.to];
  }
}

/** Whether an odd number of boundaries lies between the left side of an edge and the outside. */
function isInsideLeft([a, b]: Edge, edges: readonly Edge[]): boolean {
  const isSteep = Math.abs(b[0] - a[0]) < Math.abs(b[1] - a[1]);
  // The ray follows the axis along which the edge extends less, so it leaves the edge at once; coordinates are then
  // turned as if it went upwards.
  const [u, v] = isSteep ? [1, 0] : [0, 1];
  const middle = [(a[u] as number) + (b[u] as number), (a[v] as number) + (b[v] as number)].map((sum) => sum / 2);
  const [x, y] = middle as [number, number];
  let beyond = 0;
  for (const [c, d] of edges) {
    if ((c === a && d === b) || (c === b && d === a)) continue;
    const [cx, cy, dx, dy] = [c[u] as number, c[v] as number, d[u] as number, d[v] as number];
    if (cx > x === dx > x) continue;
    if (cy + ((x - cx) / (dx - cx)) * (dy - cy) > y) beyond++;
  }
  // The ray of a flat edge goes north, which is left of an edge that runs east; the ray of a steep edge goes east, left
  // of one that runs south.
  const isRayLeft = isSteep ? b[1] < a[1] : b[0] > a[0];
  return (beyond % 2 === 1) === isRayLeft;
}

/** A loop that meets itself in a corner becomes several: rings may touch each other, but not themselves. */
function cutAtRepeats(loop: readonly Position[]): Position[][] {
  const rings: Position[][] = [];
  const path: Position[] = [];
  const places = new Map<string, number>();
  for (const position of loop) {
    const before = places.get(keyOf(position));
    if (before !== undefined) {
      const ring = path.splice(before);
      for (const corner of ring) places.delete(keyOf(corner));
      rings.push(ring);
    }
    places.set(keyOf(position), path.length);
    path.push(position);
  }
  return [...rings, path].filter((ring) => ring.length >= 3);
}

const byPlace = (a: Position, b: Position): number => a[0] - b[0] || a[1] - b[1];

/** Starts at the lowest corner, so that a shape gives the same bytes whatever its first corner was. */
function fromLowestCorner(loop: readonly Position[]): Position[] {
  const lowest = loop.reduce((low, position, index) => (byPlace(position, loop[low] as Position) < 0 ? index : low), 0);
  return [...loop.slice(lowest), ...loop.slice(0, lowest)];
}

function assemble(loops: readonly (readonly Position[])[]): PolygonRings[] {
  const rings = loops
    .map(fromLowestCorner)
    .sort((a, b) => byPlace(a[0] as Position, b[0] as Position))
    .map((loop) => Float64Array.from([...loop, loop[0] as Position].flat()))
    .map((ring) => ({ ring, area: planarRingArea(ring) }))
    .filter(({ area }) => Math.abs(area) > minArea);
  // Smallest exterior first: it is the closest one around a hole.
  const exteriors = rings.filter(({ area }) => area > 0).sort((a, b) => a.area - b.area);
  const polygons = exteriors.map(({ ring, area }) => ({ area, rings: [ring] }));
  for (const { ring, area } of rings) {
    if (area > 0) continue;
    polygons.find((polygon) => polygon.area > -area && holdsRing(polygon.rings[0] as Ring, ring))?.rings.push(ring);
  }
  return polygons.map((polygon) => polygon.rings);
}

/** Whether an exterior contains a hole. The rings do not cross, so one corner off the boundary decides. */
function holdsRing(exterior: Ring, hole: Ring): boolean {
  for (let index = 0; index < hole.length; index += 2) {
    const location = locateInPolygon([exterior], hole[index] as number, hole[index + 1] as number);
    if (location !== 'boundary') return location === 'inside';
  }
  return true;
}

/** The shape with every self-intersecting polygon repaired; null if one cannot be. */
export function redrawn(polygons: MultiPolygon): MultiPolygon | null {
  const drawn = polygons.map((rings) => (findSelfCrossing([rings]) === null ? [rings] : evenOddPolygons(rings)));
  return drawn.every((each) => each !== null) ? drawn.flat() : null;
}
