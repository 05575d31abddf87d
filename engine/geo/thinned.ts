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
  const open: number[] = [];
  let begin = 0;
  for (let at = 1; at < count; at++) {
    if (at < count - 1 && !isKept(points[2 * at] as number, points[2 * at + 1] as number)) continue;
    stays[at] = 1;
    open.push(begin, at);
    begin = at;
  }
  let left = 0;
  while (open.length > 0) {
    const [to, from] = [open.pop() as number, open.pop() as number];
    const farthest = farthestOf(points, from, to, tolerance);
    if (farthest === from) continue;
    stays[farthest] = 1;
    open.push(from, farthest, farthest, to);
  }
  for (const stay of stays) left += stay;
  const line = new Float64Array(left * 2);
  for (let at = 0, end = 0; at < count; at++) {
    if (stays[at] === 0) continue;
    line[end++] = points[2 * at] as number;
    line[end++] = points[2 * at + 1] as number;
  }
  return line;
}

/** The point between two others that is farthest from the segment between them; `from` if none is beyond the tolerance. */
function farthestOf(points: Float64Array, from: number, to: number, tolerance: number): number {
  // Plain variables: pairs of numbers would be objects by the million.
  const ax = points[2 * from] as number;
  const ay = points[2 * from + 1] as number;
  const dx = (points[2 * to] as number) - ax;
  const dy = (points[2 * to + 1] as number) - ay;
  const squaredLength = dx * dx + dy * dy;
  let found = from;
  let most = tolerance * tolerance;
  for (let at = from + 1; at < to; at++) {
    const px = (points[2 * at] as number) - ax;
    const py = (points[2 * at + 1] as number) - ay;
    const along = px * dx + py * dy;
    let squared = px * px + py * py;
    if (along >= squaredLength) squared = (px - dx) * (px - dx) + (py - dy) * (py - dy);
    else if (along > 0) squared -= (along * along) / squaredLength;
    if (squared <= most) continue;
    found = at;
    most = squared;
  }
  return found;
}
