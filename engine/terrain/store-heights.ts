/**
 * Keeps an elevation file's heights for the map, in terrain.sqlite: projected to the deepest stored zoom, then averaged for
 * the others. A newer file has priority; where it has no heights, the older ones stay.
 */
import type { Bounds } from '../geo/geometry.ts';
import { latitudeOf, longitudeOf, pixelMeters, worldX, worldY } from '../geo/web-mercator.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import { hasTerrain, openTerrain } from '../store/terrain-store.ts';
import { type PackedHeights, packHeights, tileSide, unpackHeights } from './height-tile.ts';
import { fillUnknown, firstHeightZoom, lastHeightZoom } from './heights.ts';
import { boundsOf, type HeightSource, readHeights } from './project-heights.ts';

interface KeptHeights {
  readonly fips: string;
  /** The county; no heights are kept beyond it. */
  readonly box: Bounds;
  /** Names the file, then, after a hyphen, how and how much of it is read. */
  readonly content: string;
  readonly attribution: string;
  /** Called with the number of tiles so far; may throw to cancel. */
  readonly onTile: (tiles: number) => void;
}

/** Adds the heights of a file to those of a county. One transaction: a kill leaves the heights from before. */
export async function keepHeights(home: string, source: HeightSource, county: KeptHeights): Promise<void> {
  const file = openTerrain(home);
  try {
    const isFilled = await readTiles(file, source, county);
    file.transaction(() => {
      writeAbove(file, county.fips, writeRead(file, county.fips));
      writeTerrain(file, county, isFilled || hasOtherTiles(file, county.fips));
      noteWrite(file);
    });
    file.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    file.close();
  }
}

/** The contents of a county's heights, in the order of their arrival. */
export function keptContents(home: string, fips: string): string[] {
  if (!hasTerrain(home)) return [];
  const file = openTerrain(home);
  try {
    return contentsOf(file, fips);
  } finally {
    file.close();
  }
}

const contentsOf = (file: SqliteFile, fips: string): string[] =>
  file.get<{ made: string }>('SELECT made FROM terrains WHERE fips = ?', fips)?.made.split(' ') ?? [];

/** Removes a county's heights. */
export function dropHeights(home: string, fips: string): void {
  if (!hasTerrain(home)) return;
  const file = openTerrain(home);
  try {
    file.transaction(() => {
      file.run('DELETE FROM terrains WHERE fips = ?', fips);
      file.run('DELETE FROM height_tiles WHERE fips = ?', fips);
      noteWrite(file);
    });
  } finally {
    file.close();
  }
}

const noteWrite = (file: SqliteFile) => file.run('UPDATE terrain_writes SET written = written + 1');

/** Column and row of a tile as one number. */
type TileKey = number;
const keyOf = (x: number, y: number): TileKey => y * 2 ** lastHeightZoom + x;
const columnOf = (key: TileKey): number => key % 2 ** lastHeightZoom;
const rowOf = (key: TileKey): number => Math.floor(key / 2 ** lastHeightZoom);

/**
 * Tiles of the deepest zoom, in a temporary table of the connection: in memory they would be tens of megabytes.
 * @returns whether earlier heights stay in them
 */
async function readTiles(file: SqliteFile, source: HeightSource, { fips, box, onTile }: KeptHeights): Promise<boolean> {
  file.exec('CREATE TEMP TABLE read_tiles (x INTEGER, y INTEGER, lowest REAL, step REAL, steps BLOB)');
  const { minX, minY, maxX, maxY } = commonBox(boundsOf(source), box);
  const side = 2 ** lastHeightZoom;
  const tileOf = (world: number) => Math.min(side - 1, Math.max(0, Math.floor(world * side)));
  const heights = new Float32Array(tileSide * tileSide);
  let tiles = 0;
  let isFilled = false;
  for (let y = tileOf(worldY(maxY)); minX < maxX && minY < maxY && y <= tileOf(worldY(minY)); y++) {
    for (let x = tileOf(worldX(minX)); x <= tileOf(worldX(maxX)); x++) {
      if (await readHeights(source, x, y, heights)) {
        if (addRead(file, fips, x, y, heights)) isFilled = true;
      }
      onTile(++tiles);
    }
  }
  return isFilled;
}

const hasOtherTiles = (file: SqliteFile, fips: string): boolean =>
  file.get(
    `SELECT 1 FROM height_tiles WHERE fips = ? AND zoom = ?
     AND NOT EXISTS (SELECT 1 FROM read_tiles r WHERE r.x = height_tiles.x AND r.y = height_tiles.y) LIMIT 1`,
    ...[fips, lastHeightZoom],
  ) !== undefined;

/** @returns whether earlier heights fill what the file does not know */
function addRead(file: SqliteFile, fips: string, x: number, y: number, heights: Float32Array): boolean {
  const before = readTile(file, fips, lastHeightZoom, x, y);
  const isFilled = before !== null && fillUnknown(heights, before);
  const packed = packHeights(heights);
  if (packed) {
    const { lowest, step, steps } = packed;
    file.run('INSERT INTO read_tiles VALUES (?, ?, ?, ?, ?)', x, y, lowest, step, steps);
  }
  return isFilled;
}

/** Stores the tiles that were read. @returns their places */
function writeRead(file: SqliteFile, fips: string): TileKey[] {
  file.run(
    `INSERT INTO height_tiles (fips, zoom, x, y, lowest, step, steps)
     SELECT ?, ?, x, y, lowest, step, steps FROM read_tiles WHERE true ${elseReplace}`,
    ...[fips, lastHeightZoom],
  );
  return file.all<{ x: number; y: number }>('SELECT x, y FROM read_tiles').map(({ x, y }) => keyOf(x, y));
}

const elseReplace = 'ON CONFLICT DO UPDATE SET lowest = excluded.lowest, step = excluded.step, steps = excluded.steps';

const commonBox = (a: Bounds, b: Bounds): Bounds => ({
  minX: Math.max(a.minX, b.minX),
  minY: Math.max(a.minY, b.minY),
  maxX: Math.min(a.maxX, b.maxX),
  maxY: Math.min(a.maxY, b.maxY),
});

/** Hundreds of tiles are read and averaged one after another: each of its own would be collected too late. */
const scratch = new Float32Array(tileSide * tileSide);
const averages = new Float32Array(tileSide * tileSide);

/** @returns heights that the next call overwrites */
function readTile(file: SqliteFile, fips: string, zoom: number, x: number, y: number): Float32Array | null {
  const packed = file.get<PackedHeights>(
    'SELECT lowest, step, steps FROM height_tiles WHERE zoom = ? AND x = ? AND y = ? AND fips = ?',
    ...[zoom, x, y, fips],
  );
  return packed ? unpackHeights(packed, scratch) : null;
}

function writeTile(file: SqliteFile, fips: string, zoom: number, key: TileKey, packed: PackedHeights): void {
  file.run(
    `INSERT INTO height_tiles (fips, zoom, x, y, lowest, step, steps) VALUES (?, ?, ?, ?, ?, ?, ?) ${elseReplace}`,
    ...[fips, zoom, columnOf(key), rowOf(key), packed.lowest, packed.step, packed.steps],
  );
}

/** Averages the tiles above those that were written. */
function writeAbove(file: SqliteFile, fips: string, written: readonly TileKey[]): void {
  let below = written;
  for (let zoom = lastHeightZoom - 1; zoom >= firstHeightZoom; zoom--) {
    const keys = [...new Set(below.map((key) => keyOf(columnOf(key) >> 1, rowOf(key) >> 1)))];
    for (const key of keys) {
      const packed = packHeights(halved(file, fips, zoom, key));
      if (packed) writeTile(file, fips, zoom, key, packed);
    }
    below = keys;
  }
}

/**
 * The four tiles below a tile, each pixel the mean of four.
 * @returns heights that the next call overwrites
 */
function halved(file: SqliteFile, fips: string, zoom: number, key: TileKey): Float32Array {
  const heights = averages.fill(Number.NaN);
  const half = tileSide / 2;
  for (let quarter = 0; quarter < 4; quarter++) {
    const [right, lower] = [quarter & 1, quarter >> 1];
    const tile = readTile(file, fips, zoom + 1, 2 * columnOf(key) + right, 2 * rowOf(key) + lower);
    if (!tile) continue;
    for (let row = 0; row < half; row++) {
      for (let column = 0; column < half; column++) {
        heights[(row + lower * half) * tileSide + column + right * half] = meanOfFour(
          tile,
          2 * (row * tileSide + column),
        );
      }
    }
  }
  return heights;
}

function meanOfFour(tile: Float32Array, at: number): number {
  let sum = 0;
  let count = 0;
  for (let corner = 0; corner < 4; corner++) {
    const height = tile[at + (corner & 1) + (corner >> 1) * tileSide] as number;
    if (Number.isNaN(height)) continue;
    sum += height;
    count++;
  }
  return count === 0 ? Number.NaN : sum / count;
}

const fileOf = (content: string): string => content.split('-')[0] ?? '';

/** Between a file and its words in the stored attribution, a line for each file that the map shows, newest first. */
const afterFile = '\t';

/** Sources and dates of the files that the map shows, newest first. */
export const attributionsOf = (stored: string): string[] =>
  stored
    .split('\n')
    .map((line) => line.slice(line.indexOf(afterFile) + 1))
    .filter(Boolean);

function attributionLines(
  file: SqliteFile,
  { fips, content, attribution }: KeptHeights,
  showsEarlier: boolean,
): string {
  const own = `${fileOf(content)}${afterFile}`;
  const before = file.get<{ attribution: string }>('SELECT attribution FROM terrains WHERE fips = ?', fips);
  const earlier = showsEarlier ? (before?.attribution.split('\n') ?? []) : [];
  return [`${own}${attribution.replace(/\s+/g, ' ')}`, ...earlier.filter((line) => !line.startsWith(own))].join('\n');
}

/** @param showsEarlier whether heights of earlier files are left */
function writeTerrain(file: SqliteFile, county: KeptHeights, showsEarlier: boolean): void {
  const { fips, content } = county;
  const tiles = file.all<{ x: number; y: number }>(
    'SELECT x, y FROM height_tiles WHERE fips = ? AND zoom = ?',
    fips,
    lastHeightZoom,
  );
  if (tiles.length === 0) return;
  const [columns, rows] = [tiles.map(({ x }) => x), tiles.map(({ y }) => y)];
  const side = 2 ** lastHeightZoom;
  const north = latitudeOf(Math.min(...rows) / side);
  const south = latitudeOf((Math.max(...rows) + 1) / side);
  const slope = steepSlope(eachTile(file, fips, tiles), (north + south) / 2);
  const made = [...contentsOf(file, fips).filter((other) => fileOf(other) !== fileOf(content)), content].join(' ');
  file.run(
    'INSERT OR REPLACE INTO terrains (fips, made, slope, attribution, west, south, east, north) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    ...[fips, made, slope, attributionLines(file, county, showsEarlier)],
    ...[longitudeOf(Math.min(...columns) / side), south, longitudeOf((Math.max(...columns) + 1) / side), north],
  );
}

function* eachTile(
  file: SqliteFile,
  fips: string,
  tiles: readonly { x: number; y: number }[],
): Generator<Float32Array> {
  for (const { x, y } of tiles) {
    const tile = readTile(file, fips, lastHeightZoom, x, y);
    if (tile) yield tile;
  }
}

/** Slopes are counted in steps of half a percent, up to twice as steep as 45°. */
const slopeStep = 0.005;
const slopeSteps = 400;
/** Every fourth pixel is enough for a percentile. */
const slopePixels = 4;

/** The 75th percentile of the slopes, rise over run. */
function steepSlope(tiles: Iterable<Float32Array>, latitude: number): number {
  const counts = new Float64Array(slopeSteps + 1);
  const run = 2 * pixelMeters(latitude, lastHeightZoom, tileSide);
  let all = 0;
  for (const tile of tiles) {
    for (let row = 1; row < tileSide - 1; row += slopePixels) {
      for (let at = row * tileSide + 1; at < (row + 1) * tileSide - 1; at += slopePixels) {
        const east = (tile[at + 1] as number) - (tile[at - 1] as number);
        const south = (tile[at + tileSide] as number) - (tile[at - tileSide] as number);
        const slope = Math.hypot(east, south) / run;
        if (Number.isNaN(slope)) continue;
        const step = Math.min(slopeSteps, Math.floor(slope / slopeStep));
        counts[step] = (counts[step] as number) + 1;
        all++;
      }
    }
  }
  let before = 0;
  const step = counts.findIndex((count) => {
    before += count;
    return before >= 0.75 * all;
  });
  return (step + 1) * slopeStep;
}
