/** A large file read by several threads is the same import as by one: every row, every count, every problem in its order. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ImportReport, importParcels } from '../../engine/importing/merge/import-parcels.ts';
import { settleImport } from '../../engine/importing/merge/settle-import.ts';
import type { ImportOptions } from '../../engine/importing/stage/import-options.ts';
import type { ImportProblem } from '../../engine/importing/stage/import-report.ts';
import { StagingFile } from '../../engine/importing/stage/staged-parcels.ts';
import { stageInThreads } from '../../engine/importing/stage/staging-threads.ts';
import type { LandStore } from '../../engine/store/land-store.ts';
import { makeShapefile, writeShapefile } from '../support/make-shapefile.ts';
import { clock, openLand } from './fixtures.ts';

/** Above the number of rows from which threads are worth their start. */
const rows = 21_000;

/** A row of squares along the parallels, 200 to a line. */
const corners = (index: number, size = 0.0008): [number, number][] => {
  const west = -98 + (index % 200) * 0.001;
  const south = 38 + Math.floor(index / 200) * 0.001;
  return [
    [west, south],
    [west, south + size],
    [west + size, south + size],
    [west + size, south],
    [west, south],
  ];
};

type Properties = Record<string, unknown>;

/** Everything that is counted occurs somewhere in the file. */
function propertiesOf(index: number): Properties {
  return {
    apn: index % 500 === 7 ? `APN ${index - 1}` : index % 900 === 11 ? null : `APN ${index}`,
    owner_name: `OWNER ${index % 700}`,
    acres: index % 3000 === 5 ? 'plenty' : 1.5,
    situs_zip: `6600${index % 4}`,
    last_sale_date: index % 1700 === 3 ? '2031-01-01' : '2020-03-04',
    sheet: index % 40 === 0 ? `sheet ${index}` : null,
  };
}

function geometryOf(index: number): unknown {
  if (index % 4000 === 9) return { type: 'LineString', coordinates: corners(index) };
  if (index % 2500 === 13) return { type: 'Point', coordinates: corners(index)[0] };
  if (index % 5000 === 17) {
    const [a, b, c, d = [0, 0]] = corners(index);
    // A bow tie whose one wing is larger: with equal wings it would have no area.
    return { type: 'Polygon', coordinates: [[a, c, b, [d[0] + 0.0001, d[1]], a]] };
  }
  return { type: 'Polygon', coordinates: [corners(index)] };
}

const line = (index: number, more: Properties = {}): string =>
  JSON.stringify({
    type: 'Feature',
    geometry: geometryOf(index),
    properties: { ...propertiesOf(index), ...more },
  });

const lines = (more: (index: number) => Properties = () => ({})): string[] =>
  Array.from({ length: rows }, (_, index) => line(index, more(index)));

interface Told {
  readonly land: LandStore;
  readonly report: ImportReport;
  readonly problems: ImportProblem[];
}

async function importWith(threads: number, file: string, more: Partial<ImportOptions> = {}): Promise<Told> {
  const land = openLand();
  const problems: ImportProblem[] = [];
  const report = await importParcels(land, {
    files: [file],
    fips: '20155',
    source: 'Test county',
    date: '2026-07-01',
    homeKind: 'real',
    now: clock,
    threads,
    onProblem: (problem) => problems.push(problem),
    ...more,
  });
  return { land, report, problems };
}

const tables = ['parcels', 'parcel_registry', 'raw_columns', 'idx_parcels_geom', 'column_segments', 'datasets'];

const contentOf = ({ file }: LandStore): unknown[] =>
  tables.map((table) => [table, file.all(`SELECT * FROM ${table} ORDER BY 1`)]);

function expectSame(one: Told, many: Told): void {
  expect(many.report).toEqual(one.report);
  expect(many.problems).toEqual(one.problems);
  // Compared by hand: printing a difference among so many rows would take minutes.
  const [expected, found] = [contentOf(one.land), contentOf(many.land)];
  for (const [index, name] of tables.entries()) {
    expect(JSON.stringify(found[index]) === JSON.stringify(expected[index]), `the rows of ${name}`).toBe(true);
  }
}

/** Whether threads stage the file; what they staged is thrown away. */
function isStagedInThreads(file: string, threads: number): boolean {
  const land = openLand();
  const options = { files: [file], fips: '20155', date: '2026-07-01', homeKind: 'real', now: clock, threads } as const;
  const staging = new StagingFile(land.file);
  try {
    return stageInThreads(staging, settleImport(land, options), options, () => {}) !== null;
  } finally {
    staging.close();
  }
}

const readings = (seen: string[]): Partial<ImportOptions> => ({
  onProgress: ({ phase, rows: done }) => {
    if (phase === 'reading parcels') seen.push(String(done));
  },
});

describe('several threads', () => {
  let folder = '';
  let file = '';
  beforeAll(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-threads-'));
    file = path.join(folder, 'county.ndjson');
    fs.writeFileSync(file, `${lines().join('\n')}\n`);
  });
  afterAll(() => fs.rmSync(folder, { recursive: true }));

  test('are at work for a large file alone', () => {
    expect(isStagedInThreads(file, 2)).toBe(true);
    expect(isStagedInThreads(file, 1)).toBe(false);
    const small = path.join(folder, 'small.ndjson');
    fs.writeFileSync(small, lines().slice(0, 5000).join('\n'));
    expect(isStagedInThreads(small, 2)).toBe(false);
  });

  test('import what one imports, to the byte of the column index, and tell the same problems in the same order', async () => {
    const one = await importWith(1, file);
    // 21,000 rows hold each kind: refused lines (index 9, 4009, …, 20009: 6), crossed rings (17, 5017, …, 20017: 5).
    expect(one.report.refused.count).toBe(6);
    expect(one.report.redrawn_geometries.count + one.report.invalid_geometries.count).toBe(5);
    expectSame(one, await importWith(2, file));
    expectSame(one, await importWith(3, file));
  });

  test('read a collection in shares too', async () => {
    const collection = path.join(folder, 'county.geojson');
    fs.writeFileSync(collection, `{"type":"FeatureCollection","features":[${lines().join(',\n')}]}`);
    expectSame(await importWith(1, collection), await importWith(2, collection));
  });

  test('read a Shapefile in shares too, without its deleted rows', async () => {
    const columns = ['apn', 'owner_name', 'acres', 'situs_zip', 'sheet'].map((name) => ({ name, length: 14 }));
    const shapes = Array.from({ length: rows }, (_, index) => ({
      shape: index % 2500 === 13 ? null : [corners(index)],
      values: columns.map(({ name }) => String(propertiesOf(index)[name] ?? '')),
      isDeleted: index % 1000 === 999,
    }));
    const shp = writeShapefile(folder, 'county', makeShapefile(shapes, { columns, prj: '' }));
    const one = await importWith(1, shp);
    // Rows 999, 1999, …, 20999 are marked as deleted: 21 of them.
    expect(one.report.features_read).toBe(rows - 21);
    expectSame(one, await importWith(2, shp));
  });

  test('leave the file to one thread where a column turns up late', async () => {
    const late = path.join(folder, 'late.ndjson');
    fs.writeFileSync(late, lines((index) => (index >= 15_500 ? { zoning: `R-${index % 3}` } : {})).join('\n'));
    const one = await importWith(1, late);
    // 15,500 to 20,999, without the refused lines 16,009 and 20,009.
    expect(one.report.coverage.zoning).toBe(5498);
    expect(isStagedInThreads(late, 2)).toBe(false);
    expectSame(one, await importWith(2, late));
  });

  test('say of a damaged file what one thread says, and change nothing', async () => {
    const damaged = path.join(folder, 'damaged.ndjson');
    const all = lines();
    all[18_333] = '{"type":"Feature","geometry":null,"properties":{"apn":}}';
    fs.writeFileSync(damaged, all.join('\n'));
    const told = async (threads: number) => {
      const land = openLand();
      const problems: ImportProblem[] = [];
      const failed = importParcels(land, {
        ...{ files: [damaged], fips: '20155', date: '2026-07-01', homeKind: 'real', now: clock, threads },
        onProblem: (problem: ImportProblem) => problems.push(problem),
      });
      const words = await failed.then(
        () => 'imported',
        (error: Error) => error.message,
      );
      expect(land.parcelCount).toBe(0);
      return { words, problems };
    };
    const one = await told(1);
    expect(one.words).toContain('expected a JSON value, found an invalid one');
    expect(await told(3)).toEqual(one);
  });

  test('end when the import is cancelled, and leave the home as it was', async () => {
    const land = openLand();
    const cancelled = importParcels(land, {
      ...{ files: [file], fips: '20155', date: '2026-07-01', homeKind: 'real', now: clock, threads: 2 },
      onProgress: ({ rows: done }) => {
        if (done >= 3000) throw new Error('cancelled by the test');
      },
    });
    await expect(cancelled).rejects.toThrow('cancelled by the test');
    expect(land.parcelCount).toBe(0);
    expect(land.file.all("SELECT name FROM pragma_database_list WHERE name = 'staging'")).toEqual([]);
    // The same home takes the next import.
    const { report } = await importWith(2, file, { source: 'again' });
    expect(report.new + report.refused.count).toBe(rows);
  });

  test('report progress in the order of the file', async () => {
    const seen: string[] = [];
    await importWith(3, file, readings(seen));
    // A turn is 1,000 rows; the last report is said again at the end.
    expect(seen).toEqual([...Array.from({ length: 21 }, (_, turn) => String(1000 * (turn + 1))), String(rows)]);
  });
});
