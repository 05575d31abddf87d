/** Four invented lots, as ogr2ogr writes them in every format of the door, and a drawing. */
import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { ogr2ogr } from '../../support/gdal.ts';
import { writeTopoJson } from '../../support/make-topojson.ts';
import { makeZip } from '../../support/make-zip.ts';
import { temporaryFolder, writeFile } from '../fixtures.ts';
import { metersBetween, type ReadParcel, readParcels, refusalOf } from './reading.ts';

/** New Hampshire, US survey feet. */
export const statePlane = 'EPSG:3437';

type Ring = readonly (readonly [number, number])[];

const square = (west: number, south: number, size: number): Ring => [
  [west, south],
  [west + size, south],
  [west + size, south + size],
  [west, south + size],
  [west, south],
];
const hole = (west: number, south: number, size: number): Ring => square(west, south, size).toReversed();

/** Four lots: plain, with a hole, of two parts, with an island in a lake. */
export const shapes: readonly (readonly Ring[])[][] = [
  [[square(-72.1, 43.1, 0.001)]],
  [[square(-72.11, 43.11, 0.004), hole(-72.109, 43.111, 0.002)]],
  [[square(-72.12, 43.12, 0.001)], [square(-72.125, 43.12, 0.002)]],
  [[square(-72.13, 43.13, 0.006), hole(-72.129, 43.131, 0.004)], [square(-72.128, 43.132, 0.001)]],
];
const owners = ['PEÑA JOSÉ', 'A & B <C>', 'CAFÉ ÉLAN LLC', '“MÜLLER”'];
export const lots = shapes.map((coordinates, index) => ({
  type: 'Feature',
  geometry: { type: 'MultiPolygon', coordinates },
  properties: { pin: `001${index}`, long_id: `12000151000000000${index}`, owner: owners[index], acres: index + 0.25 },
}));

export const source = (folder: string): string =>
  writeFile('lots.geojson', JSON.stringify({ type: 'FeatureCollection', features: lots }), folder);

/** So that the whole numbers that a TAB keeps are fractions of a millimetre. */
export const tabBounds = ['-lco', 'BOUNDS=800000,200000,900000,300000'];

/** How ogr2ogr writes each format; a format of the table that is missing here fails below. */
export const writers: Readonly<Record<string, readonly string[]>> = {
  'lots.gml': ['-f', 'GML', '-dsco', 'FORMAT=GML3.2'],
  'feet.gml': ['-f', 'GML', '-dsco', 'FORMAT=GML2', '-t_srs', statePlane],
  'lots.tab': ['-f', 'MapInfo File', '-t_srs', statePlane, ...tabBounds],
  'lots.mif': ['-f', 'MapInfo File', '-dsco', 'FORMAT=MIF', '-t_srs', statePlane],
  'degrees.mif': ['-f', 'MapInfo File', '-dsco', 'FORMAT=MIF'],
  'lots.kml': ['-f', 'KML'],
  // ogr2ogr reads it and does not write it.
  'lots.topojson': [],
};

export function write(name: string, folder = temporaryFolder()): string {
  const file = path.join(folder, name);
  if (name === 'lots.topojson') return writeTopoJson(file, lots);
  ogr2ogr(...(writers[name] ?? []), file, source(folder));
  fs.rmSync(path.join(folder, 'lots.geojson'));
  return file;
}

/** Every file of a folder in a zip, below a folder. */
export function zipped(folder: string, name: string): string {
  const entries = fs
    .readdirSync(folder)
    .map((each) => ({ name: `county/${each}`, content: fs.readFileSync(path.join(folder, each)) }));
  return writeFile(name, makeZip(entries));
}

export const cornersOf = ({ polygons }: ReadParcel): number[][] =>
  (polygons ?? [])
    .flat()
    .flatMap((ring) => Array.from({ length: ring.length / 2 }, (_, n) => [...ring.slice(2 * n, 2 * n + 2)]));

export function expectTheLots(file: string): void {
  const read = readParcels(file);
  expect(read.map(({ properties }) => [properties.pin, properties.long_id, properties.owner])).toEqual(
    lots.map(({ properties }) => [properties.pin, properties.long_id, properties.owner]),
  );
  expect(read.map(({ properties }) => Number(properties.acres))).toEqual([0.25, 1.25, 2.25, 3.25]);
  for (const [index, parcel] of read.entries()) {
    expect(parcel.problem).toBeNull();
    expect(parcel.polygons?.map((rings) => rings.length)).toEqual(shapes[index]?.map((rings) => rings.length));
    const expected = (shapes[index] ?? []).flat(2);
    const found = cornersOf(parcel);
    expect(found.length).toBe(expected.length);
    for (const corner of found)
      expect(Math.min(...expected.map((each) => metersBetween(corner, each)))).toBeLessThan(0.01);
  }
}

/** A closed line of a drawing. */
function polyline(layer: string, corners: Ring, isClosed = true): string {
  const places = corners.map(([x, y]) => ` 10\n${x}\n 20\n${y}\n`).join('');
  return `  0\nLWPOLYLINE\n  8\n${layer}\n100\nAcDbPolyline\n 90\n${corners.length}\n 70\n${isClosed ? 1 : 0}\n${places}`;
}
export const drawing = (...entities: string[]): string =>
  `  0\nSECTION\n  2\nENTITIES\n${entities.join('')}  0\nENDSEC\n  0\nEOF\n`;
const corners: Ring = [
  [865000, 222000],
  [866000, 222000],
  [866000, 223000],
  [865000, 223000],
];
const bulge = ' 42\n0.3\n';
const text = '  0\nTEXT\n  8\nLABELS\n 10\n865500\n 20\n222500\n 40\n5\n  1\n12-201\n';
export const lotsDrawn = drawing(
  polyline('LOTS', corners),
  polyline(
    'LOTS',
    corners.map(([x, y]) => [x + 2000, y] as const),
  ) + bulge,
  polyline('LOTS', corners.slice(0, 3), false),
  polyline('ROADS', corners.slice(0, 2), false),
  text,
);

export const refusal = (file: string, options = {}): string => refusalOf(() => readParcels(file, options)).message;
