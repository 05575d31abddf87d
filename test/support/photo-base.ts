/** An invented photo of the air as a base map of a home. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { airPhoto, type Season } from './air-photo.ts';

type Box = readonly [west: number, south: number, east: number, north: number];

const run = (program: string, ...args: string[]) => execFileSync(program, args, { stdio: 'ignore' });

/** Writes a photo as a GeoTIFF, or as another format of GDAL. */
export function writePhoto(
  target: string,
  [west, south, east, north]: Box,
  season: Season,
  side: number,
  ...options: readonly string[]
): void {
  const picture = `${target}.ppm`;
  fs.writeFileSync(picture, Buffer.concat([Buffer.from(`P6 ${side} ${side} 255\n`), airPhoto(season, 7, side, side)]));
  const corners = [west, north, east, south].map(String);
  run('gdal_translate', '-a_srs', 'EPSG:4326', '-a_ullr', ...corners, ...options, picture, target);
  fs.rmSync(picture);
}

/** Writes a photo as a base map of tiles with 512 pixels; needs GDAL. */
export function writePhotoBase(home: string, name: string, box: Box, season: Season, side = 2048): void {
  const folder = path.join(home, 'basemaps');
  fs.mkdirSync(folder, { recursive: true });
  const tiles = path.join(folder, `${name}.mbtiles`);
  writePhoto(tiles, box, season, side, '-of', 'MBTiles', '-co', 'TILE_FORMAT=JPEG', '-co', 'BLOCKSIZE=512');
  run('gdaladdo', '-r', 'average', tiles, '2', '4', '8', '16');
}
