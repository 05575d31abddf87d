/**
 * The photo of the air of the sample county: invented, drawn from the same lots, woods, waters, roads and buildings as its
 * map. The whole county is coarse, the town fine; together they are one layer.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { addImagery } from '../../engine/imagery/add-imagery.ts';
import { storedFiles } from '../../engine/imagery/imagery-rows.ts';
import { airTime } from '../../engine/sample-county.ts';
import { imageryFolder, openImagery } from '../../engine/store/imagery-store.ts';
import { toPoint } from './fabric.ts';
import { sampleGround } from './ground.ts';
import { buildRecords } from './index.ts';
import { buildMapLayers } from './map-layers.ts';
import { noise } from './noise.ts';
import { at, type Point } from './plane.ts';
import type { SampleGeometry } from './types.ts';
import { uses } from './uses.ts';

interface View {
  readonly name: string;
  /** Degrees of the upper left corner. */
  readonly west: number;
  readonly north: number;
  /** Degrees of a pixel. */
  readonly across: number;
  readonly down: number;
  /** Of a pixel. */
  readonly meters: number;
  readonly width: number;
  readonly height: number;
  /** Of its JPEG blocks. */
  readonly quality: number;
}

const view = (
  name: string,
  west: number,
  north: number,
  meters: number,
  width: number,
  height: number,
  quality = 50,
) => ({
  ...{ name, west, north, meters, width, height, quality },
  ...{ across: meters / 80_260, down: meters / 111_120 },
});

export const views: readonly View[] = [
  view('county', -72.05, 44.24, 9, 3755, 3413),
  view('town', -71.856, 44.111, 1, 3328, 2816),
];

type Color = readonly [red: number, green: number, blue: number];

/** What covers the ground, in the order it is drawn; below it are the lots, each with a color of its own. */
const covers = ['wet', 'woods', 'water', 'local', 'road', 'roof'] as const;
type Cover = (typeof covers)[number];

const colors: Readonly<Record<Cover, Color>> = {
  ...{ wet: [104, 108, 70], woods: [58, 78, 44], water: [50, 68, 70] },
  ...{ local: [150, 143, 130], road: [158, 156, 152], roof: [172, 166, 160] },
};
const crops: readonly Color[] = [
  [176, 158, 110],
  [140, 146, 82],
  [118, 138, 70],
  [164, 142, 100],
  [128, 122, 84],
];
const meadow: Color = [120, 134, 78];
const lawn: Color = [112, 124, 84];

interface Lot {
  readonly color: Color;
  /** Rows of a field: their direction, east and north; 0 without. */
  readonly rows: readonly [number, number];
}

export interface Land {
  readonly lots: readonly Lot[];
  readonly shapes: readonly { readonly id: number; readonly path: (view: View) => string; readonly meters: number }[];
}

type Geometry = SampleGeometry | { readonly type: 'Point' | 'LineString'; readonly coordinates: unknown };

/** As a path of SVG, in pixels. */
function pathOf(geometry: Geometry, { west, north, across, down }: View): string {
  const line = (points: readonly (readonly [number, number])[]) =>
    `M${points.map(([x, y]) => `${((x - west) / across).toFixed(1)} ${((north - y) / down).toFixed(1)}`).join('L')}`;
  if (geometry.type === 'LineString') return line(geometry.coordinates as [number, number][]);
  if (geometry.type === 'Polygon') return (geometry.coordinates as [number, number][][]).map(line).join('');
  return geometry.type === 'MultiPolygon' ? geometry.coordinates.flat().map(line).join('') : '';
}

export function landOf(): Land {
  const { records } = buildRecords();
  const drawn = records.flatMap(({ geometry, use }) => (geometry ? [{ geometry, use }] : []));
  const lots = drawn.map(({ use }, index): Lot => {
    const isField = use === uses.cropland || use === uses.farm;
    const turn = noise(index * 7.3, index * 3.1, 5, 71) * 4;
    const color = isField ? at(crops, index % crops.length) : use.class === 'R' || use.class === 'C' ? lawn : meadow;
    return { color, rows: isField ? [Math.cos(turn), Math.sin(turn)] : [0, 0] };
  });
  const layers = buildMapLayers();
  const over = (cover: Cover, features: readonly { readonly geometry: Geometry }[], meters = 0) =>
    features.map(({ geometry }) => ({
      id: coverId(lots.length, cover),
      path: (of: View) => pathOf(geometry, of),
      meters,
    }));
  const main = layers.roads.filter(({ properties: { MTFCC: kind } }) => kind !== 'S1400');
  return {
    lots,
    shapes: [
      ...drawn.map(({ geometry }, index) => ({ id: index + 1, path: (of: View) => pathOf(geometry, of), meters: 0 })),
      ...over('wet', layers.wetlands),
      ...over('woods', layers.woods),
      ...over('water', layers.streams, 3),
      ...over('water', layers.water),
      ...over('local', layers.roads, 6),
      ...over('road', main, 9),
      ...over('roof', layers.buildings),
    ],
  };
}

/** Lots count from 1; 0 is the land beyond the county. */
const coverId = (lots: number, cover: Cover): number => lots + 1 + covers.indexOf(cover);

/** Which shape each pixel shows. */
async function idsOf({ shapes }: Land, of: View): Promise<Uint32Array> {
  const { width, height, meters: pixel } = of;
  const paths = shapes.map(({ id, path, meters }) => {
    const color = `#${id.toString(16).padStart(6, '0')}`;
    const ink =
      meters === 0
        ? `fill="${color}"`
        : `fill="none" stroke="${color}" stroke-width="${Math.max(0.7, meters / pixel)}"`;
    return `<path d="${path(of)}" ${ink}/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" shape-rendering="crispEdges" fill-rule="evenodd"><rect width="100%" height="100%" fill="#000"/>${paths.join('')}</svg>`;
  const raw = await sharp(Buffer.from(svg), { unlimited: true }).removeAlpha().raw().toBuffer();
  return Uint32Array.from({ length: width * height }, (_, index) => raw.readUIntBE(index * 3, 3));
}

/** Light from the northwest on the slopes, 0.75 to 1.25, by degrees. */
async function lightOf(): Promise<(longitude: number, latitude: number) => number> {
  const { heights, width: across } = await sampleGround.read({
    left: 0,
    top: 0,
    right: sampleGround.width,
    bottom: sampleGround.height,
  });
  const light = heights.map((feet, index) => {
    const fall = feet - (heights[index + across + 1] ?? feet);
    return Math.min(1.25, Math.max(0.75, 1 - fall / 160));
  });
  return (longitude, latitude) => {
    const [column, row] = sampleGround.pixels.toCells(Float64Array.of(longitude, latitude)) as unknown as [
      number,
      number,
    ];
    const [x, y] = [Math.max(0, column + 0.5), Math.max(0, row + 0.5)];
    const [left, top, fx, fy] = [Math.floor(x), Math.floor(y), x % 1, y % 1];
    const value = (dx: number, dy: number) => light[(top + dy) * across + left + dx] ?? 1;
    return (value(0, 0) * (1 - fx) + value(1, 0) * fx) * (1 - fy) + (value(0, 1) * (1 - fx) + value(1, 1) * fx) * fy;
  };
}

/** -1 to 1, another for each pair of whole numbers. */
function grain(x: number, y: number): number {
  let hash = Math.imul(x, 374_761_393) ^ Math.imul(y, 668_265_263);
  hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_519);
  return ((hash ^ (hash >>> 13)) & 0xff) / 127.5 - 1;
}

const crown = 8;

/** Crowns of trees, bright toward the northwest: about -1 to 1. */
function canopy(x: number, y: number): number {
  const [column, row] = [Math.floor(x / crown), Math.floor(y / crown)];
  let best = -1;
  for (let r = row - 1; r <= row + 1; r++)
    for (let c = column - 1; c <= column + 1; c++) {
      const dx = x - (c + 0.5 + 0.4 * grain(c, r)) * crown;
      const dy = y - (r + 0.5 + 0.4 * grain(r, c)) * crown;
      const size = crown * (0.62 + 0.16 * grain(c + 9, r));
      const high = 1 - (dx * dx + dy * dy) / (size * size);
      best = Math.max(best, high * 0.9 + ((dy - dx) / size) * 0.35 + 0.25 * grain(r, c + 5));
    }
  return best - 0.35;
}

/** Darker or brighter than its cover, by what grows in rows, crowns or nowhere. */
function textureOf({ x, y }: Point, cover: number, { rows: [wide, tall] }: Lot, isFine: boolean): number {
  if (cover === treeCover) return isFine ? canopy(x, y) * 26 : 9 * grain(Math.floor(x / 12), Math.floor(y / 12));
  const speckle = 4 * grain(Math.floor(x), Math.floor(y));
  return wide === 0 && tall === 0 ? speckle : speckle + 7 * Math.sin((x * wide + y * tall) * (isFine ? 0.9 : 0.06));
}

/** Red, green and blue of each pixel. */
export async function drawAir(land: Land, of: View): Promise<Buffer> {
  const { width, height, west, north, across, down, meters } = of;
  const [ids, light] = [await idsOf(land, of), await lightOf()];
  const out = Buffer.alloc(width * height * 3);
  const reach = Math.max(1, Math.round(4 / meters));
  const bare: readonly Lot[] = covers.map((cover) => ({ color: colors[cover], rows: [0, 0] }));
  const first = land.lots.length + 1;
  /** Of a pixel; the land beyond the county is woods with clearings. */
  const lotAt = (id: number, patch: number): number => (id > 0 ? id : patch > -0.4 ? first + treeCover : first);
  for (let index = 0; index < ids.length; index++) {
    const [column, row] = [index % width, Math.floor(index / width)];
    const [longitude, latitude] = [west + (column + 0.5) * across, north - (row + 0.5) * down];
    const q = toPoint(longitude, latitude);
    const patch = noise(q.x, q.y, 900, 61) + 0.6 * noise(q.x, q.y, 140, 62);
    const own = lotAt(ids[index] as number, patch);
    const lot = land.lots[own - 1] ?? (bare[own - first] as Lot);
    const before = column < reach || row < reach ? own : (ids[index - reach * width - reach] as number);
    const bright =
      (own === first + covers.indexOf('water') ? 1 : light(longitude, latitude)) *
      shadowOf(own - first, before - first);
    const added = patch * 12 + textureOf(q, own - first, lot, meters < 4);
    lot.color.forEach((value, band) => {
      out[index * 3 + band] = Math.min(255, Math.max(0, (value + added) * bright));
    });
  }
  return out;
}

const [treeCover, roofCover] = [covers.indexOf('woods'), covers.indexOf('roof')];

/** Trees and roofs throw a shadow to the southeast, on what is lower. @param before what lies to the northwest */
const shadowOf = (own: number, before: number): number =>
  own !== roofCover && own !== before && (before === roofCover || (before === treeCover && own !== treeCover))
    ? 0.62
    : 1;

/** Adds the photo to a home of the sample, under the names that ship. */
export async function addAir(home: string, land = landOf()): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-air-'));
  try {
    for (const of of views) {
      const { name, west, north, across, down, quality } = of;
      const raw = { raw: { width: of.width, height: of.height, channels: 3 } } as const;
      const tiled = {
        compression: 'jpeg',
        quality,
        tile: true,
        tileWidth: 512,
        tileHeight: 512,
        pyramid: true,
      } as const;
      const file = path.join(folder, `sample-${name}.tif`);
      await sharp(
        await sharp(await drawAir(land, of), raw)
          .blur(0.6)
          .raw()
          .toBuffer(),
        raw,
      )
        .tiff(tiled)
        .toFile(file);
      const lines = [across, 0, 0, -down, west + across / 2, north - down / 2];
      fs.writeFileSync(path.join(folder, `sample-${name}.tfw`), lines.join('\n'));
    }
    const tools = { now: () => airTime, progress: () => {}, onStep: () => {}, keep: () => {} };
    await addImagery(
      home,
      {
        paths: [folder],
        name: 'Alder County from the air',
        flown: '2026-07-14',
        credit: 'invented',
        crs: 'EPSG:4326',
        copy: true,
      },
      { ...tools, tilesBounds: () => [0, 0, 0, 0] },
    );
    nameKept(home);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

/** Without the place where they were made. */
function nameKept(home: string): void {
  const file = openImagery(home);
  for (const { file_id: id, path: made, kept } of storedFiles(file)) {
    const name = path.basename(made);
    const place = path.join(home, imageryFolder, name);
    fs.renameSync(path.join(home, imageryFolder, kept ?? ''), place);
    fs.utimesSync(place, airTime, airTime);
    file.run(
      'UPDATE imagery_files SET path = ?, kept = ?, written_ms = ? WHERE file_id = ?',
      name,
      name,
      airTime.getTime(),
      id,
    );
  }
  file.run('UPDATE imagery_writes SET written = 1');
  file.exec('VACUUM');
  file.close();
}
