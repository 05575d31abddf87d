/** Invented photos of the air: fields, woods, roads, roofs and water under the light of a season. */
export const seasons = ['summer', 'autumn', 'leaf-off', 'snow', 'drought'] as const;
export type Season = (typeof seasons)[number];

type Color = readonly [red: number, green: number, blue: number];

/** Woods, three fields, a road, a roof, water. */
const palettes: Readonly<Record<Season, readonly Color[]>> = {
  summer: [
    ...([
      [46, 62, 38],
      [122, 142, 84],
      [164, 158, 104],
      [96, 128, 66],
    ] as const),
    ...([
      [150, 146, 138],
      [206, 200, 196],
      [38, 52, 58],
    ] as const),
  ],
  autumn: [
    ...([
      [128, 82, 42],
      [176, 152, 92],
      [148, 132, 82],
      [198, 176, 120],
    ] as const),
    ...([
      [156, 150, 142],
      [190, 184, 180],
      [44, 54, 62],
    ] as const),
  ],
  'leaf-off': [
    ...([
      [112, 104, 96],
      [168, 160, 138],
      [142, 134, 112],
      [190, 180, 158],
    ] as const),
    ...([
      [172, 168, 162],
      [214, 210, 206],
      [58, 66, 72],
    ] as const),
  ],
  snow: [
    ...([
      [96, 100, 104],
      [236, 240, 244],
      [250, 251, 252],
      [224, 230, 238],
    ] as const),
    ...([
      [188, 190, 194],
      [255, 255, 255],
      [206, 214, 222],
    ] as const),
  ],
  drought: [
    ...([
      [92, 96, 62],
      [222, 206, 166],
      [204, 184, 140],
      [238, 226, 194],
    ] as const),
    ...([
      [208, 200, 186],
      [250, 248, 244],
      [172, 160, 128],
    ] as const),
  ],
};

/** A number from 0 to 1 for three whole ones: the same each time. */
function chance(a: number, b: number, seed: number): number {
  let bits = Math.imul(a, 374_761_393) ^ Math.imul(b, 668_265_263) ^ Math.imul(seed, 2_246_822_519);
  bits = Math.imul(bits ^ (bits >>> 13), 1_274_126_177);
  return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32;
}

/** Smooth between chances of a lattice. */
function smooth(x: number, y: number, seed: number): number {
  const [column, row] = [Math.floor(x), Math.floor(y)];
  const [u, v] = [x - column, y - row].map((t) => t * t * (3 - 2 * t)) as [number, number];
  const at = (dx: number, dy: number) => chance(column + dx, row + dy, seed);
  const along = (dy: number) => at(0, dy) * (1 - u) + at(1, dy) * u;
  return along(0) * (1 - v) + along(1) * v;
}

/** What lies at a pixel, as its place in the palette. */
function kindAt(x: number, y: number, seed: number): number {
  const cover = smooth(x / 90, y / 90, seed) * 0.7 + smooth(x / 22, y / 22, seed + 1) * 0.3;
  if (cover < 0.28) return 6;
  if (chance(Math.floor(x / 9), Math.floor(y / 9), seed + 4) > 0.985) return 5;
  if (Math.abs((y + 30 * smooth(x / 160, 0, seed + 3)) % 170) < 3) return 4;
  return cover > 0.52 ? 0 : 1 + Math.floor(chance(Math.floor(x / 70), Math.floor(y / 52), seed + 2) * 3);
}

/** Crowns are rough, water is calm, fields are between. */
const roughness = (kind: number): number => (kind === 0 ? 44 : kind === 6 ? 4 : 14);

/** Red, green and blue of every pixel, in rows of `width`. */
export function airPhoto(season: Season, seed: number, width: number, height: number): Uint8Array {
  const bytes = new Uint8Array(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    const kind = kindAt(x, y, seed);
    const light = (chance(x >> 1, y >> 1, seed + 5) - 0.5) * roughness(kind);
    for (const [band, value] of (palettes[season][kind] as Color).entries())
      bytes[pixel * 3 + band] = Math.max(0, Math.min(255, value + light));
  }
  return bytes;
}
