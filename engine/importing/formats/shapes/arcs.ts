/** Draws circular arcs as short straight edges, in the coordinates of their file. */

/**
 * Angle between two vertices drawn for an arc. A whole circle loses 0.013 ‰ of its area; at a radius of 10 km the edge
 * lies 0.1 m inside the arc.
 */
const stepRadians = (0.5 * Math.PI) / 180;

const turn = 2 * Math.PI;
const positive = (angle: number): number => (angle < 0 ? angle + turn : angle);

/**
 * @param points `[x0, y0, x1, y1, …]`: begin, a point on the way and end of each arc, which is the next one's begin
 * @param most more vertices are refused
 * @returns null if the arcs have more vertices than `most`
 */
export function straightened(points: ArrayLike<number>, most: number): Float64Array | null {
  const path: number[] = [points[0] ?? 0, points[1] ?? 0];
  for (let at = 0; at + 5 < points.length; at += 4) {
    addArc(
      path,
      Array.from({ length: 6 }, (_, index) => points[at + index] as number),
    );
    if (path.length > 2 * most) return null;
  }
  return Float64Array.from(points.length === 0 ? [] : path);
}

/** Offsets from the begin keep the digits of coordinates in the millions. */
function addArc(path: number[], [x = 0, y = 0, midX = 0, midY = 0, endX = 0, endY = 0]: readonly number[]): void {
  const [bx, by, cx, cy] = [midX - x, midY - y, endX - x, endY - y];
  const isCircle = cx === 0 && cy === 0;
  const twice = 2 * (bx * cy - by * cx);
  const [b, c] = [bx * bx + by * by, cx * cx + cy * cy];
  const ux = isCircle ? bx / 2 : (cy * b - by * c) / twice;
  const uy = isCircle ? by / 2 : (bx * c - cx * b) / twice;
  // Three points of a line have no circle.
  if (Number.isFinite(ux) && Number.isFinite(uy)) {
    const [start, end] = [Math.atan2(-uy, -ux), Math.atan2(cy - uy, cx - ux)];
    const sweep = isCircle ? turn : twice > 0 ? positive(end - start) : -positive(start - end);
    const radius = Math.hypot(ux, uy);
    const steps = Math.ceil(Math.abs(sweep) / stepRadians);
    for (let step = 1; step < steps; step++) {
      const angle = start + (sweep * step) / steps;
      path.push(x + ux + radius * Math.cos(angle), y + uy + radius * Math.sin(angle));
    }
  } else path.push(midX, midY);
  path.push(endX, endY);
}
