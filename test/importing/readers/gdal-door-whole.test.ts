/** Formats of the GDAL door through every step of the command, in zips, and cut off at many places. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { look } from '../../../engine/importing/look.ts';
import { gdalOrSkip, ogr2ogr } from '../../support/gdal.ts';
import { emptyHome } from '../../support/homes.ts';
import { platbook } from '../../support/platbook.ts';
import { temporaryFolder, writeFile } from '../fixtures.ts';
import { expectTheLots, lots, lotsDrawn, refusal, source, statePlane, tabBounds, write, zipped } from './door-lots.ts';
import { leftovers } from './reading.ts';

const hasGdal = gdalOrSkip('formats that GDAL reads, in whole imports');
/** Counties of the lots and of the drawing. */
const [fips, drawingFips] = ['33019', '33005'];

describe.runIf(hasGdal)('parcels are the same as from GeoJSON', () => {
  test.each(['lots.tab', 'lots.mif', 'lots.gml', 'lots.kml'])('from a zip with %s, by its own name', (name) => {
    const file = write(name);
    const zip = zipped(path.dirname(file), name === 'lots.kml' ? 'lots.kmz' : 'lots.zip');
    expectTheLots(zip);
    expect(look(zip).layers.map((layer) => layer.name)).toEqual(['lots']);
    expect(leftovers()).toEqual([]);
  });

  test('from a TAB in Windows-1252', () => {
    const folder = temporaryFolder();
    const file = path.join(folder, 'old.tab');
    ogr2ogr('-f', 'MapInfo File', '-t_srs', statePlane, ...tabBounds, '-lco', 'ENCODING=CP1252', file, source(folder));
    expectTheLots(file);
  });
});

describe.runIf(hasGdal)('the whole way', () => {
  const cases = [
    ['lots.kml', []],
    ['lots.gml', []],
    ['lots.tab', []],
    ['lots.dxf', ['--crs', statePlane, '--layer', 'LOTS']],
  ] as const;

  test.each(cases)('%s is looked at, tried and imported by the command', async (name, options) => {
    const isDrawing = name === 'lots.dxf';
    const file = isDrawing ? writeFile(name, lotsDrawn) : write(name);
    const columns = isDrawing ? { external_id: 'EntityHandle' } : { apn: 'pin', owner_name: 'owner', acres: 'acres' };
    const mapping = writeFile('mapping.json', JSON.stringify({ name: 'test', columns }));
    const home = emptyHome();
    const looked = await platbook(home, 'look', file, ...(isDrawing ? ['--crs', statePlane] : []));
    expect(looked).toMatchObject({ code: 0 });
    expect(looked.out).toMatch(isDrawing ? /LOTS: parcels, dxf, 3 rows/ : /4 rows|rows/);
    const words = [
      'import',
      'parcels',
      file,
      '--county',
      isDrawing ? drawingFips : fips,
      '--mapping',
      mapping,
      '--source',
      'Test',
      ...options,
    ];
    const given = [...words, '--date', '2026-07-01', '--json'];
    const tried = await platbook(home, ...given, '--dry-run');
    const expected = isDrawing
      ? { new: 2, without_area: 1, features_read: 2 }
      : { new: 4, without_area: 0, features_read: 4 };
    expect(tried.err + tried.out).toMatch(/"new"/);
    expect(JSON.parse(tried.out)).toMatchObject({ ...expected, refused: { count: 0 } });
    const done = await platbook(home, ...given);
    expect(JSON.parse(done.out)).toMatchObject({ ...expected, refused: { count: 0 } });
    const sql = 'SELECT apn, owner_name, round(calculated_acres, 2) AS acres FROM parcels ORDER BY 1, 3';
    const rows = JSON.parse((await platbook(home, 'sql', sql, '--json')).out) as Record<string, unknown>[];
    if (isDrawing) {
      // 1,000 by 1,000 US survey feet are 22.96 acres; the second has an arc on one side.
      expect(rows[0]).toMatchObject({ apn: null, acres: 22.96 });
      expect(rows).toHaveLength(2);
    } else
      expect(rows.map(({ apn, owner_name: owner }) => [apn, owner])).toEqual(
        lots.map((each) => [each.properties.pin, each.properties.owner]),
      );
  });
});

describe.runIf(hasGdal)('a file that is not whole is refused', () => {
  test.each([
    ['lots.gml', '.gml', /expected <\/ogr:FeatureCollection> at its end.*cut off/],
    ['feet.gml', '.gml', /cut off/],
    ['lots.kml', '.kml', /the file ends|cut off/],
    ['lots.tab', '.dat', /cut off/],
    ['lots.tab', '.map', /damaged|cannot be read|expected 4 rows/],
    ['lots.mif', '.mif', /damaged|cannot be read|expected/],
    ['lots.mif', '.mid', /damaged|cannot be read|expected/],
  ])('%s of which %s was cut off at 95 and 60 percent', (name, ending, message) => {
    const whole = fs.readFileSync(write(name).replace(/\.\w+$/, ending));
    for (const share of [0.95, 0.6]) {
      const file = write(name);
      fs.writeFileSync(file.replace(/\.\w+$/, ending), whole.subarray(0, Math.floor(whole.length * share)));
      expect(refusal(file), `${share}`).toMatch(message);
    }
    expect(leftovers()).toEqual([]);
  });
});
