import proj4 from 'proj4';
import { describe, expect, test } from 'vitest';
import { LocalInverse } from '../../../engine/importing/formats/crs/local-inverse.ts';
import {
  codeOfName,
  type ReferenceSystem,
  systemOfCode,
  systemOfText,
} from '../../../engine/importing/formats/crs/reference-system.ts';
import { gdalOrSkip, gdalTransform, projinfo } from '../../support/gdal.ts';
import { byDay } from '../../support/runs.ts';
import { expectNear, refusalOf } from './reading.ts';

const hasGdal = gdalOrSkip('coordinates against GDAL');

/** Systems all over the country, each with a place in it. 1 cm is 0.01 m. */
const places: readonly (readonly [system: string, longitude: number, latitude: number])[] = [
  ['EPSG:3437', -72.1, 43.2], // New Hampshire, US survey feet, transverse Mercator
  ['EPSG:2229', -118.2, 34.0], // California 5, US survey feet, Lambert
  ['EPSG:2227', -122.3, 37.8],
  ['EPSG:2276', -97.0, 32.8], // Texas North Central
  ['EPSG:2256', -111.5, 45.9], // Montana, international feet
  ['EPSG:32100', -111.5, 45.9], // Montana, metres
  ['EPSG:2283', -78.5, 38.5], // Virginia North
  ['EPSG:2236', -80.5, 26.5], // Florida East
  ['EPSG:26931', -134.5, 58.3], // Alaska 1, oblique Mercator
  ['ESRI:102631', -134.5, 58.3], // the same in feet, FIPS 5001
  ['EPSG:26934', -149.9, 61.2], // Alaska 4
  ['EPSG:26940', -170.5, 53.0], // Alaska 10, east of the Aleutian shift
  ['EPSG:26961', -155.5, 19.6], // Hawaii 1: a datum shift of 0.7 m
  ['EPSG:32161', -66.1, 18.4], // Puerto Rico
  ['EPSG:2874', -118.2, 34.0], // HARN: a datum shift of 1.2 m
  ['EPSG:2784', -155.5, 19.6], // HARN in Hawaii: none
  ['EPSG:3644', -123.0, 45.5], // NSRS2007, Oregon North, international feet
  ['EPSG:6420', -122.3, 37.8], // NAD83(2011), California 3
  ['EPSG:6580', -99.0, 31.0],
  ['EPSG:26918', -74.0, 40.7],
  ['EPSG:32613', -105.0, 39.7],
  ['EPSG:3857', -87.6, 41.9],
  ['ESRI:102100', -87.6, 41.9],
  ['EPSG:5070', -95.0, 40.0], // Albers
  ['ESRI:102003', -95.0, 40.0],
  ['EPSG:4269', -95.0, 40.0],
  ['EPSG:4152', -95.0, 40.0],
  ['EPSG:2205', -84.5, 38.5],
  ['EPSG:26979', -84.5, 38.5], // withdrawn for 2205: its second parallel was wrong
  ['EPSG:3454', -100.0, 45.0], // withdrawn for 4457
  ['EPSG:6996', -122.45, 37.75], // withdrawn for 7131: its scale was 1e-6
  ['ESRI:102710', -71.5, 43.2], // Esri's older number of 3437
  ['ESRI:103600', -94.3, 46.4], // a county of Minnesota
];

/** A place in the system's own coordinates, by PROJ. */
function projected(system: string, longitude: number, latitude: number): [number, number] {
  const text = projinfo(system, 'PROJ').replace(/\+(?:towgs84|datum|nadgrids)=\S+/g, '');
  const ellipsoid = /\+(?:ellps|a|datum)=/.test(text) ? '' : '+ellps=GRS80';
  if (text.includes('+proj=longlat')) return [longitude, latitude];
  return proj4(`+proj=longlat ${ellipsoid || '+ellps=GRS80'} +no_defs`, `${text} ${ellipsoid}`).forward([
    longitude,
    latitude,
  ]) as [number, number];
}

const numberOf = (system: string): number => Number(system.split(':')[1]);

function toDegrees(system: ReferenceSystem, pairs: readonly (readonly [number, number])[]): number[] {
  const flat = Float64Array.from(pairs.flat());
  system.toWgs84(flat);
  return [...flat];
}

describe.runIf(hasGdal)('coordinates come within a centimetre of GDAL', () => {
  test.each(places)('from %s at %d %d, by its number', (name, longitude, latitude) => {
    const start = projected(name, longitude, latitude);
    // Corners of a lot of 100 units at the place.
    const lot = [0, 1, 2, 3].map((n) => [start[0] + (n % 2) * 100, start[1] + (n >> 1) * 100] as [number, number]);
    const corners = numberOf(name) < 4300 && /^EPSG:4/.test(name) ? [start] : lot;
    const expected = gdalTransform(name, corners);
    const actual = toDegrees(systemOfCode(numberOf(name), 'test'), corners);
    for (const [n, corner] of expected.entries()) expectNear(actual.slice(2 * n, 2 * n + 2), corner, 0.01, name);
  });

  test.each(byDay(['WKT1_ESRI'], ['WKT1_ESRI', 'WKT1_GDAL', 'WKT2:2019', 'PROJJSON']))(
    'from descriptions in %s',
    (form) => {
      // Withdrawn systems are what their description says, and something else by their number.
      const described = places
        .filter((_, index) => index % 2 === 0)
        .filter(([name]) => !['EPSG:26979', 'EPSG:3454', 'EPSG:6996'].includes(name));
      for (const [name, longitude, latitude] of described) {
        const place = projected(name, longitude, latitude);
        const [expected = [0, 0]] = gdalTransform(name, [place]);
        expectNear(toDegrees(systemOfText(projinfo(name, form), 'test'), [place]), expected, 0.01, `${name} ${form}`);
      }
    },
  );

  test('of a county of Minnesota with its own ellipsoid, which only Esri describes', () => {
    const text =
      'PROJCS["NAD_1983_HARN_Adj_MN_Hennepin_Feet",GEOGCS["GCS_NAD_1983_HARN_Adj_MN_Hennepin",DATUM["D_NAD_1983_HARN_Adj_MN_Hennepin",' +
      'SPHEROID["S_GRS_1980_Adj_MN_Hennepin",6378418.941,298.257222100883]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],' +
      'PROJECTION["Lambert_Conformal_Conic"],PARAMETER["False_Easting",500000.0],PARAMETER["False_Northing",100000.0],' +
      'PARAMETER["Central_Meridian",-93.38333333333334],PARAMETER["Standard_Parallel_1",44.88333333333333],' +
      'PARAMETER["Standard_Parallel_2",45.13333333333333],PARAMETER["Latitude_Of_Origin",44.79111111111111],UNIT["Foot_US",0.3048006096012192]]';
    const place: [number, number] = [530_000, 160_000];
    const [expected = [0, 0]] = gdalTransform(text, [place]);
    expectNear(toDegrees(systemOfText(text, 'test'), [place]), expected, 0.01, 'Hennepin');
  });
});

test.each([
  ['EPSG:3437', 3437],
  ['epsg:3437', 3437],
  ['3437', 3437],
  ['ESRI:102710', 102_710],
  ['urn:ogc:def:crs:EPSG::3437', 3437],
  ['urn:ogc:def:crs:EPSG:6.9:3437', 3437],
  ['http://www.opengis.net/def/crs/EPSG/0/3437', 3437],
  ['urn:ogc:def:crs:OGC:1.3:CRS84', 4326],
  ['OGC:CRS84', 4326],
  ['NAD83 / New Hampshire', null],
  ['', null],
])('the name %j is of the number %j', (name, code) => {
  expect(codeOfName(name)).toBe(code);
});

const nad27 =
  'GEOGCS["GCS_North_American_1927",DATUM["D_North_American_1927",SPHEROID["Clarke_1866",6378206.4,294.9786982]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]';
const nad83 =
  'GEOGCS["GCS_North_American_1983",DATUM["D_North_American_1983",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]';

test.each([
  [nad27, 'NAD27'],
  [
    `PROJCS["NAD27 / Texas",${nad27},PROJECTION["Lambert_Conformal_Conic"],UNIT["Foot_US",0.3048006096012192]]`,
    'NAD27',
  ],
  [nad83.replaceAll('North_American_1983', 'Tokyo'), 'Tokyo'],
  [nad83.replace('"Greenwich",0.0', '"Paris",2.33722917'), 'Greenwich'],
  [nad83.replace('0.0174532925199433', '0.01570796326794897'), 'degrees'],
  [nad83.replace(']],PRIMEM', '],TOWGS84[1,2,3,0,0,0,0]],PRIMEM'), 'shift'],
  [`PROJCS["X",${nad83},PROJECTION["Two_Point_Equidistant"],UNIT["Meter",1.0]]`, 'two_point_equidistant'],
  ['LOCAL_CS["Site",UNIT["Foot",0.3048]]', 'LOCAL_CS'],
  ['GEOGCS["cut off",DATUM["D_North', 'description'],
  [`${'A['.repeat(5000)}`, 'description'],
  ['', 'description'],
  ['{"type":"ProjectedCRS"', 'description'],
  ['EPSG:2154', '2154'],
  ['EPSG:4267', 'NAD27'],
  ['EPSG:26718', 'NAD27'],
  ['EPSG:32038', 'NAD27'],
])('%j is refused by name: %s', (text, words) => {
  const error = refusalOf(() => systemOfText(text, 'county.prj'));
  expect([error.code, error.message]).toEqual(['import_refused', expect.stringContaining(words)]);
  expect(error.message).toMatch(/^county\.prj: .*EPSG:/);
});

test('shifts of 0 in a description are none', () => {
  const text = nad83.replace(']],PRIMEM', '],TOWGS84[0,0,0,0,0,0,0]],PRIMEM');
  expect(toDegrees(systemOfText(text, 'test'), [[-72, 43]])).toEqual([-72, 43]);
});

describe('the interpolated inverse', () => {
  const exactly = proj4(
    '+proj=lcc +lat_0=44.25 +lon_0=-109.5 +lat_1=49 +lat_2=45 +x_0=600000 +ellps=GRS80',
    '+proj=longlat +ellps=GRS80',
  );
  const exact = (x: number, y: number, out: Float64Array, at: number) => {
    const [longitude = 0, latitude = 0] = exactly.forward([x, y]);
    out[at] = longitude;
    out[at + 1] = latitude;
  };
  // A fixed sequence: multiples of irrational numbers spread evenly.
  const points = Array.from({ length: 5000 }, (_, n) => [
    200_000 + ((n * Math.SQRT2 * 1e5) % 800_000),
    -50_000 + ((n * Math.E * 1e5) % 600_000),
  ]).flat();

  test('equals the exact one within 1e-9 degrees (0.1 mm)', () => {
    const fast = Float64Array.from(points);
    new LocalInverse(exact, 1).apply(fast);
    const slow = new Float64Array(points.length);
    for (let at = 0; at < points.length; at += 2) exact(points[at] ?? 0, points[at + 1] ?? 0, slow, at);
    expect(Math.max(...fast.map((value, at) => Math.abs(value - (slow[at] ?? 0))))).toBeLessThan(1e-9);
  });

  test('gives the same whatever was asked before', () => {
    const pairs = Array.from({ length: points.length / 2 }, (_, n) => points.slice(2 * n, 2 * n + 2));
    const forwards = Float64Array.from(pairs.flat());
    const backwards = Float64Array.from(pairs.toReversed().flat());
    new LocalInverse(exact, 1).apply(forwards);
    new LocalInverse(exact, 1).apply(backwards);
    const turned = Array.from({ length: pairs.length }, (_, n) => [...backwards.slice(2 * n, 2 * n + 2)])
      .toReversed()
      .flat();
    expect([...forwards]).toEqual(turned);
  });

  test('gives NaN for NaN, and the exact result for places beyond the earth', () => {
    const odd = Float64Array.of(Number.NaN, 0, Number.POSITIVE_INFINITY, 1, 1e300, 1e300);
    systemOfCode(32_100, 'test').toWgs84(odd);
    expect([...odd.slice(0, 4)]).toEqual([Number.NaN, Number.NaN, Number.NaN, Number.NaN]);
  });
});
