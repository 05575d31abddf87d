/**
 * The import screen's queries besides jobs: a county's place, a mapping tried on the first rows, the problems as a
 * file.
 */
import fs from 'node:fs';
import { expect, test } from 'vitest';
import { type ReadInputOf, type ReadOutputOf, runRead } from '../../engine/reads/index.ts';
import type { MappingSample } from '../../engine/work/import-answers.ts';
import { runChange } from '../../engine/work/index.ts';
import { collection, lot, writeFile } from '../importing/fixtures.ts';
import { emptyHome, engineOn } from '../support/homes.ts';

const opened = () => engineOn(emptyHome());

const placeOf = (input: ReadInputOf<'county_place'>) =>
  runRead(opened(), 'county_place', input) as ReadOutputOf<'county_place'>;

test('a box says whose it is, and how it lies to a county that was asked for', () => {
  // Newport, the seat of Sullivan County, New Hampshire, is at 43.365, -72.173.
  const newport = [-72.2, 43.34, -72.15, 43.39] as const;
  expect(placeOf({ bounds: [...newport] })).toMatchObject({ at: { fips: '33019', state: 'NH' }, lies: 'inside' });
  expect(placeOf({ bounds: [...newport], fips: '48453' })).toMatchObject({
    at: { fips: '33019' },
    county: { fips: '48453', name: 'Travis County' },
    lies: 'elsewhere',
  });
  // From the middle of the county far over its eastern side: the middle of the box is in Merrimack County.
  expect(placeOf({ bounds: [-72.2, 43.3, -71.4, 43.4], fips: '33019' }).lies).toBe('beside');
  // Parcels decide in place of their box: two of three in Newport, one in Concord.
  const places: [number, number][] = [
    [-72.17, 43.36],
    [-72.18, 43.36],
    [-71.54, 43.2],
  ];
  const said = { places, bounds: [-72.2, 43.2, -71.5, 43.4] as [number, number, number, number] };
  expect(placeOf(said)).toMatchObject({ at: { fips: '33019' }, lies: 'inside' });
  expect(placeOf({ ...said, fips: '33013' })).toMatchObject({ at: { fips: '33019' }, lies: 'elsewhere' });
  // The Gulf of Guinea.
  expect(placeOf({ bounds: [-0.1, -0.1, 0.1, 0.1] })).toMatchObject({
    at: null,
    county: null,
    lies: null,
    outline: [],
  });
});

test('counties are found by words and by code', () => {
  expect(placeOf({ words: 'sullivan nh' }).found.map(({ fips }) => fips)).toEqual(['33019']);
  expect(placeOf({ words: '33019' }).found.map(({ name }) => name)).toEqual(['Sullivan County']);
  expect(placeOf({ words: 'washington county' }).found).toHaveLength(12);
  const { outline } = placeOf({ fips: '33019' });
  expect(outline.length).toBeGreaterThan(0);
  expect(outline.every((ring) => ring.length % 2 === 0 && ring.length >= 8)).toBe(true);
});

test('a mapping is tried on the first rows: before, after, the first parcel with its area, and what is wrong with it', async () => {
  const engine = opened();
  const file = writeFile(
    'lots.geojson',
    collection([lot(null, 0, { apn: null, SALEDT: '0' }), lot('7-1', 1, { SALEDT: '20100812', acres: 0 })]),
  );
  const preview = async (columns: Record<string, unknown>) =>
    (await runRead(engine, 'preview_mapping', { path: file, mapping: { name: 'tried', columns } })) as MappingSample;
  const tried = await preview({ apn: 'apn', last_sale_date: { from: 'SALEDT', date: 'YYYYMMDD' }, acres: 'acres' });
  expect(tried.columns).toMatchObject([
    { column: 'apn', sample: '7-1', after: '7-1' },
    { column: 'last_sale_date', sample: '20100812', after: '2010-08-12' },
    { column: 'acres', sample: '2.5', after: '2.5' },
  ]);
  // From the first row with an APN; 0 acres mean unknown.
  expect(tried.first).toEqual({ apn: '7-1', last_sale_date: '2010-08-12', acres: null });
  // 0.001° of latitude by 0.001° of longitude at 43°: 111.1 m × 81.5 m = 9,051 m² = 2.24 ac.
  expect(tried.calculated_acres).toBeCloseTo(2.24, 1);
  expect(tried.joins).toEqual([]);
  await expect(preview({ apn: { from: 'apn', date: 'yesterday' } })).rejects.toMatchObject({ code: 'mapping_invalid' });
  await expect(preview({ nonsense: 'apn' })).rejects.toMatchObject({ code: 'mapping_invalid' });
});

test('the problems of the last dry run are a file to fetch', async () => {
  const engine = opened();
  await expect(async () => runRead(engine, 'save_problems', {})).rejects.toMatchObject({ code: 'not_found' });
  // A square of 2.24 acres that is said to have 40.
  const file = writeFile('lots.geojson', collection([lot('7-1', 1, { acres: 40 }), lot('7-2', 2, { acres: 2.24 })]));
  const { data } = await runChange(engine, 'start_import', {
    what: 'parcels',
    dry_run: true,
    options: { files: [file], county: '33011' },
  });
  await engine.jobs.finished((data as { job_id: number }).job_id);
  const saved = (await runRead(engine, 'save_problems', {})) as { id: string; name: string; bytes: number };
  expect(saved.name).toBe('problem rows.csv');
  const text = fs.readFileSync(`${engine.home}/exports/${saved.id}/${saved.name}`, 'utf8');
  const lines = text.trim().split(/\r?\n/);
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('acres');
});
