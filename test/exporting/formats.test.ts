/** Every format, opened by another program: the same parcels, values, places and coordinate system. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import type { Engine } from '../../engine/engine.ts';
import { openTableFile } from '../../engine/importing/formats/table-file.ts';
import { findParcel } from '../../engine/query/parcel-detail.ts';
import { gdalOrSkip } from '../support/gdal.ts';
import { requireOrSkip } from '../support/require.ts';
import { convertWithOffice, sofficeOrSkip } from '../support/soffice.ts';
import { allIds, exported, fixtureEngine, hardTexts, ogrFeatures, ogrSummary, pointsOf } from './export-home.ts';

const hasGdal = gdalOrSkip('exports read by GDAL');
const hasOffice = sofficeOrSkip('exports read by LibreOffice');
const validator = ['-m', 'osgeo_utils.samples.validate_gpkg'];
const hasValidator = requireOrSkip(
  'GeoPackage validator',
  spawnSync('/usr/bin/python3', ['-c', 'import osgeo_utils.samples.validate_gpkg']).status === 0,
  'GDAL for Python (python3-gdal) is not installed',
);

const columns = [
  'property_id',
  'apn',
  'acres',
  'owner_name',
  'situs_zip',
  'market_total_value',
  'last_sale_date',
  'owner_out_of_state',
];

/** The engine's own answer about a parcel. */
const stored = (engine: Engine, id: number): Record<string, unknown> => ({ ...findParcel(engine.land, id) });

/** GDAL gives dates with slashes, dBASE numbers as reals, and booleans as numbers; all that is the same value. */
function sameValue(name: string, found: unknown, wanted: unknown): boolean {
  if (wanted === null) return found === null || found === undefined || found === '';
  if (name === 'last_sale_date') return String(found).replaceAll('/', '-').slice(0, 10) === wanted;
  if (typeof wanted === 'boolean')
    return found === wanted || found === Number(wanted) || found === (wanted ? 'T' : 'F') || found === String(wanted);
  if (typeof wanted === 'number') return Number(found) === wanted;
  return found === wanted;
}

describe.runIf(hasGdal)('GDAL opens', () => {
  const cases = [
    { format: 'geojson', layer: 'Alder lots', file: (file: string) => file, short: false },
    { format: 'gpkg', layer: 'parcels', file: (file: string) => file, short: false },
    { format: 'shapefile', layer: 'parcels', file: (file: string) => `/vsizip/${file}`, short: true },
    { format: 'kml', layer: 'Alder lots', file: (file: string) => file, short: false },
  ];
  test.each(cases)('$format with every parcel, its values and its corners', async ({ format, layer, file, short }) => {
    const engine = fixtureEngine();
    const { file: made } = await exported(engine, format, { columns });
    const features = ogrFeatures(file(made), layer);
    expect(features).toHaveLength(allIds.length);
    const wrong = features.flatMap(({ properties, geometry }, i) => {
      const id = i + 1;
      const parcel = stored(engine, id);
      const names = columns.filter((name) => {
        const found = properties[short ? name.slice(0, 10) : name];
        // KML cannot hold a date before reading it as text, and neither format knows an empty text from none.
        return !sameValue(name, found, parcel[name]);
      });
      const shape = parcel.shape as { type: string; coordinates: unknown } | null;
      const sameShape = shape
        ? pointsOf(geometry).join() === pointsOf(shape).join()
        : !geometry || geometry.type === 'Point';
      return names.length === 0 && sameShape ? [] : [{ id, names, sameShape, properties }];
    });
    expect(wrong).toEqual([]);
    expect(ogrSummary(file(made), layer)).toContain('4326');
  });

  test('a GPX of waypoints, one for each parcel that has a place', async () => {
    const engine = fixtureEngine();
    const { file, notes } = await exported(engine, 'gpx');
    const points = ogrFeatures(file, 'waypoints');
    // Parcel 50 of the fixture has no place.
    expect(points.map(({ properties }) => properties.name)).toHaveLength(49);
    expect(points[0]?.properties).toMatchObject({ name: '3-12' });
    expect(points[0]?.geometry?.coordinates).toEqual(stored(engine, 1).point);
    expect(notes).toEqual(['1 of 50 parcels have no location and are left out.']);
  });

  test('the layer, its extent and its index in a GeoPackage', async () => {
    const { file } = await exported(fixtureEngine(), 'gpkg');
    const summary = ogrSummary(file, 'parcels');
    expect(summary).toContain('Geometry: Multi Polygon');
    expect(summary).toContain('Feature Count: 50');
    // 8 columns of lots from 72.2 west on, 0.003 apart and 0.002 wide; 6 rows from 43.1 north on.
    expect(summary).toMatch(/Extent: \(-72\.200000, 43\.100000\) - \(-72\.177000, 43\.117000\)/);
    const inBox = spawnSync(
      'ogrinfo',
      ['-so', '-spat', '-72.2005', '43.0995', '-72.1995', '43.1005', file, 'parcels'],
      { encoding: 'utf8' },
    );
    expect(inBox.stdout).toContain('Feature Count: 1');
  });
});

/** GDAL's validator, which reads every value. */
function faultsOf(file: string): string {
  const { status, stdout, stderr } = spawnSync('/usr/bin/python3', [...validator, '--extra', '-k', file], {
    encoding: 'utf8',
  });
  return `${stdout}${stderr}${status === 0 ? '' : `ended with ${status}`}`;
}

describe.runIf(hasValidator)('the GeoPackage validator', () => {
  test('finds no fault', async () => {
    expect(faultsOf((await exported(fixtureEngine(), 'gpkg')).file)).toBe('');
  });

  test('finds no fault either after GDAL has edited it through its triggers', async () => {
    const { file } = await exported(fixtureEngine(), 'gpkg');
    const sql = 'UPDATE parcels SET geom = (SELECT geom FROM parcels WHERE fid = 2) WHERE fid IN (1, 49)';
    expect(spawnSync('ogrinfo', [file, '-sql', sql]).status).toBe(0);
    expect(faultsOf(file)).toBe('');
  });

  test('finds the fault in a faulty file', async () => {
    const { file } = await exported(fixtureEngine(), 'gpkg');
    expect(spawnSync('ogrinfo', [file, '-sql', 'DROP TRIGGER rtree_parcels_geom_update3']).status).toBe(0);
    expect(faultsOf(file)).toMatch(/Req 75/);
  });
});

const rowsOfCsv = (file: string): Record<string, string>[] =>
  parse(fs.readFileSync(file), { bom: true, columns: true });

describe('CSV', () => {
  test('has a BOM, CRLF, every column of the dictionary, plain numbers and ISO dates', async () => {
    const engine = fixtureEngine();
    const { file } = await exported(engine, 'csv');
    const text = fs.readFileSync(file, 'utf8');
    expect(text.startsWith('\uFEFFproperty_id,url,apn,')).toBe(true);
    expect(text.endsWith('\r\n')).toBe(true);
    const rows = rowsOfCsv(file);
    expect(rows).toHaveLength(50);
    expect(rows[4]).toMatchObject({ property_id: '5', market_total_value: '3000000000', wetlands_percent: '0.1' });
    expect(rows[0]).toMatchObject({
      situs_zip: '00141',
      owner_out_of_state: 'false',
      longitude: String((stored(engine, 1).point as number[])[0]),
    });
  });

  test('keeps spreadsheets from reading formulas', async () => {
    const engine = fixtureEngine();
    const { file } = await exported(engine, 'csv', { columns: ['property_id', 'apn', 'owner_name'] });
    const rows = rowsOfCsv(file);
    expect(rows.filter((row) => /^[=+\-@\t\r]/.test(`${row.apn}`) || /^[=+\-@\t\r]/.test(`${row.owner_name}`))).toEqual(
      [],
    );
    expect(rows[0]?.owner_name).toBe(`'${hardTexts[1]?.owner_name}`);
    expect(rows[2]?.owner_name).toBe(`'${hardTexts[3]?.owner_name}`);
    expect(rows[3]?.apn).toBe("'-7");
  });
});

describe('XLSX', () => {
  const read = (file: string) => {
    const table = openTableFile(file);
    const wanted = table.columns.map((_, i) => i);
    return [...table.rows(wanted)].map(({ values }) =>
      Object.fromEntries(table.columns.map((name, i) => [name, values[i]])),
    );
  };

  test('is read back by the import with the same texts, zeros and all', async () => {
    const engine = fixtureEngine();
    const { file } = await exported(engine, 'xlsx', { columns });
    const rows = read(file);
    expect(rows).toHaveLength(50);
    const wrong = rows.flatMap((row, i) =>
      columns
        .filter(
          (name) =>
            !sameValue(
              name,
              row[name] === '1' && name === 'owner_out_of_state' ? true : row[name],
              stored(engine, i + 1)[name],
            ) && name !== 'owner_out_of_state',
        )
        .map((name) => [i + 1, name, row[name]]),
    );
    expect(wrong).toEqual([]);
  });

  test.runIf(hasOffice)(
    'opens in LibreOffice: texts are texts, numbers numbers, dates dates',
    { timeout: 120_000 },
    async () => {
      const engine = fixtureEngine();
      const { file } = await exported(engine, 'xlsx', { columns });
      const folder = convertWithOffice(file, 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false');
      const rows = parse(fs.readFileSync(path.join(folder, 'lots.csv')), { bom: true, columns: true }) as Record<
        string,
        string
      >[];
      fs.rmSync(folder, { recursive: true, force: true });
      expect(rows).toHaveLength(50);
      expect(rows[0]).toMatchObject({
        apn: '3-12',
        owner_name: '+1 "QUOTED", & <TAG>',
        situs_zip: '00141',
        owner_out_of_state: 'FALSE',
      });
      expect(rows[1]).toMatchObject({
        apn: '000120',
        owner_name: 'MUÑOZ JOSÉ',
        last_sale_date: String(stored(engine, 2).last_sale_date),
      });
      expect(rows[2]).toMatchObject({ apn: '1E5', owner_name: "'=ALREADY MARKED" });
      expect(rows[3]).toMatchObject({ apn: '-7', owner_name: '_x0041_ ŁÓDŹ', last_sale_date: '1899-05-01' });
      expect(Number(rows[4]?.market_total_value)).toBe(3_000_000_000);
    },
  );
});

describe('Shapefile', () => {
  test('says which names and texts it cut', async () => {
    const { notes } = await exported(fixtureEngine(), 'shapefile', {
      columns: ['apn', 'owner_name', 'owner_name_2', 'market_total_value', 'market_land_value', 'legal_description'],
    });
    expect(notes).toEqual([
      // owner_name has ten letters; the other four are longer.
      '4 names are cut to 10 letters; parcels-columns.csv in the zip has them in full.',
      "1 text is cut to 254 bytes, the format's limit.",
      '2 of 50 parcels have no boundary; their rows have no shape.',
    ]);
  });
});
