/** GDAL's programs: other people's readers and writers, as oracles and makers of files. */
import { execFileSync, spawnSync } from 'node:child_process';
import { requireOrSkip } from './require.ts';

const isThere = (program: string): boolean => spawnSync(program, ['--version']).status === 0;

/** Whether ogr2ogr, gdaltransform and projinfo can be run. */
export const gdalOrSkip = (name: string): boolean =>
  requireOrSkip(name, isThere('ogr2ogr') && isThere('gdaltransform'), 'GDAL (gdal-bin) is not installed');

const formatLine = (driver: string): string =>
  (spawnSync('ogr2ogr', ['--formats'], { encoding: 'utf8' }).stdout ?? '')
    .split('\n')
    .find((each) => each.trim().startsWith(`${driver} `)) ?? '';

/** Whether GDAL writes a format here. */
export const gdalWritesOrSkip = (name: string, driver: string): boolean =>
  requireOrSkip(name, /\(rw/.test(formatLine(driver)), `GDAL does not write ${driver} here`);

/** Whether GDAL reads the lines and areas of a format here. */
export const gdalReadsOrSkip = (name: string, driver: string): boolean =>
  requireOrSkip(name, /vector.*\(r/.test(formatLine(driver)), `GDAL does not read ${driver} here`);

export function ogr2ogr(...options: string[]): void {
  execFileSync('ogr2ogr', options, { stdio: 'ignore' });
}

/** Longitudes and latitudes in WGS84 of x y pairs in another system, as GDAL has them by default. */
export function gdalTransform(system: string, pairs: readonly (readonly [number, number])[]): [number, number][] {
  const input = pairs.map((pair) => pair.map((value) => value.toPrecision(17)).join(' ')).join('\n');
  const output = execFileSync('gdaltransform', ['-s_srs', system, '-t_srs', 'EPSG:4326', '-output_xy'], {
    input: `${input}\n`,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  return output
    .trim()
    .split('\n')
    .map((line) => line.split(' ').map(Number) as [number, number]);
}

/** The system in the words of WKT1_ESRI, WKT1_GDAL, WKT2:2019 or PROJJSON. */
export const projinfo = (system: string, form: string): string =>
  execFileSync('projinfo', [system, '-o', form, '-q', '--single-line'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
