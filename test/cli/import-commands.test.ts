/** `platbook import parcels`, `undo`, `datasets` as a user runs them, in processes of their own. */
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { openEngine } from '../../engine/engine.ts';
import { inSullivan, writeGeneratedCounty } from '../bench/generated-county.ts';
import { gdalOrSkip, ogr2ogr } from '../support/gdal.ts';
import { emptyHome } from '../support/homes.ts';
import { ended, platbook } from '../support/platbook.ts';

const square = (index: number) => {
  const west = -72 + index * 0.01;
  const ring = [
    [west, 43],
    [west + 0.001, 43],
    [west + 0.001, 43.001],
    [west, 43.001],
    [west, 43],
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
  expect((await platbook(home, 'undo')).out).toBe(
    'Import 2 is undone: 2 parcels are restored, 0 added ones are removed.',
  );
  expect((await platbook(home, 'datasets', 'coverage', '1')).out).toMatch(/owner_name +3\n/);
  const deleted = await platbook(home, 'datasets', 'delete', '1');
  expect(deleted.out).toBe('Dataset 1 is removed with its 3 parcels; "platbook undo 3" brings them back.');
  expect(parcelsOf(home)).toBe(0);
  expect((await platbook(home, 'undo')).out).toBe('The dataset is back, with 3 parcels.');
  expect(parcelsOf(home)).toBe(3);
  const listed = JSON.parse((await platbook(home, 'datasets', '--json')).out) as unknown[];
  expect(listed).toMatchObject([{ dataset_id: 1, source_date: '2026-07-01', parcels: 3, retired: 0, layers: [] }]);
});

test('what the command line lacks is said, with what it takes', async () => {
  const home = emptyHome();
  const file = lots('lots.geojson', ['ADAMS']);
  expect(await platbook(home, 'import', 'parcels', file)).toMatchObject({
    code: 2,
    err: expect.stringContaining(
      'Expected --county with a FIPS code, or for a statewide file --county-column.',
    ) as string,
  });
  const stray = await platbook(home, 'import', 'parcels', file, '--county', '33019', '--problems', 'x.csv');
  expect(stray).toMatchObject({ code: 2, err: expect.stringContaining('--dry-run with --problems') as string });
  const missing = await platbook(home, 'import', 'parcels', '/nowhere.geojson', '--county', '33019');
  expect(missing).toMatchObject({ code: 1, err: expect.stringContaining('/nowhere.geojson') as string });
  expect(await platbook(home, 'undo')).toMatchObject({ code: 1, err: 'platbook: There is no import to undo.' });
  expect(await platbook(home, 'undo', 'all')).toMatchObject({ code: 2 });
});

test('Ctrl+C in the middle of an import changes nothing, and says so in one sentence', async () => {
  const home = emptyHome();
  const file = path.join(emptyHome(), 'county.ndjson');
  writeGeneratedCounty(file, 20_000, 1, inSullivan);
  const launcher = path.resolve(import.meta.dirname, '..', '..', 'engine', 'bin', 'platbook.mjs');
  const child: ChildProcess = spawn(process.execPath, [launcher, 'import', 'parcels', file, '--county', '33019'], {
    env: { ...process.env, PLATBOOK_HOME: home },
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let text = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  // Keeping replaced rows: the transaction is open, and twenty thousand rows are still to be written.
  await expect.poll(() => fs.existsSync(path.join(home, 'undo')), { timeout: 90_000, interval: 10 }).toBe(true);
  const done = ended(child);
  child.kill('SIGINT');
  expect(await done).toBe(130);
  expect(text.trim()).toMatch(/platbook: Cancelled; nothing was changed\.$/);
  expect(parcelsOf(home)).toBe(0);
});

test('Ctrl+C while values are tested says that the comps are in', async () => {
  const home = emptyHome();
  const engine = openEngine({ home, keepsIndexes: false });
  onTestFinished(() => engine.close());
  const { file: land } = engine.land;
  const counties = land.column<string>("SELECT fips FROM counties WHERE state = 'VT' ORDER BY fips LIMIT 10");
  const rows = counties.flatMap((fips) =>
    Array.from({ length: 600 }, (_, i) => {
      const day = new Date(Date.UTC(2026, 0, 1) - i * 2 * 86_400_000).toISOString().slice(0, 10);
      return `MLS,${fips}-${i},${fips},SOLD,${-72.5 + (i % 37) / 1000},${44 + (i % 41) / 1000},2,${20_000 + i},${day}`;
    }),
  );
  const sales = path.join(home, 'sales.csv');
  fs.writeFileSync(
    sales,
    ['source,source_id,fips,status,longitude,latitude,lot_size,price,sold_date', ...rows].join('\n'),
  );
  const launcher = path.resolve(import.meta.dirname, '..', '..', 'engine', 'bin', 'platbook.mjs');
  const child: ChildProcess = spawn(process.execPath, [launcher, 'import', 'comps', sales], {
    env: { ...process.env, PLATBOOK_HOME: home },
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let text = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  // The comps are committed, and ten counties are still to be tested.
  await expect.poll(() => land.column('SELECT count(*) FROM comps')[0], { timeout: 90_000, interval: 10 }).toBe(6000);
  const done = ended(child);
  child.kill('SIGINT');
  expect(await done).toBe(130);
  expect(text).toContain(
    'platbook: Cancelled. The comps are in, and land is priced from them; their import has no undo.',
  );
  expect(text).not.toContain('nothing was changed');
  expect(land.column('SELECT count(*) FROM comps')).toEqual([6000]);
});

test('look says which layers are lines, and what to type for them', async () => {
  const home = emptyHome();
  const file = streets();
  const looked = await platbook(home, 'look', file);
  expect(looked).toMatchObject({ code: 0, err: '' });
  expect(looked.out).toMatch(/^streets: lines, geojson, 1 row,/);
  expect(looked.out).not.toContain('cannot be imported');
  expect(looked.out).toContain(`Next: platbook enrich roads ${file} --county <FIPS>`);
});

test('look tells the lines of a file with several layers from its parcels', async ({ skip }) => {
  if (!gdalOrSkip('several layers in one file')) skip();
  const home = emptyHome();
  const file = path.join(home, 'town.gpkg');
  ogr2ogr(file, lots('lots.geojson', ['ADAMS', 'BAKER']), '-nln', 'lots');
  ogr2ogr(file, streets(), '-update', '-nln', 'streets');
  const { out } = await platbook(home, 'look', file);
  expect(out).toMatch(/^lots: parcels, geopackage, 2 rows/m);
  expect(out).toMatch(/^streets: lines, geopackage, 1 row,/m);
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
