/** A seeded county of any size and layers over it, as features of newline GeoJSON. */
import fs from 'node:fs';
import { createRandom } from '../sample-maker/random.ts';

export interface LotGrid {
  readonly west: number;
  readonly south: number;
  /** Degrees of one lot. */
  readonly step: number;
  /** Lots of one row. */
  readonly width: number;
  readonly parcels: number;
}

/** In Kansas: 0.0015 degrees are 130 by 167 metres. */
export const lotGrid = (parcels: number): LotGrid => ({
  west: -98,
  south: 38,
  step: 0.0015,
  width: Math.ceil(Math.sqrt(parcels)),
  parcels,
});

/** Lots of 8 to 24 corners, jittered, so that neighbours overlap and gape by some metres as in real plats. */
export function* generatedLots({ west, south, step, width, parcels }: LotGrid, seed: number): Generator<Feature> {
  const random = createRandom(seed).next;
  const jitter = () => (random() - 0.5) * step * 0.02;
  const sides = [
    [0, 0, 1, 0],
    [1, 0, 0, 1],
    [1, 1, -1, 0],
    [0, 1, 0, -1],
  ] as const;
  for (let lot = 0; lot < parcels; lot++) {
    const [x, y] = [west + (lot % width) * step, south + Math.floor(lot / width) * step];
    const corners = 2 + Math.floor(random() * 5);
    const ring = sides.flatMap(([dx, dy, tx, ty]) =>
      Array.from({ length: corners }, (_, corner) => [
        x + (dx + (tx * corner) / corners) * step + jitter(),
        y + (dy + (ty * corner) / corners) * step + jitter(),
      ]),
    );
    yield featureOf('Polygon', [[...ring, ring[0]]], { apn: `${100 + Math.floor(lot / 1000)}-${lot % 1000}` });
  }
}

type Feature = {
  type: 'Feature';
  geometry: { type: string; coordinates: unknown };
  properties: Record<string, unknown>;
};

const featureOf = (type: string, coordinates: unknown, properties: Record<string, unknown>): Feature => ({
  type: 'Feature',
  geometry: { type, coordinates },
  properties,
});

/** A random place within the county. */
function placeIn({ west, south, step, width, parcels }: LotGrid, random: () => number): [number, number] {
  const rows = Math.ceil(parcels / width);
  return [west + random() * width * step, south + random() * rows * step];
}

/** A shore: three waves around a circle, and a jitter of the distance between two corners. */
function blob([x, y]: [number, number], radius: number, corners: number, random: () => number): [number, number][] {
  const waves = [2, 3, 7].map((count) => ({ count, phase: random() * 2 * Math.PI, height: 0.1 * random() }));
  const ring = Array.from({ length: corners }, (_, corner): [number, number] => {
    const angle = (corner / corners) * 2 * Math.PI;
    const wave = waves.reduce((sum, { count, phase, height }) => sum + height * Math.sin(count * angle + phase), 0);
    const distance = radius * (0.7 + wave + (random() - 0.5) * (3 / corners));
    return [x + distance * Math.cos(angle), y + distance * Math.sin(angle)];
  });
  return [...ring, ring[0] as [number, number]];
}

/** Polygons of 8 to 67 corners, 20 to 200 metres wide, every hundredth of 1,000 corners and 4 kilometres. */
export function* generatedWetlands(county: LotGrid, count: number, seed: number): Generator<Feature> {
  const random = createRandom(seed).next;
  for (let index = 0; index < count; index++) {
    const place = placeIn(county, random);
    const isLarge = index % 100 === 99;
    const ring = blob(
      place,
      isLarge ? 0.02 : 0.0001 + random() * 0.001,
      isLarge ? 1000 : 8 + Math.floor(random() * 60),
      random,
    );
    yield featureOf('Polygon', [ring], { ATTRIBUTE: 'PFO1A', FLD_ZONE: index % 3 === 0 ? 'A' : 'AE' });
  }
}

/** Roads of 12 corners over some 500 metres. */
export function* generatedRoads(county: LotGrid, count: number, seed: number): Generator<Feature> {
  const random = createRandom(seed).next;
  const codes = ['S1400', 'S1400', 'S1400', 'S1200', 'S1100'];
  for (let index = 0; index < count; index++) {
    let [x, y] = placeIn(county, random);
    const heading = random() * 2 * Math.PI;
    const line = Array.from({ length: 12 }, () => {
      const turn = heading + (random() - 0.5);
      x += 0.0005 * Math.cos(turn);
      y += 0.0005 * Math.sin(turn);
      return [x, y];
    });
    yield featureOf('LineString', line, { MTFCC: codes[index % codes.length] });
  }
}

/** Rectangles of 10 by 15 metres. */
export function* generatedBuildings(county: LotGrid, count: number, seed: number): Generator<Feature> {
  const random = createRandom(seed).next;
  for (let index = 0; index < count; index++) {
    const [x, y] = placeIn(county, random);
    const [w, h] = [0.00015, 0.0001];
    yield featureOf(
      'Polygon',
      [
        [
          [x, y],
          [x + w, y],
          [x + w, y + h],
          [x, y + h],
          [x, y],
        ],
      ],
      {},
    );
  }
}

/** Squares that tile the county, named by their numbers. */
export function* generatedDistricts(county: LotGrid, count: number): Generator<Feature> {
  const across = Math.ceil(Math.sqrt(count));
  const side = (county.width * county.step) / across;
  for (let index = 0; index < count; index++) {
    const [x, y] = [county.west + (index % across) * side, county.south + Math.floor(index / across) * side];
    const ring = [
      [x, y],
      [x + side, y],
      [x + side, y + side],
      [x, y + side],
      [x, y],
    ];
    yield featureOf('Polygon', [ring], { NAME: `District ${index}`, ZIP: String(10_000 + (index % 90_000)) });
  }
}

export function writeLines(file: string, features: Iterable<Feature>): void {
  const descriptor = fs.openSync(file, 'w');
  let lines: string[] = [];
  for (const feature of features) {
    lines.push(`${JSON.stringify(feature)}\n`);
    if (lines.length < 1000) continue;
    fs.writeSync(descriptor, lines.join(''));
    lines = [];
  }
  fs.writeSync(descriptor, lines.join(''));
  fs.closeSync(descriptor);
}
