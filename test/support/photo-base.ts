/** An invented photo of the air as a base map of a home. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { airPhoto, type Season } from './air-photo.ts';

type Box = readonly [west: number, south: number, east: number, north: number];

/** Writes a photo as a base map of tiles with 512 pixels; needs GDAL. */
export function writePhotoBase(home: string, name: string, box: Box, season: Season, side = 2048): void {
  const folder = path.join(home, 'basemaps');
  fs.mkdirSync(folder, { recursive: true });
  const picture = path.join(home, `${name}.ppm`);
  fs.writeFileSync(picture, Buffer.concat([Buffer.from(`P6 ${side} ${side} 255\n`), airPhoto(season, 7, side, side)]));
  const tiles = path.join(folder, `${name}.mbtiles`);
  const [west, south, east, north] = box.map(String) as [string, string, string, string];
  const run = (program: string, ...args: string[]) => execFileSync(program, args, { stdio: 'ignore' });
  run(
    'gdal_translate',
    ...['-of', 'MBTiles', '-a_srs', 'EPSG:4326', '-a_ullr', west, north, east, south],
    ...['-co', 'TILE_FORMAT=JPEG', '-co', 'BLOCKSIZE=512', picture, tiles],
  );
  run('gdaladdo', '-r', 'average', tiles, '2', '4', '8', '16');
  fs.rmSync(picture);
}
