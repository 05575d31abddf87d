/** The convex hull of points (A. M. Andrew's monotone chain, 1979), with exact turns. */
import { orient2d } from 'robust-predicates';

/**
 * The corners of the hull as a closed ring `[x, y, …]`, from its westernmost point; null when the points span no area.
 * @param points `[x0, y0, x1, y1, …]`, in any order, repeated or not
 */
export function convexHull(points: readonly number[] | Float64Array): number[] | null {
  const order = Uint32Array.from({ length: points.length / 2 }, (_, index) => index * 2);
  const x = (at: number) => points[at] as number;
  const y = (at: number) => points[at + 1] as number;
  order.sort((a, b) => x(a) - x(b) || y(a) - y(b));
  const chainOf = (places: Iterable<number>): number[] => {
    const chain: number[] = [];
    for (const at of places) {
      for (let length = chain.length; length >= 2; length = chain.length) {
        const [before, last] = [chain[length - 2] as number, chain[length - 1] as number];
        // negative: the point lies left of the chain's last edge (see orientation.ts)
        if (orient2d(x(before), y(before), x(last), y(last), x(at), y(at)) < 0) break;
        chain.pop();
      }
      chain.push(at);
    }
    return chain;
  };
  const south = chainOf(order);
  const north = chainOf(order.toReversed());
  // each chain ends where the other begins; two corners and the way back are no area
  const corners = [...south.slice(0, -1), ...north];
  return corners.length < 4 ? null : corners.flatMap((at) => [x(at), y(at)]);
}
