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
