/** GeoParquet out: DuckDB and our own import find the same values and shapes; a lake of several counties. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { dictionaryColumns, type ExportValue, type ValueKind } from '../../engine/exporting/export-columns.ts';
import { type ExportRow, openExportSource } from '../../engine/exporting/export-source.ts';
import { writeGeoParquet } from '../../engine/exporting/geoparquet.ts';
import { writeLake } from '../../engine/exporting/lake.ts';
import { geometryHash } from '../../engine/geo/geometry-hash.ts';
import { RandomFile } from '../../engine/importing/formats/parquet/parquet-file.ts';
import { ParquetFooter } from '../../engine/importing/formats/parquet/parquet-footer.ts';
import { readParcels } from '../importing/readers/reading.ts';
import { duckDbOrSkip } from '../support/duckdb.ts';
import { platbook } from '../support/platbook.ts';
import { allIds, exported, fixtureEngine, madeAt, scratchFolder } from './export-home.ts';

const duckDb = duckDbOrSkip('GeoParquet read by DuckDB');

async function storedRows(home: string) {
  const source = openExportSource(home, { title: '', ids: allIds, now: madeAt });
  try {
    const rows: ExportRow[] = [];
    for await (const batch of source.batches()) rows.push(...batch);
    return rows;
  } finally {
    source.close();
  }
}

test('what goes out comes in again: every value, and every shape to its hash', async () => {
  const engine = fixtureEngine();
  const { file } = await exported(engine, 'geoparquet');
  const read = new Map(readParcels(file).map((parcel) => [parcel.properties.property_id, parcel]));
  const rows = await storedRows(engine.home);
  expect(read.size).toBe(rows.length);
  for (const { id, values, shape, point } of rows) {
    const found = read.get(id);
    const names = dictionaryColumns.map(({ name }) => name);
    expect(names.map((name) => found?.properties[name])).toEqual(values);
    expect(found?.polygons ? geometryHash(found.polygons) : null).toBe(shape ? geometryHash(shape) : null);
    if (!shape) expect(found?.point ?? null).toEqual(point);
  }
});

test('the metadata is that of GeoParquet 1.1: WKB, CRS84, and a box of each row that covers it', async () => {
  const { file } = await exported(fixtureEngine(), 'geoparquet');
  const opened = new RandomFile(file);
  const { meta } = new ParquetFooter(opened);
  opened.close();
  const texts = Object.fromEntries(
    (meta.key_value_metadata ?? []).map(({ key, value }) => [key, JSON.parse(value ?? '')]),
  );
  expect(texts.geo).toMatchObject({
    version: '1.1.0',
    primary_column: 'geometry',
    columns: {
      geometry: {
        encoding: 'WKB',
        crs: { id: { authority: 'OGC', code: 'CRS84' } },
        covering: { bbox: { xmin: ['bbox', 'xmin'], ymax: ['bbox', 'ymax'] } },
      },
    },
  });
  expect(texts.platbook).toMatchObject({ title: 'Alder lots', made_at: madeAt.toISOString() });
});

/** Rows of one county: every kind of value, few and many different ones, none, and those at the ends of their types. */
const kinds: Readonly<Record<string, readonly [ValueKind, (row: number) => ExportValue]>> = {
  few: ['integer', (row) => [-1, 0, 7, null][row % 4] as number | null],
  many: ['integer', (row) => (row % 9 === 0 ? null : (row - 100) * 3_000_000_007)],
  largest: ['integer', (row) => (row % 2 === 0 ? Number.MAX_SAFE_INTEGER : Number.MIN_SAFE_INTEGER)],
  shares: ['number', (row) => (row % 3) / 4],
  measured: ['number', (row) => Math.sin(row) * 10 ** (row % 20)],
  zero: ['number', () => 0],
  days: ['date', (row) => (row % 5 === 0 ? null : `20${10 + (row % 17)}-02-28`)],
  early: ['date', (row) => `1899-12-${10 + (row % 20)}`],
  yes: ['boolean', (row) => [true, false, null][row % 3] as boolean | null],
  always: ['boolean', () => true],
  codes: ['text', (row) => ['R-1', '', 'Ä', null][row % 4] as string | null],
  names: ['text', (row) => `${row} ${'né'.repeat(row % 40)}`],
  beyond: ['text', (row) => ['\uffee', '\u{1f333}', 'a'][row % 3] as string],
  never: ['text', () => null],
};

test.runIf(duckDb !== null)('values of every kind are those that DuckDB reads, and within their bounds', async () => {
  const count = 25_000;
  const columns = Object.entries(kinds).map(([name, [kind]]) => ({ name, kind, label: name, docs: name }));
  const rowOf = (row: number): ExportRow => ({
    id: row,
    fips: row < 15_000 ? '99001' : '99003',
    values: Object.values(kinds).map(([, make]) => make(row)),
    shape: null,
    point: row % 10 === 0 ? null : [-72 - row / 1e5, 43],
    name: '',
  });
  const file = path.join(scratchFolder(), 'kinds.parquet');
  await writeGeoParquet(
    {
      ...{ title: '', columns, count, madeAt, sources: [], close: () => {} },
      async *batches() {
        for (let row = 0; row < count; row += 1000) yield Array.from({ length: 1000 }, (_, at) => rowOf(row + at));
      },
    },
    file,
  );
  const ask = (sql: string) =>
    (duckDb as NonNullable<typeof duckDb>)(sql.replaceAll('$file', `read_parquet('${file}')`));
  const names = columns.map(({ name, kind }) => (kind === 'date' ? `${name}::VARCHAR` : name)).join(', ');
  const rows = await ask(`SELECT ${names}, bbox.xmin IS NULL FROM $file`);
  expect(rows).toHaveLength(count);
  for (const [row, found] of rows.entries()) {
    const { values, point } = rowOf(row);
    const expected = [...values, point === null];
    const plain = found.map((value) => (typeof value === 'bigint' ? Number(value) : value));
    if (plain.some((value, at) => value !== expected[at])) expect(plain).toEqual(expected);
  }
  const bounds = await ask(
    `SELECT path_in_schema, count(stats_min_value), count(stats_max_value) FROM parquet_metadata('${file}') GROUP BY 1`,
  );
  const bounded = new Map(bounds.map(([name, least, most]) => [name, [Number(least), Number(most)]]));
  for (const { name } of columns) expect([name, bounded.get(name)]).toEqual([name, name === 'never' ? [0, 0] : [3, 3]]);
  // A reader passes over groups by these bounds.
  const one = (20_000 - 100) * 3_000_000_007;
  const wheres: readonly [string, number][] = [
    [`many = ${one}`, 1],
    ["beyond = '\u{1f333}'", 8333],
    ["early = DATE '1899-12-29'", 1250],
    [`largest > 0`, count / 2],
    ['zero = 0', count],
    ['measured > 1e18', rows.filter((row) => (row[4] as number) > 1e18).length],
  ];
  for (const [where, n] of wheres)
    expect([where, await ask(`SELECT 1 FROM $file WHERE ${where}`)]).toHaveProperty('1.length', n);
});

test.runIf(duckDb !== null)('DuckDB counts and sums as SQLite does, and opens a lake by its open.sql', async () => {
  const engine = fixtureEngine();
  const folder = path.join(scratchFolder(), 'lake');
  const report = await writeLake(engine.home, folder, { now: madeAt });
  const [wanted] = engine.land.file.all(
    `SELECT count(*) AS n, count(acres) AS known, sum(market_total_value) AS value, min(last_sale_date) AS sold,
       count(DISTINCT fips) AS counties FROM parcels WHERE status = 'current'`,
  );
  expect(report).toMatchObject({ parcels: wanted?.n, counties: wanted?.counties, kept: 0 });
  const sql = fs.readFileSync(path.join(folder, 'open.sql'), 'utf8');
  const rows = await duckDb?.(
    `SET file_search_path = '${folder}'; ${sql} SELECT count(*), count(acres), sum(market_total_value)::BIGINT,
       min(last_sale_date)::VARCHAR, count(DISTINCT county), bool_and(county = fips) FROM parcels`,
  );
  expect(rows?.map((row) => row.map((value) => (typeof value === 'bigint' ? Number(value) : value)))).toEqual([
    [wanted?.n, wanted?.known, wanted?.value, wanted?.sold, wanted?.counties, true],
  ]);
});

test('a lake is written again without a trace, keeps the counties of other homes, and takes no foreign folder', async () => {
  const engine = fixtureEngine();
  const folder = path.join(scratchFolder(), 'lake');
  await writeLake(engine.home, folder, { now: madeAt });
  const names = () => fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const first = names();
  expect(first).toContain('SCHEMA.md');
  const foreign = path.join(folder, 'state=KS', 'county=20163');
  fs.mkdirSync(foreign, { recursive: true });
  expect(await writeLake(engine.home, folder, { now: madeAt })).toMatchObject({ kept: 1 });
  expect(names().filter((name) => !name.startsWith('state=KS'))).toEqual(first);
  const other = scratchFolder();
  fs.writeFileSync(path.join(other, 'letters.txt'), '');
  await expect(writeLake(engine.home, other, { now: madeAt })).rejects.toMatchObject({ code: 'usage' });
});

test('the command writes it in a process of its own, and tells its errors by name', async () => {
  const { home } = fixtureEngine();
  const folder = path.join(scratchFolder(), 'lake');
  const { code, out } = await platbook(home, 'lake', folder, '--json');
  expect([code, JSON.parse(out)]).toMatchObject([0, { folder, kept: 0 }]);
  expect(fs.existsSync(path.join(folder, 'open.sql'))).toBe(true);
  const other = scratchFolder();
  fs.writeFileSync(path.join(other, 'letters.txt'), '');
  expect(await platbook(home, 'lake', other)).toMatchObject({
    code: 2,
    err: expect.stringContaining('Expected a new or empty folder'),
  });
  expect(await platbook(home, 'lake', folder, '--county', '01001')).toMatchObject({
    code: 1,
    err: expect.stringContaining('No parcels are loaded for Autauga County, AL (01001)'),
  });
});
