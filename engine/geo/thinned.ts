/** A line with fewer points. */

/**
 * Drops points nearer than `tolerance` to the line that remains (D. Douglas and T. Peucker, 1973).
 * @param isKept whether a point must stay
 * @returns the remaining points; the first and last stay
 */
export function thinned(
  points: Float64Array,
  tolerance: number,
  isKept: (x: number, y: number) => boolean = () => false,
): Float64Array {
  const count = points.length / 2;
  const stays = new Uint8Array(count);
  stays[0] = 1;
  stays[count - 1] = 1;
  const open: [number, number][] = [];
  let begin = 0;
  for (let at = 1; at < count; at++) {
    if (at < count - 1 && !isKept(points[2 * at] as number, points[2 * at + 1] as number)) continue;
    stays[at] = 1;
    open.push([begin, at]);
    begin = at;
  }
  for (let span = open.pop(); span; span = open.pop()) {
    const [from, to] = span;
    const farthest = farthestOf(points, from, to);
    if (farthest.squared <= tolerance * tolerance) continue;
    stays[farthest.at] = 1;
    open.push([from, farthest.at], [farthest.at, to]);
  }
  const left: number[] = [];
  for (let at = 0; at < count; at++) {
    if (stays[at] === 1) left.push(points[2 * at] as number, points[2 * at + 1] as number);
  }
  return Float64Array.from(left);
}

/** The point between two others that is farthest from the segment between them. */
function farthestOf(points: Float64Array, from: number, to: number): { at: number; squared: number } {
  const [ax, ay] = [points[2 * from] as number, points[2 * from + 1] as number];
  const [dx, dy] = [(points[2 * to] as number) - ax, (points[2 * to + 1] as number) - ay];
  const squaredLength = dx * dx + dy * dy;
  let found = { at: from, squared: 0 };
  for (let at = from + 1; at < to; at++) {
    const [px, py] = [(points[2 * at] as number) - ax, (points[2 * at + 1] as number) - ay];
    const along = squaredLength === 0 ? 0 : Math.max(0, Math.min(1, (px * dx + py * dy) / squaredLength));
    const squared = (px - along * dx) ** 2 + (py - along * dy) ** 2;
    if (squared > found.squared) found = { at, squared };
  }
  return found;
}
