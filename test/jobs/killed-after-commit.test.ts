/** A worker killed between its commit and its report: its caller learns from the file what is committed. */
import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { type Engine, openEngine } from '../../engine/engine.ts';
import { forkWorker } from '../../engine/jobs/fork-worker.ts';
import type { JobStatus } from '../../engine/jobs/job.ts';
import { reportOf } from '../../engine/jobs/job.ts';
import type { TaskInput, TaskName } from '../../engine/jobs/task-kinds.ts';
import type { WorkerProcess } from '../../engine/jobs/worker-messages.ts';
import { inSullivan, writeGeneratedCounty } from '../bench/generated-county.ts';
import { generatedRoads, lotGrid, writeLines } from '../enrichment/generated-layers.ts';
import { emptyHome } from '../support/homes.ts';

const fips = '33019';
const inKansas = { fips: '20163', number: 1, west: -99.4, south: 39.3 };

/** The workers' reports of their ends are lost, like that of a worker killed before it sends one. */
function openedDeaf(): { readonly engine: Engine; readonly killLast: () => void } {
  let last: WorkerProcess | null = null;
  const engine = openEngine({
    home: emptyHome(),
    keepsIndexes: false,
    spawnWorker: ({ onNews, onExit }) => {
      last = forkWorker({ onNews: (news) => news.news === 'progress' && onNews(news), onExit });
      return last;
    },
  });
  onTestFinished(() => engine.close());
  return { engine, killLast: () => last?.kill() };
}

const countyFile = (seed: number, parcels: number, place = inSullivan): string => {
  const file = path.join(emptyHome(), `county-${seed}.ndjson`);
  writeGeneratedCounty(file, parcels, seed, place);
  return file;
};

function writeFile(engine: Engine, name: string, ...lines: readonly string[]): string {
  const file = path.join(engine.home, name);
  fs.writeFileSync(file, lines.join('\n'));
  return file;
}

const wordsOf = (job: JobStatus): string => {
  try {
    reportOf(job);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('it was done');
};

test('reports every kind of committed work as committed, and no other', async () => {
  const { engine, killLast } = openedDeaf();
  /** Killed as soon as another connection sees such a row. */
  async function killedAfter<Name extends TaskName<'listed'>>(
    kind: Name,
    input: TaskInput<Name>,
    sql: string,
    name = 'land.sqlite',
  ): Promise<JobStatus> {
    const other = new Database(path.join(engine.home, name), { readonly: true });
    const isIn = other.prepare(sql);
    const { job_id: id } = engine.jobs.start(kind, input);
    const timer = setInterval(() => {
      if (isIn.get() === undefined) return;
      clearInterval(timer);
      killLast();
    }, 1);
    const job = await engine.jobs.finished(id);
    clearInterval(timer);
    expect(isIn.get()).toBeDefined();
    other.close();
    expect(job).toMatchObject({ state: 'failed', error: { code: 'internal_error' } });
    return job;
  }

  const first = { files: [countyFile(1, 400)], county: fips, source: 'generated', date: '2026-01-01' };
  const imported = await killedAfter('import_parcels', first, 'SELECT 1 FROM datasets');
  expect(imported.report).toMatchObject({ import_id: 1, fips, new: 400, completed: [] });
  expect(wordsOf(imported)).toMatch(
    /^The import of the parcels is in and can be taken back \("platbook undo 1"\)\. .* What came after failed:/,
  );

  const roads = path.join(engine.home, 'roads.ndjson');
  writeLines(roads, generatedRoads(lotGrid(400), 400, 3));
  const layer = { kind: 'roads', file: roads, county: fips, coverage: 'county' } as const;
  const enriched = await killedAfter('enrich', layer, 'SELECT 1 FROM layers');
  expect(enriched.report).toMatchObject({ kind: 'roads', layer_id: 1 });
  expect(wordsOf(enriched)).toMatch(/^The layer is in/);

  const sales = writeFile(
    engine,
    'sales.csv',
    'source,source_id,fips,status,longitude,latitude,lot_size,price,sold_date',
    `MLS,1,${fips},SOLD,-72,43,2,20000,2025-05-05`,
  );
  const comps = await killedAfter('import_comps', { files: [sales] }, 'SELECT 1 FROM comps');
  expect(comps.report).toMatchObject({ new: 1, rows_read: 1 });
  expect(wordsOf(comps)).toMatch(/^The comps are in/);

  engine.land.file.exec(`UPDATE parcels SET last_sale_price = 20000 + property_id, last_sale_price_code = NULL,
    last_sale_date = date('2025-06-01', '-' || property_id || ' days'), last_sale_document_type = NULL,
    last_sale_seller_name = 'SELLER ' || property_id, last_sale_buyer_name = owner_name`);
  const derived = await killedAfter(
    'derive_comps',
    { county: fips },
    "SELECT 1 FROM comps WHERE source = 'assessor' LIMIT 1",
  );
  expect(wordsOf(derived)).toMatch(/^The comps are made/);

  const people = writeFile(
    engine,
    'contacts.csv',
    'First Name,Last Name,Mailing City,Mailing State,Mailing Zip,Phone 1',
    'Ann,Roe,Barre,VT,05641,8025550143',
  );
  const contacts = await killedAfter('import_contacts', { file: people }, 'SELECT 1 FROM contacts', 'people.sqlite');
  expect(contacts.report).toMatchObject({ new: 1, source: 'contacts.csv' });
  expect(wordsOf(contacts)).toMatch(/^The contacts are in\./);

  const second = { ...first, files: [countyFile(2, 500)], date: '2026-06-01' };
  const again = await killedAfter('import_parcels', second, 'SELECT 1 FROM computed_values WHERE property_id > 400');
  // Its layer is in too, in a transaction of its own.
  expect(again.report).toMatchObject({ import_id: 2, completed: ['roads'] });

  const undone = await killedAfter('undo_import', {}, 'SELECT 1 FROM imports WHERE undone_at IS NOT NULL');
  expect(wordsOf(undone)).toMatch(/^The import is taken back\./);

  const lots = JSON.parse(
    `[${fs
      .readFileSync(countyFile(3, 300, inKansas), 'utf8')
      .trim()
      .replaceAll('\n', ',')}]`,
  ) as {
    properties: Record<string, unknown>;
  }[];
  for (const { properties } of lots) properties.COUNTY = inKansas.fips;
  const state = writeFile(engine, 'state.geojson', JSON.stringify({ type: 'FeatureCollection', features: lots }));
  const whole = { files: [state], county_column: 'COUNTY', source: 'state', date: '2026-02-01' };
  const statewide = await killedAfter('import_parcels', whole, "SELECT 1 FROM datasets WHERE source_name = 'state'");
  expect(statewide.report).toMatchObject({ counties: [{ new: 300 }], completed: [] });
  expect(wordsOf(statewide)).toMatch(/^The import of the parcels is in/);

  const gone = await killedAfter('delete_dataset', { dataset_id: 1 }, "SELECT 1 FROM imports WHERE action = 'delete'");
  expect(wordsOf(gone)).toMatch(/^The dataset is removed and can be brought back/);

  // Before its commit nothing is in: the note of an earlier job is not this one's.
  const { job_id: id } = engine.jobs.start('import_parcels', { ...first, files: [countyFile(4, 3000)] });
  engine.jobs.onChange((job) => job.job_id === id && job.progress && killLast());
  const early = await engine.jobs.finished(id);
  expect(early).toMatchObject({ state: 'failed', report: null });
  expect(wordsOf(early)).not.toMatch(/is in/);
});

test('the same file again writes nothing, and killing its worker reports nothing as committed', async () => {
  const { engine } = openedDeaf();
  const input = { files: [countyFile(1, 200)], county: fips, source: 'generated', date: '2026-01-01' };
  const first = await engine.jobs.finished(engine.jobs.start('import_parcels', input).job_id);
  expect(first.report).toMatchObject({ import_id: 1 });
  const again = await engine.jobs.finished(engine.jobs.start('import_parcels', input).job_id);
  expect(again).toMatchObject({ state: 'failed', report: null });
});
