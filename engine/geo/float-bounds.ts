/** Rounds sides of boxes outwards to 32-bit floats, as SQLite's R-tree does. */
const float = new Float32Array(1);
const bits = new Int32Array(float.buffer);

/** The next 32-bit float after `value`'s own: down (−1) or up (+1). Degrees are far from the ends of the range. */
function neighbour(value: number, direction: -1 | 1): number {
  float[0] = value;
  if (value === 0) bits[0] = direction < 0 ? -0x7fffffff : 1;
  else bits[0] = (bits[0] as number) + (value > 0 === direction > 0 ? 1 : -1);
  return float[0];
}

export function roundDown(value: number): number {
  const rounded = Math.fround(value);
  return rounded > value ? neighbour(rounded, -1) : rounded;
}

export function roundUp(value: number): number {
  const rounded = Math.fround(value);
  return rounded < value ? neighbour(rounded, 1) : rounded;
}
