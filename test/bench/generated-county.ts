/**
 * A seeded county of any size for the bench, as newline GeoJSON whose properties are dictionary columns: lots that tile the
 * county, skewed names, nulls where counties have them. The same seed gives the same bytes.
 */
import fs from 'node:fs';
import path from 'node:path';
import { createRandom } from '../sample-maker/random.ts';
import { attributesOf, zipGrid, zipOf } from './generator/attributes.ts';
import { eastMetersPerUnit, extentFor, lotsOf, unitsPerDegree } from './generator/fabric.ts';
import { geometryText } from './generator/shapes.ts';
import { buildVocabulary } from './generator/words.ts';

export interface GeneratedCounty {
  readonly file: string;
  readonly fips: string;
  readonly parcels: number;
  /** Bounds in degrees. */
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
  readonly zips: readonly string[];
}

interface CountyOptions {
  readonly fips: string;
  /** Number of the county of a run, from 0. */
  readonly number: number;
  readonly west: number;
  readonly south: number;
}

/** The county that the bench asks about. */
export const benchFips = '20163';
/** Where Sullivan County, New Hampshire, lies. */
export const inSullivan: CountyOptions = { fips: '33019', number: 0, west: -72.3, south: 43.3 };
const firstCounty: CountyOptions = { fips: benchFips, number: 0, west: -98, south: 38 };
const chunkBytes = 1 << 20;

/** Writes the county to `file`. */
export function writeGeneratedCounty(
  file: string,
  parcels: number,
  seed: number,
  options: CountyOptions = firstCounty,
): GeneratedCounty {
  const seeded = createRandom(seed);
  const words = buildVocabulary(seeded);
  const random = seeded.fork(options.number);
  const extent = extentFor(parcels, options.west, options.south);
  const frame = { extent, number: options.number, words };
  const descriptor = fs.openSync(file, 'w');
  let text = '';
  let i = 0;
  for (const lot of lotsOf(extent, parcels, random)) {
    const properties = JSON.stringify(attributesOf(i++, lot, frame, random));
    text += `{"type":"Feature","geometry":${geometryText(lot, random)},"properties":${properties}}\n`;
    if (text.length < chunkBytes) continue;
    fs.writeSync(descriptor, text);
    text = '';
  }
  fs.writeSync(descriptor, text);
  fs.closeSync(descriptor);
  return {
    file,
    fips: options.fips,
    parcels,
    west: extent.west / unitsPerDegree,
    south: extent.south / unitsPerDegree,
    east: extent.east / unitsPerDegree,
    north: extent.north / unitsPerDegree,
    zips: Array.from({ length: zipGrid ** 2 }, (_, cell) => zipOf(options.number, cell)),
  };
}

/** Parcels of each of eighteen counties, in parts of the whole: a city's county, a few suburbs, and the country. */
const countyShares = [14, 12, 10, 9, 8, 7, 6, 6, 5, 5, 4, 3, 3, 2, 2, 2, 1, 1];

/** Eighteen counties side by side, one file each, with `parcels` in all. */
export function writeGeneratedCounties(folder: string, parcels: number, seed: number): GeneratedCounty[] {
  const total = countyShares.reduce((sum, share) => sum + share, 0);
  const sizes = countyShares.map((share) => Math.floor((parcels * share) / total));
  sizes[0] = (sizes[0] ?? 0) + parcels - sizes.reduce((sum, size) => sum + size, 0);
  const largest = extentFor(Math.max(...sizes), -101, 36.5);
  const step = ((largest.east - largest.west) * 1.02) / unitsPerDegree;
  return sizes.map((size, number) => {
    // Six to a row, and rows far enough apart that counties of one height never overlap.
    const west = -101 + (number % 6) * step;
    const south = 36.5 + Math.floor(number / 6) * step * eastMetersPerUnit(36.5) * 90;
    const fips = String(20_001 + 2 * number);
    return writeGeneratedCounty(path.join(folder, `${fips}.ndjson`), size, seed, { fips, number, west, south });
  });
}
