/**
 * Ctrl+C on commands that change the land file: one sentence says what is committed, and the exit code says that it was
 * interrupted.
 */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Engine, openEngine } from '../../engine/engine.ts';
import { inSullivan, writeGeneratedCounty } from '../bench/generated-county.ts';
import { generatedWetlands, lotGrid, writeLines } from '../enrichment/generated-layers.ts';
import { emptyHome } from '../support/homes.ts';
import { platbookRunning } from '../support/platbook.ts';

const fips = '33019';

function opened(): Engine {
  const engine = openEngine({ home: emptyHome(), keepsIndexes: false });
  onTestFinished(() => engine.close());
  return engine;
}

async function withCounty(parcels: number): Promise<Engine> {
  const engine = opened();
  const file = path.join(engine.home, 'county.ndjson');
  writeGeneratedCounty(file, parcels, 1, inSullivan);
  await engine.jobs.run('import_parcels', { files: [file], county: fips, source: 'generated', date: '2026-01-01' });
  return engine;
}

function wetlandsOf(engine: Engine, parcels: number): string {
  const file = path.join(engine.home, 'wetlands.ndjson');
  writeLines(file, generatedWetlands(lotGrid(parcels), parcels, 3));
  return file;
}

const countOf = (engine: Engine, table: string): number =>
  engine.land.file.column<number>(`SELECT count(*) FROM ${table}`)[0] ?? 0;

/** Where the worker of the command has its folder, so that its beginning is seen. */
function ownTemporaryFolder(): string {
  const folder = emptyHome();
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  onTestFinished(() => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  });
  return folder;
}

const eventually = <Value>(value: () => Value) => expect.poll(value, { timeout: 90_000, interval: 5 });

describe('a command that is interrupted before anything is in', () => {
  const commands = {
    'derive-comps': () => ['derive-comps', fips],
    enrich: (engine: Engine) => ['enrich', 'wetlands', wetlandsOf(engine, 300), '--county', fips],
  };
  test.each([
    ['derive-comps', 'SIGINT', 130],
    ['enrich', 'SIGINT', 130],
    ['enrich', 'SIGTERM', 143],
  ] as const)('says that nothing was changed: %s and %s', async (name, signal, code) => {
    const engine = await withCounty(300);
    const given = commands[name](engine);
    const folder = ownTemporaryFolder();
    const { child, finished } = platbookRunning(engine.home, ...given);
    onTestFinished(() => void child.kill('SIGKILL'));
    await eventually(() => fs.readdirSync(folder).length).toBe(1);
    child.kill(signal);
    expect(await finished).toEqual({ code, out: '', err: 'platbook: Cancelled; nothing was changed.' });
    expect([countOf(engine, 'comps'), countOf(engine, 'layers')]).toEqual([0, 0]);
    expect(fs.readdirSync(folder)).toEqual([]);
  });
});

test('derive-comps that is interrupted while values are tested says that the comps are made', async () => {
  const engine = await withCounty(2000);
  const { file } = engine.land;
  // Every parcel has a private sale: the county's values are tested on all of them.
  file.exec(`UPDATE parcels SET last_sale_price = 20000 + property_id, last_sale_price_code = NULL,
    last_sale_date = date('2025-06-01', '-' || property_id || ' days'), last_sale_document_type = NULL,
    last_sale_seller_name = 'SELLER ' || property_id, last_sale_buyer_name = owner_name`);
  const { child, finished } = platbookRunning(engine.home, 'derive-comps', fips);
  onTestFinished(() => void child.kill('SIGKILL'));
  await eventually(() => countOf(engine, 'comps')).toBeGreaterThan(100);
  child.kill('SIGINT');
  expect(await finished).toEqual({
    code: 130,
    out: '',
    err: 'platbook: Cancelled. The comps are made, in place of those made before, and land is priced from them. The values of their counties were not all tested on them yet: a county is tested when it is next looked at.',
  });
});

test('Ctrl+C in the middle of an import changes nothing, and says so in one sentence', async () => {
  const home = emptyHome();
  const file = path.join(emptyHome(), 'county.ndjson');
  writeGeneratedCounty(file, 20_000, 1, inSullivan);
  const { child, finished } = platbookRunning(home, 'import', 'parcels', file, '--county', '33019');
  onTestFinished(() => void child.kill('SIGKILL'));
  // Keeping replaced rows: the transaction is open, and twenty thousand rows are still to be written.
  await eventually(() => fs.existsSync(path.join(home, 'undo'))).toBe(true);
  child.kill('SIGINT');
  const { code, err } = await finished;
  expect(code).toBe(130);
  expect(err).toMatch(/platbook: Cancelled; nothing was changed\.$/);
  const engine = openEngine({ home, keepsIndexes: false });
  onTestFinished(() => engine.close());
  expect(engine.land.parcelCount).toBe(0);
});

test('Ctrl+C while values are tested says that the comps are in', async () => {
  const { home, land } = opened();
  const counties = land.file.column<string>("SELECT fips FROM counties WHERE state = 'VT' ORDER BY fips LIMIT 10");
  const rows = counties.flatMap((county) =>
    Array.from({ length: 600 }, (_, i) => {
      const day = new Date(Date.UTC(2026, 0, 1) - i * 2 * 86_400_000).toISOString().slice(0, 10);
      return `MLS,${county}-${i},${county},SOLD,${-72.5 + (i % 37) / 1000},${44 + (i % 41) / 1000},2,${20_000 + i},${day}`;
    }),
  );
  const sales = path.join(home, 'sales.csv');
  fs.writeFileSync(
    sales,
    ['source,source_id,fips,status,longitude,latitude,lot_size,price,sold_date', ...rows].join('\n'),
  );
  const { child, finished } = platbookRunning(home, 'import', 'comps', sales);
  onTestFinished(() => void child.kill('SIGKILL'));
  // The comps are committed, and ten counties are still to be tested.
  await eventually(() => land.file.column('SELECT count(*) FROM comps')[0]).toBe(6000);
  child.kill('SIGINT');
  const { code, err } = await finished;
  expect(code).toBe(130);
  expect(err).toContain(
    'platbook: Cancelled. The comps are in, and land is priced from them; their import has no undo.',
  );
  expect(err).not.toContain('nothing was changed');
  expect(land.file.column('SELECT count(*) FROM comps')).toEqual([6000]);
});
