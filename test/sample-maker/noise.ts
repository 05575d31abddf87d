/** Smooth noise over the plane: the same at every place, for every seed of the county, on every computer. */
/** A pseudorandom direction at a corner of the lattice, as its dot product with the way from the corner. */
function pull(column: number, row: number, seed: number, dx: number, dy: number): number {
  let hash = Math.imul(column, 374761393) ^ Math.imul(row, 668265263) ^ Math.imul(seed, 974634777);
  hash = Math.imul(hash ^ (hash >>> 15), 2246822519);
  hash = Math.imul(hash ^ (hash >>> 13), 3266489917);
  const way = 2 * ((hash >>> 16) & 15);
  return (ways[way] as number) * dx + (ways[way + 1] as number) * dy;
}

/** Sixteen directions on a circle, east and north, written out: sine and cosine may differ in the last digit between computers. */
const ways = Float64Array.of(
  ...[1, 0],
  ...[0.924, 0.383],
  ...[Math.SQRT1_2, Math.SQRT1_2],
  ...[0.383, 0.924],
  ...[0, 1],
  ...[-0.383, 0.924],
  ...[-Math.SQRT1_2, Math.SQRT1_2],
  ...[-0.924, 0.383],
  ...[-1, 0],
  ...[-0.924, -0.383],
  ...[-Math.SQRT1_2, -Math.SQRT1_2],
  ...[-0.383, -0.924],
  ...[0, -1],
  ...[0.383, -0.924],
  ...[Math.SQRT1_2, -Math.SQRT1_2],
  ...[0.924, -0.383],
);

const fade = (t: number): number => t * t * t * (t * (t * 6 - 15) + 10);

/** About -0.7 to 0.7, 0 on average; hills as wide as `meters`. */
export function noise(x: number, y: number, meters: number, seed: number): number {
  const u = x / meters;
  const v = y / meters;
  const column = Math.floor(u);
  const row = Math.floor(v);
  const dx = u - column;
  const dy = v - row;
  const s = fade(dx);
  const t = fade(dy);
  const south = pull(column, row, seed, dx, dy) * (1 - s) + pull(column + 1, row, seed, dx - 1, dy) * s;
  const north = pull(column, row + 1, seed, dx, dy - 1) * (1 - s) + pull(column + 1, row + 1, seed, dx - 1, dy - 1) * s;
  return south * (1 - t) + north * t;
}
