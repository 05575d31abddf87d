/** `platbook import parcels`, `undo`, `datasets` as a user runs them, in processes of their own. */
import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openEngine } from '../../engine/engine.ts';
import { gdalOrSkip, ogr2ogr } from '../support/gdal.ts';
import { emptyHome } from '../support/homes.ts';
import { platbook } from '../support/platbook.ts';

/** Beside Newport, in Sullivan County. */
const [firstWest, south] = [-72.2, 43.35];

const square = (index: number) => {
  const west = firstWest + index * 0.01;
  const ring = [
    [west, south],
    [west + 0.001, south],
    [west + 0.001, south + 0.001],
    [west, south + 0.001],
    [west, south],
  ];
  return { type: 'Polygon', coordinates: [ring] };
};

function lots(name: string, owners: readonly string[]): string {
  const features = owners.map((owner_name, index) => ({
    type: 'Feature',
    geometry: square(index),
    properties: { apn: `${index + 1}`, owner_name, acres: 2.24, PADDOCKS: index },
  }));
  const file = path.join(emptyHome(), name);
  fs.writeFileSync(file, JSON.stringify({ type: 'FeatureCollection', features }));
  return file;
}

function streets(): string {
  const geometry = {
    type: 'LineString',
    coordinates: [
      [-72, 43],
      [-72.01, 43.01],
    ],
  };
  const street = { type: 'Feature', geometry, properties: { FULLNAME: 'Mill Rd', MTFCC: 'S1400' } };
  const file = path.join(emptyHome(), 'streets.geojson');
  fs.writeFileSync(file, JSON.stringify({ type: 'FeatureCollection', features: [street] }));
  return file;
}

const parcelsOf = (home: string): number => {
  const engine = openEngine({ home, keepsIndexes: false });
  const n = engine.land.parcelCount;
  engine.close();
  return n;
};

test('a dry run goes on with an uncertain parcel number and says so, where an import asks', async () => {
  const home = emptyHome();
  const features = ['7-1', '7-2', '7-3'].map((PIN, index) => ({
    ...{ type: 'Feature', geometry: square(index) },
    properties: { PIN, OWNER: `ALDER ${index}` },
  }));
  const file = path.join(home, 'few.geojson');
  fs.writeFileSync(file, JSON.stringify({ type: 'FeatureCollection', features }));
  const args = ['import', 'parcels', file, '--county', '33019'];
  const tried = await platbook(home, ...args, '--dry-run');
  expect(tried.code).toBe(0);
  expect(tried.err).toMatch(
    /Which column is the parcel number\? The dry run goes on with PIN \(\d\d %\)\. The import itself asks\./,
  );
  expect(tried.out).toContain('A dry run: nothing was changed.');
  expect(tried.out).toContain('3 new');
  const asked = await platbook(home, ...args);
  expect(asked.code).toBe(1);
  expect(asked.err).toContain(
    'nothing was imported. Which column is the parcel number? Answer in the same command, like --set apn=PIN',
  );
  const answered = await platbook(home, ...args, '--set', 'apn=PIN');
  expect([answered.code, parcelsOf(home)]).toEqual([0, 3]);
});

test('a county is tried, imported, replaced, taken back and deleted from the command line', async () => {
  const home = emptyHome();
  const file = lots('lots.geojson', ['ADAMS', 'BAKER', 'CLARK']);
  const of = ['--county', '33019', '--source', 'Town', '--date', '2026-07-01'];
  const problems = path.join(home, 'problems.csv');
  const dry = await platbook(home, 'import', 'parcels', file, ...of, '--dry-run', '--problems', problems);
  expect(dry).toMatchObject({ code: 0, err: '' });
  expect(dry.out).toMatch(/^A dry run: nothing was changed\.\nTown, 2026-07-01 \(33019\): 3 features read/);
  expect(dry.out).toMatch(/3 new, 0 changed, 0 unchanged, 0 retired/);
  expect(dry.out).toMatch(
    /0 current parcels in the dataset\n {2}about \d+ kB are temporarily needed on the disk of .+ \(data folder.*\); [\d.,]+ [MG]B are free/,
  );
  expect(fs.readFileSync(problems, 'utf8').trim()).toBe('\ufefffile,row,column,value,reason'.trim());
  expect(parcelsOf(home)).toBe(0);

  const first = await platbook(home, 'import', 'parcels', file, ...of);
  expect(first).toMatchObject({
    code: 0,
    out: expect.stringContaining('"platbook undo 1" restores') as string,
  });
  const newer = lots('newer.geojson', ['ADAMS', 'DAVIS']);
  const second = await platbook(home, 'import', 'parcels', newer, ...of.slice(0, 4), '--date', '2026-08-01', '--json');
  expect(JSON.parse(second.out)).toMatchObject({ import_id: 2, changed: 1, retired: 1, unchanged: 1, completed: [] });

  const refused = await platbook(home, 'undo', '1');
  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(refused.err).toMatch(/^platbook: A later import of the same dataset builds on import 1: number 2/);
  // What changed nothing is not in the list: the one before it is named, and taken back by its number only.
  const same = await platbook(home, 'import', 'parcels', newer, ...of.slice(0, 4), '--date', '2026-08-01', '--json');
  expect(JSON.parse(same.out)).toMatchObject({ import_id: null, changed: 0, retired: 0 });
  const asked = await platbook(home, 'undo');
  expect(asked).toMatchObject({ code: 2, out: '' });
  expect(asked.err).toMatch(
    /The latest that changed something is number 2: Town of 2026-08-01, on .{10}\. "platbook undo 2" takes back what it did: 1 changed, 1 retired; "platbook redo 2"/,
  );
  expect((await platbook(home, 'undo', '2')).out).toBe(
    'Import 2 is undone: 2 parcels (1 changed, 1 retired) stand as before it. "platbook redo 2" does it again.',
  );
  expect((await platbook(home, 'datasets', 'imports')).out).toMatch(/^ *2 .*done, redo$/m);
  expect((await platbook(home, 'redo')).out).toBe(
    'Import 2 is in again: 2 parcels (1 changed, 1 retired). "platbook undo 2" takes it back.',
  );
  const older = await platbook(home, 'import', 'parcels', file, ...of);
  expect(older).toMatchObject({
    code: 1,
    err: expect.stringContaining('is loaded as of 2026-08-01, this is older, of 2026-07-01: pass --replace') as string,
  });
  const back = await platbook(home, 'import', 'parcels', file, ...of, '--replace', '--dry-run');
  expect(back.out).toContain('newer data: 1; of 2026-08-01; this is of 2026-07-01');
  expect((await platbook(home, 'undo', '2')).code).toBe(0);
  expect((await platbook(home, 'datasets', 'coverage', '1')).out).toMatch(/owner_name +3\n/);
  const deleted = await platbook(home, 'datasets', 'delete', '1');
  expect(deleted.out).toBe('Dataset 1 is removed with its 3 parcels; "platbook undo 3" brings them back.');
  expect(parcelsOf(home)).toBe(0);
  expect((await platbook(home, 'undo', '3')).out).toBe('The dataset is back, with 3 parcels.');
  expect(parcelsOf(home)).toBe(3);
  const listed = JSON.parse((await platbook(home, 'datasets', '--json')).out) as unknown[];
  expect(listed).toMatchObject([{ dataset_id: 1, source_date: '2026-07-01', parcels: 3, retired: 0, layers: [] }]);
});

test('a county that is not named is the one where the parcels lie; the wrong one is refused with its name', async () => {
  const home = emptyHome();
  const file = lots('lots.geojson', ['ADAMS', 'BAKER', 'CLARK']);
  const wrong = await platbook(home, 'import', 'parcels', file, '--county', '33013');
  expect(wrong).toMatchObject({
    code: 1,
    err: expect.stringMatching(
      /0 of the 3 checked parcels of lots\.geojson lie in Merrimack.*--county 33019/,
    ) as string,
  });
  const found = await platbook(home, 'import', 'parcels', file, '--json');
  expect(found.err).toContain('County: Sullivan County, NH (33019), where the first parcels lie;');
  expect(JSON.parse(found.out)).toMatchObject({ fips: '33019', new: 3, other_county: null });
  const roll = path.join(home, 'roll.csv');
  fs.writeFileSync(roll, 'apn,owner_name\n1,ADAMS\n');
  expect(await platbook(home, 'import', 'parcels', roll)).toMatchObject({
    code: 2,
    err: expect.stringContaining('roll.csv has no shapes that say where it lies') as string,
  });
  const alone = await platbook(home, 'import', 'parcels', roll, '--without-shapes', '--county', '33013', '--json');
  expect(JSON.parse(alone.out)).toMatchObject({ fips: '33013', new: 1, without_geometry: 1 });
  const forced = await platbook(home, 'import', 'parcels', file, '--county', '33005', '--anywhere', '--dry-run');
  expect(forced.out).toContain('3 of 3 in Sullivan (33019), 0 in 33005: is the county code right?');
});

test('names a missing argument, with what it accepts', async () => {
  const home = emptyHome();
  const file = lots('lots.geojson', ['ADAMS']);
  expect(
    await platbook(home, 'import', 'parcels', file, '--county', '33019', '--county-column', 'COUNTY'),
  ).toMatchObject({
    code: 2,
    err: expect.stringContaining('Expected --county, or for a statewide file --county-column, found both.') as string,
  });
  const lost = await platbook(
    home,
    'import',
    'parcels',
    '/nowhere.csv',
    '--county',
    '33019',
    '--dry-run',
    '--problems',
    'no/x.csv',
  );
  expect(lost.err).toMatch(/Expected the folder .*no for the list of problems, found none/);
  const stray = await platbook(home, 'import', 'parcels', file, '--county', '33019', '--problems', 'x.csv');
  expect(stray).toMatchObject({ code: 2, err: expect.stringContaining('--dry-run with --problems') as string });
  const missing = await platbook(home, 'import', 'parcels', '/nowhere.geojson', '--county', '33019');
  expect(missing).toMatchObject({ code: 1, err: expect.stringContaining('/nowhere.geojson') as string });
  expect(await platbook(home, 'undo')).toMatchObject({ code: 1, err: 'platbook: There is no import to undo.' });
  expect(await platbook(home, 'undo', 'all')).toMatchObject({ code: 2 });
});

test('look says which layers are roads, and what to type for them', async () => {
  const home = emptyHome();
  const file = streets();
  const looked = await platbook(home, 'look', file);
  expect(looked).toMatchObject({ code: 0, err: '' });
  expect(looked.out).toMatch(/^streets: roads, geojson, 1 row,/);
  expect(looked.out).not.toContain('cannot be imported');
  expect(looked.out).toContain(`Next: platbook enrich roads ${file} --county <FIPS>`);
});

test('look names both ways on of a table: its parcels, or rows without shapes, which the import then takes', async () => {
  const home = emptyHome();
  const roll = path.join(home, 'roll.csv');
  fs.writeFileSync(roll, 'PIN,OWNER\n7-1,ELM ANN\n7-2,OAK BEN\n');
  const { out } = await platbook(home, 'look', roll);
  expect(out).toContain(`Next: platbook map <file of parcels> --join ${roll} --county <FIPS>`);
  expect(out).toContain(`or: platbook map ${roll} --without-shapes --county <FIPS>`);
  const mapped = await platbook(home, 'map', roll, '--without-shapes', '--county', '33019');
  expect([mapped.code, mapped.out]).toEqual([0, expect.stringContaining('--without-shapes')]);
});

test('look tells the roads of a file with several layers from its parcels', async ({ skip }) => {
  if (!gdalOrSkip('several layers in one file')) skip();
  const home = emptyHome();
  const file = path.join(home, 'town.gpkg');
  ogr2ogr(file, lots('lots.geojson', ['ADAMS', 'BAKER']), '-nln', 'lots');
  ogr2ogr(file, streets(), '-update', '-nln', 'streets');
  const { out } = await platbook(home, 'look', file);
  expect(out).toMatch(/^lots: parcels, geopackage, 2 rows/m);
  expect(out).toMatch(/^streets: roads, geopackage, 1 row,/m);
  expect(out).toContain(`Next: platbook map ${file} --layer lots --county <FIPS>`);
  expect(out).toContain(`or: platbook enrich roads ${file} --layer streets --county <FIPS>`);
  const database = new Database(file);
  database.exec(`CREATE VIEW some AS SELECT * FROM lots;
    INSERT INTO gpkg_contents (table_name, data_type, identifier, srs_id) VALUES ('some', 'features', 'some', 4326);
    INSERT INTO gpkg_geometry_columns VALUES ('some', 'geom', 'POLYGON', 4326, 0, 0)`);
  database.close();
  const { out: withView } = await platbook(home, 'look', file);
  expect(withView).toMatch(
    /^some: a layer, geopackage, rows not counted\n {2}cannot be imported as it is: .*found a view/m,
  );
  expect(withView.slice(withView.indexOf('Next:'))).toBe(out.slice(out.indexOf('Next:')));
});
