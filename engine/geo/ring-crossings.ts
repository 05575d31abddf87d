/**
 * Finds rings that cross or touch themselves. They are kept as the county drew them; the report names them, because
 * areas and overlays of such shapes mislead. Rings are not compared with each other.
 */
import { orient2d } from 'robust-predicates';
import type { MultiPolygon, Ring } from './geometry.ts';
import { segmentsTouch } from './orientation.ts';

/** Up to this many segments every pair is compared; a dozen is usual, and sorting would cost more. */
const smallRing = 40;
/**
 * Limit of compared pairs in one large ring. Beyond it (a drawing made to be slow) the test gives up and does not call
 * the ring invalid.
 */
const maxPairs = 20_000_000;

/** Corners without repetitions, the first again at the end; grows as needed, reused for every ring. */
let corners = new Float64Array(256);

function takeCorners(ring: Ring): number {
  if (corners.length < ring.length) corners = new Float64Array(ring.length * 2);
  let count = 0;
  for (let index = 0; index < ring.length; index += 2) {
    const x = ring[index] as number;
    const y = ring[index + 1] as number;
    if (count > 0 && corners[count - 2] === x && corners[count - 1] === y) continue;
    corners[count++] = x;
    corners[count++] = y;
  }
  return count / 2 - 1;
}

const at = (index: number): number => corners[index] as number;

/** Whether the boundary runs back over itself at the end of this segment. */
function isSpike(segment: number, count: number): boolean {
  const a = segment * 2;
  const next = segment + 2 > count ? 2 : a + 4;
  const [bx, by] = [at(a + 2), at(a + 3)];
  const [ux, uy, vx, vy] = [at(a) - bx, at(a + 1) - by, at(next) - bx, at(next + 1) - by];
  // Both edges leave the corner in the same direction; only then is the exact test worth its cost.
  if (ux * vx + uy * vy <= 0 || Math.abs(ux * vy - uy * vx) > 1e-12) return false;
  return orient2d(at(a), at(a + 1), bx, by, at(next), at(next + 1)) === 0;
}

/** Do the intervals from a to b and from c to d, in either direction, share no number? */
const areApart = (a: number, b: number, c: number, d: number): boolean =>
  a < b ? (c > b && d > b) || (c < a && d < a) : (c > a && d > a) || (c < b && d < b);

/** Do two segments that share no corner by their order in the ring share a point? */
function doTouch(first: number, second: number): boolean {
  const a = first * 2;
  const c = second * 2;
  const ax = at(a);
  const bx = at(a + 2);
  const cx = at(c);
  const dx = at(c + 2);
  if (areApart(ax, bx, cx, dx)) return false;
  const ay = at(a + 1);
  const by = at(a + 3);
  const cy = at(c + 1);
  const dy = at(c + 3);
  return !areApart(ay, by, cy, dy) && segmentsTouch(ax, ay, bx, by, cx, cy, dx, dy);
}

/** The segment at which a small ring meets itself; -1: nowhere. */
function findInSmallRing(count: number): number {
  for (let first = 0; first < count; first++) {
    if (isSpike(first, count)) return first;
    const end = first === 0 ? count - 1 : count;
    for (let second = first + 2; second < end; second++) {
      if (doTouch(first, second)) return first;
    }
  }
  return -1;
}

/** The same by a sweep: compares only segments that overlap along one axis. */
function findInLargeRing(count: number): number {
  const axis = sweepAxis(count);
  const low = (segment: number) => Math.min(at(segment * 2 + axis), at(segment * 2 + 2 + axis));
  const high = (segment: number) => Math.max(at(segment * 2 + axis), at(segment * 2 + 2 + axis));
  const lows = Float64Array.from({ length: count }, (_, segment) => low(segment));
  const order = Uint32Array.from({ length: count }, (_, segment) => segment).sort(
    (a, b) => (lows[a] as number) - (lows[b] as number),
  );
  let pairs = 0;
  for (let index = 0; index < count; index++) {
    const first = order[index] as number;
    if (isSpike(first, count)) return first;
    const end = high(first);
    for (let other = index + 1; other < count; other++) {
      const second = order[other] as number;
      if ((lows[second] as number) > end) break;
      if (++pairs > maxPairs) return -1;
      const apart = Math.abs(first - second);
      if (apart > 1 && apart !== count - 1 && doTouch(first, second)) return first;
    }
  }
  return -1;
}

/** The axis with the smaller total extent of segments: fewer of them overlap there. */
function sweepAxis(count: number): 0 | 1 {
  let [x, y] = [0, 0];
  for (let corner = 0; corner < count * 2; corner += 2) {
    x += Math.abs(at(corner + 2) - at(corner));
    y += Math.abs(at(corner + 3) - at(corner + 1));
  }
  return x <= y ? 0 : 1;
}

/** Where a ring of the shape crosses or touches itself, as a sentence; null: nowhere. */
export function findSelfCrossing(polygons: MultiPolygon): string | null {
  for (const rings of polygons) {
    for (const ring of rings) {
      const count = takeCorners(ring);
      const segment = count <= smallRing ? findInSmallRing(count) : findInLargeRing(count);
      if (segment === -1) continue;
      return `A ring crosses or touches itself near ${at(segment * 2).toFixed(6)} ${at(segment * 2 + 1).toFixed(6)}.`;
    }
  }
  return null;
}
