/** ogr2ogr, as the importer that ours is held against, and as the maker of the Shapefile. */
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import type { Loaded } from './engines/engine.ts';

/** What is missing and how to get it; null: nothing. */
export const missingOgr2ogr = (): string | null =>
  spawnSync('ogr2ogr', ['--version']).status === 0 ? null : 'ogr2ogr: apt install gdal-bin';

const run = (options: readonly string[]): void => {
  execFileSync('ogr2ogr', options, { stdio: ['ignore', 'ignore', 'pipe'] });
};

/** As GDAL names it: by its suffix a file of lines would be taken for one document. */
const sourceOf = (file: string): string => (file.endsWith('.ndjson') ? `GeoJSONSeq:${file}` : file);

/** Into a new SpatiaLite file at `to`, which stays. */
export function convertToSpatialite(from: string, to: string): Loaded {
  fs.rmSync(to, { force: true });
  const options = ['-f', 'SQLite', '-dsco', 'SPATIALITE=YES', '-nln', 'parcels', '-nlt', 'GEOMETRY', '-gt', '100000'];
  const began = performance.now();
  run([...options, '--config', 'OGR_SQLITE_SYNCHRONOUS', 'OFF', to, sourceOf(from)]);
  return { seconds: (performance.now() - began) / 1000, bytes: fs.statSync(to).size };
}

/** Rows of the only layer, as GDAL counts them. */
export function countRows(file: string): number {
  const told = execFileSync('ogrinfo', ['-so', '-al', sourceOf(file)], { encoding: 'utf8' });
  return Number(/^Feature Count: (\d+)$/m.exec(told)?.[1] ?? Number.NaN);
}

/** A Shapefile holds one kind of shape: parcels that are only a point stay out. So do columns that are lists. */
export function makeShapefile(from: string, to: string): void {
  const where = "OGR_GEOMETRY IS NULL OR OGR_GEOMETRY <> 'POINT'";
  const layer = ['-lco', 'RESIZE=YES', '-lco', 'ENCODING=UTF-8'];
  run(['-f', 'ESRI Shapefile', '-nlt', 'POLYGON', '-where', where, ...layer, to, sourceOf(from)]);
}
