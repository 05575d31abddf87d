import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fromFile } from 'geotiff';
import { describe, expect, test } from 'vitest';
import { exitCodes } from '../../engine/cli/exit-codes.ts';
import type { Engine } from '../../engine/engine.ts';
import { ElevationRaster } from '../../engine/enrichment/elevation-raster.ts';
import { enrich } from '../../engine/enrichment/enrich.ts';
import { enrichAgain } from '../../engine/enrichment/enrich-again.ts';
import { defaultSettings, type EnrichmentSettings } from '../../engine/enrichment/enrichment-settings.ts';
import { explainParcel } from '../../engine/enrichment/explain-parcel.ts';
import { hornSlopePercent } from '../../engine/enrichment/horn-slope.ts';
import { listLayers } from '../../engine/enrichment/list-layers.ts';
import { PixelMap } from '../../engine/enrichment/pixel-map.ts';
import { unenrich } from '../../engine/enrichment/unenrich.ts';
import { listWaiting } from '../../engine/enrichment/waiting.ts';
import type { MultiPolygon } from '../../engine/geo/geometry.ts';
import { multiPolygonToGeoJson } from '../../engine/geo/spatialite-blob.ts';
import { slopeEdgesPercent } from '../../engine/spec/parcel-columns.ts';
import { seededRandom, star } from '../geo/shapes.ts';
import { copyOfHome, emptyHome, sampleHome } from '../support/homes.ts';
import { platbook } from '../support/platbook.ts';
import { requireOrSkip } from '../support/require.ts';
import { columnsByApn, homeWith, importAgain, now, testFips } from './enriched-home.ts';
import { lotOfFeet, origin } from './laid-shapes.ts';
import { isClose } from './spatialite.ts';

const hasGdal = requireOrSkip(
  'GDAL',
  spawnSync('gdalinfo', ['--version']).status === 0,
  'install gdal-bin to compare with gdaldem',
);
const gdal = (program: string, ...args: string[]): void => {
  execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
};

interface Grid {
  readonly west: number;
  readonly north: number;
  readonly cell: number;
  readonly width: number;
  readonly height: number;
}

/** A GeoTIFF through GDAL. @param heightAt of the cell's column and row; NaN: no data */
function writeRaster(
  file: string,
  { west, north, cell, width, height }: Grid,
  system: string,
  heightAt: (column: number, row: number) => number,
  options: readonly string[] = [],
): string {
  const rows = Array.from({ length: height }, (_, row) =>
    Array.from({ length: width }, (_, column) => {
      const z = heightAt(column, row);
      return Number.isNaN(z) ? '-9999' : z.toFixed(6);
    }).join(' '),
  );
  const head = [
    `ncols ${width}`,
    `nrows ${height}`,
    `xllcorner ${west}`,
    `yllcorner ${north - height * cell}`,
    `cellsize ${cell}`,
    'NODATA_value -9999',
  ];
  fs.writeFileSync(`${file}.asc`, [...head, ...rows].join('\n'));
  gdal('gdal_translate', '-q', '-a_srs', system, '-ot', 'Float32', ...options, `${file}.asc`, file);
  return file;
}

/** The same cells, laid elsewhere. @param place GDAL's geotransform */
function transformed(file: string, to: string, place: readonly number[]): string {
  const vrt = `${to}.vrt`;
  gdal('gdal_translate', '-q', '-of', 'VRT', file, vrt);
  const text = fs.readFileSync(vrt, 'utf8');
  fs.writeFileSync(vrt, text.replace(/<GeoTransform>[^<]*/, `<GeoTransform>${place.join(', ')}`));
  gdal('gdal_translate', '-q', vrt, to);
  return to;
}

async function readCells(file: string): Promise<{ values: ArrayLike<number>; width: number; height: number }> {
  const tiff = await fromFile(file);
  const image = await tiff.getImage();
  const values = await image.readRasters({ samples: [0], interleave: true });
  await tiff.close();
  return { values, width: image.getWidth(), height: image.getHeight() };
}

/** From coreutils, not from Node. */
const sha256sum = (file: string): string => execFileSync('sha256sum', [file], { encoding: 'utf8' }).slice(0, 64);

const columns = [
  'elevation_min_ft',
  'elevation_mean_ft',
  'elevation_max_ft',
  'slope_mean_percent',
  'slope_area_percent',
];
const slopeOf = (engine: Engine, file: string, settings: Partial<EnrichmentSettings> = {}) =>
  enrich(engine.land, { kind: 'slope', file, fips: testFips, now, date: '2025-01-01', settings });
const found = (engine: Engine) => columnsByApn(engine, ...columns);

describe('Horn’s slope', () => {
  const cell = { width: 10, height: 10 };

  test('of a plane is its grade', () => {
    // 3 metres east and 4 metres south in 10: √(0.3² + 0.4²) = 50 %
    const heights = Float32Array.of(0, 3, 6, 4, 7, 10, 8, 11, 14);
    expect(hornSlopePercent({ heights, width: 3 }, 4, cell)).toBeCloseTo(50, 5);
  });

  test('weighs the nearest neighbours twice', () => {
    // only the eastern neighbour is 8 metres high: 2 × 8 ÷ (8 × 10) = 20 %
    const heights = Float32Array.of(0, 0, 0, 0, 0, 8, 0, 0, 0);
    expect(hornSlopePercent({ heights, width: 3 }, 4, cell)).toBeCloseTo(20, 5);
  });

  test('is unknown beside a cell without height', () => {
    const heights = Float32Array.of(Number.NaN, 0, 0, 0, 0, 0, 0, 0, 0);
    expect(hornSlopePercent({ heights, width: 3 }, 4, cell)).toBeNaN();
  });
});

describe('the map from degrees to cells', () => {
  test('finds the way back through any projection', () => {
    // a made-up one: turned by 30 degrees, and bent
    const turn = Math.PI / 6;
    const toWgs84 = (pairs: Float64Array): void => {
      for (let at = 0; at < pairs.length; at += 2) {
        const [x, y] = [(pairs[at] ?? 0) / 1e5, (pairs[at + 1] ?? 0) / 1e5];
        pairs[at] = -98 + x * Math.cos(turn) - y * Math.sin(turn) + 0.01 * x * y;
        pairs[at + 1] = 39 + x * Math.sin(turn) + y * Math.cos(turn) - 0.01 * x * x;
      }
    };
    const map = new PixelMap({ originX: 0, originY: 0, cellX: 10, cellY: -10, toWgs84 }, 4000, 3000);
    for (const [column, row] of [
      [0, 0],
      [3999, 2999],
      [17.25, 2501.5],
    ] as const) {
      const cells = map.toCells(Float64Array.from(map.toDegrees(column, row)));
      expect(cells[0]).toBeCloseTo(column, 6);
      expect(cells[1]).toBeCloseTo(row, 6);
    }
  });
});

describe.runIf(hasGdal)('elevation and slope from a GeoTIFF', () => {
  const hills = (column: number, row: number): number =>
    1200 + 40 * Math.sin(column / 17) + 25 * Math.cos(row / 11) + 0.2 * column + 6 * Math.sin(column * row * 0.002);
  /** UTM 14 north around the origin: -98.5, 39.5 lies at 542,987 east, 4,372,394 north. */
  const utm: Grid = { west: 541_000, north: 4_374_400, cell: 10, width: 420, height: 410 };

  /** Parcels that touch no other, so that one raster of numbers can hold them: every 0.003 degrees one. */
  const stars = (): { apn: string; shape: MultiPolygon }[] => {
    const random = seededRandom(5);
    return Array.from({ length: 64 }, (_, index) => {
      const [x, y] = [
        origin.longitude + ((index % 8) - 4) * 0.003,
        origin.latitude + (Math.floor(index / 8) - 4) * 0.003,
      ];
      return { apn: String(100 + index), shape: [[star(random, x, y, 0.0014, 9)]] };
    });
  };

  test.each<[layout: string, options: string[]]>([
    ['tiles', ['-co', 'TILED=YES', '-co', 'COMPRESS=DEFLATE', '-co', 'BLOCKXSIZE=64', '-co', 'BLOCKYSIZE=64']],
    ['strips', ['-co', 'COMPRESS=LZW', '-co', 'PREDICTOR=2']],
    ['runs of bytes', ['-co', 'COMPRESS=PACKBITS']],
    ['zstd', ['-co', 'COMPRESS=ZSTD', '-co', 'PREDICTOR=3']],
    ['LERC in Deflate', ['-co', 'COMPRESS=LERC_DEFLATE', '-co', 'MAX_Z_ERROR=0']],
  ])('are what gdaldem and gdal_rasterize give, parcel by parcel (%s)', async (_layout, options) => {
    const folder = emptyHome();
    const parcels = stars();
    const dem = writeRaster(path.join(folder, 'dem.tif'), utm, 'EPSG:32614', hills, options);
    gdal('gdaldem', 'slope', '-q', '-p', dem, path.join(folder, 'slope.tif'));
    const features = parcels.map(({ apn, shape }) => ({
      type: 'Feature',
      geometry: multiPolygonToGeoJson(shape),
      properties: { apn: Number(apn) },
    }));
    const [degrees, meters, numbers] = ['degrees.geojson', 'meters.gpkg', 'numbers.tif'].map((name) =>
      path.join(folder, name),
    ) as [string, string, string];
    fs.writeFileSync(degrees, JSON.stringify({ type: 'FeatureCollection', features }));
    gdal('ogr2ogr', '-t_srs', 'EPSG:32614', meters, degrees, '-nln', 'parcels');
    const box = [utm.west, utm.north - utm.height * utm.cell, utm.west + utm.width * utm.cell, utm.north].map(String);
    gdal('gdal_rasterize', '-q', '-a', 'apn', '-te', ...box, '-tr', '10', '10', '-ot', 'Int32', meters, numbers);
    const [heights, slopes, owners] = [
      await readCells(dem),
      await readCells(path.join(folder, 'slope.tif')),
      await readCells(numbers),
    ];
    const engine = await homeWith(parcels);
    const report = await slopeOf(engine, dem);
    expect(report).toMatchObject({ computed: 64, notes: [expect.stringContaining('meters')] });
    const ours = found(engine);
    for (const { apn } of parcels) {
      const cells = Array.from(owners.values).flatMap((owner, at) => (owner === Number(apn) ? [at] : []));
      expect(cells.length).toBeGreaterThan(50);
      const z = cells.map((at) => heights.values[at] ?? 0);
      const s = cells.map((at) => slopes.values[at] ?? 0);
      const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
      const theirs = [Math.min(...z) / 0.3048, mean(z) / 0.3048, Math.max(...z) / 0.3048, mean(s)];
      const [shares, values] = [JSON.parse(String(ours[apn]?.[4])) as number[], ours[apn]?.slice(0, 4) as number[]];
      for (const [index, value] of theirs.entries()) {
        expect(
          isClose(values[index] ?? Number.NaN, value),
          `${apn} ${columns[index]}: ${values[index]}, ${value}`,
        ).toBe(true);
      }
      // true metres are 0.04 % from UTM's: a cell whose slope is just that near an edge may fall on its other side
      const steeper = (edge: number) => (100 * s.filter((slope) => slope > edge).length) / s.length;
      for (const [index, edge] of slopeEdgesPercent.entries()) {
        expect(shares[index]).toBeGreaterThanOrEqual(steeper(edge * 1.001) - 0.01);
        expect(shares[index]).toBeLessThanOrEqual(steeper(edge * 0.999) + 0.01);
      }
    }
  });

  test('know what a degree is: a plane in degrees has its grade in metres', async () => {
    // 1/3 arc-second, as published nationally; 1 metre per cell east: a degree of longitude at 39.5° is
    // 111,412.84 cos φ − 93.5 cos 3φ + 0.118 cos 5φ = 86,014 m (the usual series), so a cell is 7.9642 m: 12.556 %
    const cell = 1 / 10_800;
    const grid = {
      west: origin.longitude - 100 * cell,
      north: origin.latitude + 100 * cell,
      cell,
      width: 200,
      height: 200,
    };
    const file = writeRaster(path.join(emptyHome(), 'third.tif'), grid, 'EPSG:4269', (column) => column);
    const engine = await homeWith([{ apn: '1', shape: lotOfFeet(-500, -500, 500, 500) }]);
    await slopeOf(engine, file);
    const [min, mean, max, slope, shares] = found(engine)['1'] as [number, number, number, number, string];
    const phi = (39.5 * Math.PI) / 180;
    const degree = 111_412.84 * Math.cos(phi) - 93.5 * Math.cos(3 * phi) + 0.118 * Math.cos(5 * phi);
    expect(slope).toBeCloseTo(100 / (degree * cell), 1);
    expect(JSON.parse(shares)).toEqual([100, 100, 100, 100, 100, 0, 0, 0, 0, 0, 0]);
    // 1,000 feet are 38.3 cells: from column 81 to 119, and a metre is 3.2808 feet
    expect([min, max]).toEqual([expect.closeTo(81 / 0.3048, 1), expect.closeTo(118 / 0.3048, 1)]);
    expect(mean).toBeCloseTo((81 + 118) / 2 / 0.3048, 1);
  });

  test('take heights in feet as feet, declared or said', async () => {
    const file = writeRaster(path.join(emptyHome(), 'feet.tif'), utm, 'EPSG:32614', (column) => 1000 + column);
    const engine = await homeWith([{ apn: '1', shape: lotOfFeet(-500, -500, 500, 500) }]);
    await slopeOf(engine, file, { elevationUnit: 'ft' });
    const [, mean, , slope] = found(engine)['1'] as number[];
    // a foot in 10 metres: 3.048 %; the middle lies 1,986 m or 198 columns east
    expect(slope).toBeCloseTo(3.05, 1);
    expect(mean).toBeGreaterThan(1190);
    expect(mean).toBeLessThan(1205);
    const declared = path.join(emptyHome(), 'declared.tif');
    const vrt = path.join(emptyHome(), 'feet.vrt');
    gdal('gdal_translate', '-q', '-of', 'VRT', file, vrt);
    fs.writeFileSync(
      vrt,
      fs.readFileSync(vrt, 'utf8').replace('<NoDataValue>', '<UnitType>ft</UnitType><NoDataValue>'),
    );
    gdal('gdal_translate', '-q', vrt, declared);
    const report = await slopeOf(engine, declared);
    expect(report.notes).toEqual([]);
    expect((found(engine)['1'] as number[])[1]).toBe(mean);
  });

  test('take heights of no said unit in the unit of the coordinates, and say so', async () => {
    const meters = writeRaster(path.join(emptyHome(), 'meters.tif'), utm, 'EPSG:32614', (column) => 1000 + column);
    const kansasFeet = path.join(emptyHome(), 'kansas-feet.tif');
    gdal('gdalwarp', '-q', '-t_srs', 'EPSG:3418', meters, kansasFeet);
    const engine = await homeWith([{ apn: '1', shape: lotOfFeet(-500, -500, 500, 500) }]);
    const { notes } = await slopeOf(engine, kansasFeet);
    const [, mean, , slope] = found(engine)['1'] as [number, number, number, number];
    expect(mean).toBeGreaterThan(1190);
    expect(mean).toBeLessThan(1205);
    expect(slope).toBeCloseTo(3.05, 1);
    expect(notes).toEqual([
      'The file does not say the unit of its heights; they were taken as U.S. survey feet, as its coordinates are. If they are not, give “Unit of the heights” (elevationUnit: m, ft or us-ft).',
    ]);
    await expect(slopeOf(engine, meters)).resolves.toMatchObject({
      notes: [expect.stringContaining('taken as meters. If they are not')],
    });
  });

  test('take stored numbers with the scale and offset that the file declares, and refuse those that are none', async () => {
    const tenths = writeRaster(path.join(emptyHome(), 'tenths.tif'), utm, 'EPSG:32614', (column) =>
      column === 0 ? Number.NaN : 5 * column,
    );
    const engine = await homeWith([{ apn: '1', shape: lotOfFeet(-500, -500, 500, 500) }]);
    const declared = (scale: string, offset: string): string => {
      const file = path.join(emptyHome(), 'declared.tif');
      gdal('gdal_translate', '-q', '-ot', 'Int16', '-a_scale', scale, '-a_offset', offset, tenths, file);
      return file;
    };
    await slopeOf(engine, declared('0.1', '300'));
    const [min, mean, max, slope] = found(engine)['1'] as number[];
    // Half a metre in 10: 5 %; the middle lies 198 columns east, at 300 + 0.1 · 5 · 198.5 metres.
    expect(slope).toBeCloseTo(5, 1);
    expect(mean).toBeCloseTo((300 + 0.1 * 5 * 198.5) / 0.3048, -1);
    expect((max as number) - (min as number)).toBeCloseTo((0.1 * 5 * 30) / 0.3048, -1);
    await expect(slopeOf(engine, declared('0', '300'))).rejects.toThrow(/declared\.tif: expected numbers as scale/);
  });

  // The last three mean no data in files that lost their mark for it.
  test.each([Number.NaN, -9999, -32_768, 3.4e38])(
    'are unknown where the raster has no data (%d) or ends',
    async (nothing) => {
      const parcels = [
        { apn: 'in', shape: lotOfFeet(-3000, 0, -2000, 1000) },
        { apn: 'hole', shape: lotOfFeet(1000, 0, 2000, 1000) },
        { apn: 'rim', shape: lotOfFeet(6000, 0, 8000, 1000) },
        { apn: 'off', shape: lotOfFeet(30_000, 0, 31_000, 1000) },
      ];
      const engine = await homeWith(parcels);
      // the origin is column 198: no data from column 240 on for 20 columns, which is 1,370 to 2,030 feet east
      const file = writeRaster(path.join(emptyHome(), 'hole.tif'), utm, 'EPSG:32614', (column) =>
        column >= 240 && column < 260 ? nothing : 1000,
      );
      const report = await slopeOf(engine, file);
      expect(report.unknown).toEqual({ 'the elevation raster does not cover the parcel': 3 });
      const flat = JSON.stringify(slopeEdgesPercent.map(() => 0));
      expect(found(engine)).toEqual({
        in: [3280.8, 3280.8, 3280.8, 0, flat],
        hole: [null, null, null, null, null],
        rim: [null, null, null, null, null],
        off: [null, null, null, null, null],
      });
    },
  );

  test('give a lot smaller than a cell the cell that it lies in', async () => {
    const file = writeRaster(
      path.join(emptyHome(), 'coarse.tif'),
      { ...utm, cell: 30, width: 140, height: 137 },
      'EPSG:32614',
      (c) => 500 + 3 * c,
    );
    const engine = await homeWith([{ apn: '1', shape: lotOfFeet(0, 0, 12, 12) }]);
    await slopeOf(engine, file);
    const [min, mean, max, slope] = found(engine)['1'] as number[];
    expect(min).toBe(max);
    expect(mean).toBe(min);
    expect(slope).toBeCloseTo(10, 1);
  });

  test('are computed again for new and redrawn parcels while the very same raster is there; else it is said that they wait', async () => {
    const file = writeRaster(path.join(emptyHome(), 'dem.tif'), utm, 'EPSG:32614', (column) => 1000 + column);
    const [one, two] = [
      { apn: '1', shape: lotOfFeet(-500, -500, 500, 500) },
      { apn: '2', shape: lotOfFeet(600, -500, 1600, 500) },
    ];
    const engine = await homeWith([one, two]);
    const { raster } = await slopeOf(engine, file);
    expect(raster).toEqual({ path: fs.realpathSync(file), bytes: fs.statSync(file).size, sha256: sha256sum(file) });
    const meanOf = (apn: string) => (found(engine)[apn] as (number | null)[])[1];
    const [first, second] = [meanOf('1'), meanOf('2')];

    // 2 is redrawn as 1 was, 1 as 2 was, 3 is new and lies where 1 lay
    const [asTwo, asOne] = [
      { ...one, shape: two.shape },
      { ...two, shape: one.shape },
    ];
    await importAgain(engine, [asTwo, asOne]);
    expect([meanOf('1'), meanOf('2')]).toEqual([null, null]);
    const waits = { fips: testFips, kind: 'slope', file: fs.realpathSync(file) };
    expect(listWaiting(engine.land)).toEqual([
      { ...waits, parcels: 2, needs: 'computing', sentence: 'slope: 2 parcels wait to be computed' },
    ]);
    const again = await enrichAgain(engine.land, testFips, { now });
    expect(again).toMatchObject({ left_out: [], reports: [{ kind: 'slope', computed: 2, raster }] });
    expect([meanOf('1'), meanOf('2')]).toEqual([second, first]);
    expect(listWaiting(engine.land)).toEqual([]);

    // as long, but another raster: its hash shows that
    await importAgain(engine, [asTwo, asOne, { apn: '3', shape: lotOfFeet(-500, 600, 500, 1600) }]);
    const bytes = fs.readFileSync(file);
    const before = Buffer.from(bytes);
    bytes[bytes.length - 100] = (bytes[bytes.length - 100] ?? 0) ^ 0xff;
    fs.writeFileSync(file, bytes);
    expect(await enrichAgain(engine.land, testFips, { now })).toMatchObject({
      reports: [],
      left_out: [{ parcels: 1 }],
    });
    fs.rmSync(file);
    const gone = await enrichAgain(engine.land, testFips, { now });
    const sentence = 'slope: 1 parcel waits for its elevation file, dem.tif';
    expect(gone).toEqual({ reports: [], left_out: [{ ...waits, parcels: 1, needs: 'file', sentence }] });
    expect([meanOf('1'), meanOf('2'), meanOf('3')]).toEqual([second, first, null]);

    fs.writeFileSync(file, before);
    expect(await enrichAgain(engine.land, testFips, { now })).toMatchObject({ left_out: [] });
    expect(meanOf('3')).not.toBeNull();
  });

  test('are not read from a raster whose projection has no number, nor from one that is turned', async () => {
    const folder = emptyHome();
    const engine = await homeWith([{ apn: '1', shape: lotOfFeet(0, 0, 12, 12) }]);
    const own = '+proj=aea +lat_1=38.1 +lat_2=40.7 +lat_0=37.3 +lon_0=-98.7 +datum=NAD83 +units=m';
    const projected = writeRaster(path.join(folder, 'own.tif'), { ...utm, width: 9, height: 9 }, own, () => 1);
    await expect(slopeOf(engine, projected)).rejects.toThrow(/does not name its coordinate system/);

    const plain = writeRaster(path.join(folder, 'plain.tif'), utm, 'EPSG:32614', hills);
    const turned = transformed(plain, path.join(folder, 'turned.tif'), [utm.west, 9.8, 2, utm.north, 2, -9.8]);
    await expect(slopeOf(engine, turned)).rejects.toMatchObject({
      code: 'import_refused',
      message: expect.stringContaining('turned') as string,
    });
  });

  test('are the same from a raster whose rows run north', async () => {
    const folder = emptyHome();
    const engine = await homeWith([{ apn: '1', shape: lotOfFeet(-500, 300, 500, 900) }]);
    const plain = writeRaster(path.join(folder, 'plain.tif'), utm, 'EPSG:32614', hills);
    await slopeOf(engine, plain);
    const expected = found(engine)['1'];
    const upside = writeRaster(path.join(folder, 'rows.tif'), utm, 'EPSG:32614', (column, row) =>
      hills(column, utm.height - 1 - row),
    );
    const south = utm.north - utm.height * utm.cell;
    const north = transformed(upside, path.join(folder, 'north.tif'), [utm.west, 10, 0, south, 0, 10]);
    await slopeOf(engine, north);
    expect(found(engine)['1']).toEqual(expected);
  });

  test('say what a raster lacks', async () => {
    const folder = emptyHome();
    const engine = await homeWith([{ apn: '1', shape: lotOfFeet(0, 0, 12, 12) }]);
    const unnamed = path.join(folder, 'unnamed.tif');
    writeRaster(path.join(folder, 'a.tif'), { ...utm, width: 9, height: 9 }, 'EPSG:32614', () => 1);
    // the grid alone, without a system
    gdal('gdal_translate', '-q', path.join(folder, 'a.tif.asc'), unnamed);
    await expect(slopeOf(engine, unnamed)).rejects.toThrow(/coordinate system/);
    await expect(slopeOf(engine, unnamed, { rasterSystem: 'EPSG:32614' })).resolves.toMatchObject({ parcels: 1 });
  });
});

describe.runIf(hasGdal)('several elevation files of a county', () => {
  /** Side by side as published: each a little beyond the line between them, which is 198 columns east, at the origin. */
  const west: Grid = { west: 541_000, north: 4_374_400, cell: 10, width: 204, height: 410 };
  const east: Grid = { ...west, west: 542_920, width: 204 };
  const far: Grid = { ...west, west: 641_000 };

  const lots = [
    { apn: 'west', shape: lotOfFeet(-3000, 0, -2000, 1000) },
    { apn: 'across', shape: lotOfFeet(-2000, 2000, 2000, 3000) },
    { apn: 'east', shape: lotOfFeet(2000, 0, 3000, 1000) },
  ];
  const raster = (folder: string, name: string, grid: Grid, height: number): string =>
    writeRaster(path.join(folder, name), grid, 'EPSG:32614', () => height);
  const meters = (engine: Engine) =>
    Object.fromEntries(
      Object.entries(found(engine)).map(([apn, [, mean]]) => [
        apn,
        mean === null ? null : Math.round(Number(mean) * 0.3048),
      ]),
    );
  const idOf = (engine: Engine, apn: string) =>
    engine.land.file.column<number>('SELECT property_id FROM parcels WHERE apn = ?', apn)[0] ?? 0;
  const explained = (engine: Engine, apn: string) => explainParcel(engine.land, idOf(engine, apn))[0];
  const listed = (engine: Engine) => listLayers(engine.land).map(({ source_name: name }) => name);

  test('keep what each of them gave, say which, and leave together', async () => {
    const folder = emptyHome();
    const engine = await homeWith(lots);
    const [a, b] = [raster(folder, 'a.tif', west, 100), raster(folder, 'b.tif', east, 200)];
    await slopeOf(engine, a);
    const report = await slopeOf(engine, b);
    expect(meters(engine)).toMatchObject({ west: 100, east: 200 });
    expect(report.computed).toBeGreaterThanOrEqual(2);
    expect(listed(engine)).toEqual(['a.tif, b.tif']);
    expect(explained(engine, 'west')).toMatchObject({ source: 'a.tif', reason: null });
    expect(explained(engine, 'east')).toMatchObject({ source: 'b.tif', reason: null });

    const [layer] = listLayers(engine.land);
    unenrich(engine.land, layer?.layer_id ?? 0);
    expect(meters(engine)).toEqual({ west: null, across: null, east: null });
    expect(listed(engine)).toEqual([]);
  });

  test('are replaced one by one: the same file again, and a better one of the same land', async () => {
    const folder = emptyHome();
    const engine = await homeWith(lots);
    const [a, b] = [raster(folder, 'a.tif', west, 100), raster(folder, 'b.tif', east, 200)];
    await slopeOf(engine, a);
    await slopeOf(engine, b);
    raster(folder, 'b.tif', east, 250);
    await slopeOf(engine, b);
    expect(meters(engine)).toMatchObject({ west: 100, east: 250 });
    expect(listed(engine)).toEqual(['a.tif, b.tif']);
    // the same name, for another area now: its earlier values are gone with it
    raster(folder, 'b.tif', far, 300);
    await slopeOf(engine, b);
    expect(meters(engine)).toMatchObject({ west: 100, east: null });
    expect(listed(engine)).toEqual(['a.tif']);
    await slopeOf(engine, raster(folder, 'better.tif', { ...west, width: 420 }, 150));
    expect(meters(engine)).toEqual({ west: 150, across: 150, east: 150 });
    expect(listed(engine)).toEqual(['better.tif']);
  });

  test('are each read again after an import; parcels wait for a missing file', async () => {
    const folder = emptyHome();
    const engine = await homeWith(lots);
    const [a, b] = [raster(folder, 'a.tif', west, 100), raster(folder, 'b.tif', east, 200)];
    await slopeOf(engine, a);
    await slopeOf(engine, b);
    const moved = [
      { apn: 'west', shape: lotOfFeet(-3000, 100, -2000, 1000) },
      lots[1] as (typeof lots)[number],
      { apn: 'east', shape: lotOfFeet(2000, 100, 3000, 1000) },
    ];
    await importAgain(engine, moved);
    expect(meters(engine)).toMatchObject({ west: null, east: null });
    expect(listWaiting(engine.land)).toMatchObject([{ parcels: 2, needs: 'computing' }]);
    fs.renameSync(a, `${a}.away`);
    expect(listWaiting(engine.land)).toMatchObject([
      { needs: 'file', sentence: 'slope: 2 parcels wait for their elevation file, a.tif' },
    ]);
    expect(await enrichAgain(engine.land, testFips, { now })).toMatchObject({ left_out: [{ parcels: 1, file: a }] });
    expect(meters(engine)).toMatchObject({ west: null, east: 200 });
    fs.renameSync(`${a}.away`, a);
    expect(await enrichAgain(engine.land, testFips, { now })).toMatchObject({ left_out: [] });
    expect(meters(engine)).toMatchObject({ west: 100, east: 200 });
    expect(explained(engine, 'west')).toMatchObject({ source: 'a.tif' });
  });

  test('give a parcel across their line the heights of both, where both lie on the disk', async () => {
    const folder = emptyHome();
    const engine = await homeWith(lots);
    const [a, b] = [raster(folder, 'a.tif', west, 100), raster(folder, 'b.tif', east, 200)];
    await slopeOf(engine, a);
    expect(explained(engine, 'across')).toMatchObject({ reason: 'the elevation raster does not cover the parcel' });
    await slopeOf(engine, b);
    // 4,000 feet, half of them on either side; the strip that both hold counts once, as the newer file has it
    const [min, mean, max] = found(engine).across as [number, number, number];
    expect([min, max]).toEqual([328.1, 656.2]);
    expect(mean * 0.3048).toBeGreaterThan(148);
    expect(mean * 0.3048).toBeLessThan(157);
    expect(explained(engine, 'across')).toMatchObject({ source: 'a.tif, b.tif', reason: null });
  });
});

/** A TIFF of one directory with one tag, in either form; its sizes are in range but for the tag's count. */
function tiffWithTag(isBig: boolean, type: number, count: number): string {
  const bytes = Buffer.alloc(isBig ? 52 : 26);
  bytes.write('II', 'latin1');
  bytes.writeUInt16LE(isBig ? 43 : 42, 2);
  if (isBig) {
    bytes.writeUInt16LE(8, 4);
    bytes.writeBigUInt64LE(16n, 8);
    bytes.writeBigUInt64LE(1n, 16);
  } else {
    bytes.writeUInt32LE(8, 4);
    bytes.writeUInt16LE(1, 8);
  }
  const entry = isBig ? 24 : 10;
  bytes.writeUInt16LE(33_550, entry);
  bytes.writeUInt16LE(type, entry + 2);
  if (isBig) bytes.writeBigUInt64LE(BigInt(count), entry + 4);
  else bytes.writeUInt32LE(count, entry + 4);
  const file = path.join(emptyHome(), 'huge.tif');
  fs.writeFileSync(file, bytes);
  return file;
}

test('a TIFF whose directory comes after itself is refused by name, by the command line too', async () => {
  const bytes = Buffer.alloc(26);
  bytes.write('II', 'latin1');
  bytes.writeUInt16LE(42, 2);
  bytes.writeUInt32LE(8, 4);
  bytes.writeUInt16LE(1, 8);
  // Image width, a short, 10; then the same directory again.
  bytes.writeUInt16LE(256, 10);
  bytes.writeUInt16LE(3, 12);
  bytes.writeUInt32LE(1, 14);
  bytes.writeUInt16LE(10, 18);
  bytes.writeUInt32LE(8, 22);
  const file = path.join(emptyHome(), 'circle.tif');
  fs.writeFileSync(file, bytes);
  const said = /circle\.tif: the TIFF is damaged: its directory at byte 8 comes after itself\. Download it again\./;
  await expect(ElevationRaster.open(file, defaultSettings)).rejects.toThrow(said);
  const cli = await platbook(copyOfHome(sampleHome()), 'enrich', 'slope', file, '--county', '99001');
  expect(cli.code).toBe(exitCodes.failed);
  expect(cli.err).toMatch(said);
});

test.each([
  ['a tag of 128 million numbers', false, 12, 2 ** 27],
  ['the same in a BigTIFF', true, 12, 2 ** 27],
  ['a tag one byte longer than the file', false, 1, 27],
])('a TIFF with %s is refused by its size, before anything is allocated', async (_what, isBig, type, count) => {
  const before = process.memoryUsage.rss();
  const file = tiffWithTag(isBig, type, count);
  await expect(ElevationRaster.open(file, defaultSettings)).rejects.toMatchObject({
    code: 'import_refused',
    message: expect.stringMatching(
      /huge\.tif: the TIFF is damaged: its tag 33550 counts [\d,]+ values, more than its \d+ bytes/,
    ),
  });
  expect(process.memoryUsage.rss() - before).toBeLessThan(200 * 2 ** 20);
});
