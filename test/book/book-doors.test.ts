/** The doors of the plat book: the job, the library, the command; what stays when they end early. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { WrittenBook } from '../../engine/book/write-book.ts';
import { findShelved } from '../../engine/exporting/export-shelf.ts';
import { forkWorker } from '../../engine/jobs/fork-worker.ts';
import type { SpawnWorker } from '../../engine/jobs/worker-messages.ts';
import { type ReadInputOf, type ReadOutputOf, runRead } from '../../engine/reads/index.ts';
import { bookWords } from '../../engine/work/book-words.ts';
import { runChange } from '../../engine/work/index.ts';
import { emptyHome, engineOn, sampleHome } from '../support/homes.ts';

const now = () => new Date('2026-11-25T03:00:00Z');

test('the library prints a book, tells of its pages, and says how holdings are named', async () => {
  const engine = engineOn(sampleHome(), { now });
  const ids = engine.land.file.column<number>('SELECT property_id FROM parcels ORDER BY property_id LIMIT 300');
  const to = path.join(emptyHome(), 'some.pdf');
  const told: number[] = [];
  const report = await engine.book({ to, ids, title: 'Some lots' }, { onProgress: (done) => told.push(done) });
  expect(report).toMatchObject({ file: to, title: 'Some lots', parcels: 300, has_names: true });
  expect(report.bytes).toBe(fs.statSync(to).size);
  expect(fs.readFileSync(to).subarray(0, 8).toString()).toBe('%PDF-1.7');
  expect(told.at(-1)).toBe(report.map_pages);
});

describe('a book that is cancelled ends its process at once, leaves the old file and nothing beside it', () => {
  test.each([
    ['while it reads', null],
    ['at the first page', 0],
    ['among the pages', 0.5],
  ])('%s', async (_when, share) => {
    let kills = 0;
    const spawnWorker: SpawnWorker = (ears) => {
      const { kill, ...worker } = forkWorker(ears);
      return {
        ...worker,
        kill: () => {
          kills += 1;
          kill();
        },
      };
    };
    const engine = engineOn(sampleHome(), { now, spawnWorker });
    const folder = emptyHome();
    const to = path.join(folder, 'county.pdf');
    fs.writeFileSync(to, 'the old book');
    const stop = new AbortController();
    const killsAtCancel: number[] = [];
    const cancel = (): void => {
      if (stop.signal.aborted) return;
      stop.abort();
      // No loop of the book is asked: at none of them a cancel can wait.
      killsAtCancel.push(kills);
    };
    const onProgress = (done: number, of: number) => share !== null && done >= share * of && cancel();
    const ended = engine.book({ to }, { onProgress, signal: stop.signal });
    if (share === null) cancel();
    await expect(ended).rejects.toMatchObject({ message: 'Cancelled; nothing was changed.' });
    expect(killsAtCancel).toEqual([1]);
    expect(fs.readdirSync(folder)).toEqual(['county.pdf']);
    expect(fs.readFileSync(to, 'utf8')).toBe('the old book');
  });

  test('and the answer to the app comes once it has ended', async () => {
    const engine = engineOn(sampleHome(), { now });
    const of = { filter: { county: '99001' } };
    const { data: job } = (await runChange(engine, 'start_book', { of })) as { data: { job_id: number } };
    const { data: ended } = await runChange(engine, 'cancel_job', { job_id: job.job_id });
    expect(ended).toMatchObject({ state: 'cancelled', report: null });
    expect(fs.readdirSync(path.join(engine.home, 'exports'))).toEqual([]);
  });
});

test('a book of chosen parcels is named after them, and its cover tells what has no room in the title', async () => {
  const engine = engineOn(sampleHome(), { now });
  const county = { county: '99001' };
  expect(bookWords(engine, { filter: county })).toEqual({});
  expect(bookWords(engine, { filter: county }, { title: ' My county ' })).toEqual({ title: 'My county' });
  const filter = { ...county, acres_min: 10, vacant_only: true };
  const words = 'Parcels in Alder County of at least 10 acres, vacant';
  expect(bookWords(engine, { filter })).toEqual({ title: words });
  expect(bookWords(engine, { filter }, { title: 'Empty land' })).toEqual({ title: 'Empty land', shows: `${words}.` });
  expect(bookWords(engine, { ids: [1, 2] })).toEqual({ title: '2 selected parcels' });
  expect(bookWords(engine, { filter: { ...county, starred: true } })).toEqual({
    title: 'Parcels in Alder County, by own stars, tags, lists or mailings',
  });
  const long = bookWords(engine, {
    filter: { ...filter, acres_max: 80, owner_name_exclude_words: ['ESTATE', 'TRUST', 'ASSOCIATION'] },
  });
  expect(long).toEqual({
    shows: 'Parcels in Alder County of 10 to 80 acres, no ESTATE or TRUST or ASSOCIATION, vacant.',
  });
  const named = { filter: { ...county, owner_name_include_words: ['BRODIE'] } };
  expect(bookWords(engine, named)).toEqual({ title: 'Parcels in Alder County, owner BRODIE' });
  expect(bookWords(engine, named, { names: false })).toEqual({ title: 'Parcels in Alder County, by names' });
  const square = 'POLYGON ((-75 41, -74.99 41, -74.99 41.01, -75 41.01, -75 41))';
  expect(bookWords(engine, { filter: { geom_intersects: square } })).toEqual({
    title: 'Parcels in the drawn area',
    shows: 'The area has 231 acres around 41.0050, -74.9950.',
  });
});

test('a folder that does not exist and a choice without parcels are said, and nothing is written', async () => {
  const engine = engineOn(sampleHome(), { now });
  const folder = emptyHome();
  await expect(engine.book({ to: path.join(folder, 'no', 'book.pdf') })).rejects.toMatchObject({
    code: 'file_missing',
  });
  await expect(engine.book({ to: path.join(folder, 'book.pdf'), counties: ['01001'] })).rejects.toMatchObject({
    code: 'not_found',
    message: 'No parcels are loaded for Autauga County, AL (01001); this home has 99001.',
  });
  expect(fs.readdirSync(folder)).toEqual([]);
});

test('the app prints what it shows, free: a county, a filter, a list; what is retired is said', async () => {
  const engine = engineOn(sampleHome(), { now });
  const plan = async (of: ReadInputOf<'book_plan'>['of']) =>
    (await runRead(engine, 'book_plan', { of })) as ReadOutputOf<'book_plan'>;
  const county = await plan({ filter: { county: '99001' } });
  const large = await plan({ filter: { county: '99001', acres_min: 40 } });
  expect(county.parcels).toBe(
    engine.land.file.get<{ n: number }>("SELECT count(*) AS n FROM parcels WHERE status = 'current'")?.n,
  );
  expect(large.parcels).toBeLessThan(county.parcels);
  await expect(plan({ filter: { county: '01001' } })).rejects.toThrow(
    'No parcels are loaded for Autauga County, AL (01001); this home has 99001.',
  );

  const ids = engine.land.file.column<number>('SELECT property_id FROM parcels ORDER BY property_id LIMIT 30');
  const { data: list } = (await runChange(engine, 'make_list', { name: 'Lots', of: { ids } })) as {
    data: { list_id: number };
  };
  engine.land.file.run("UPDATE parcels SET status = 'retired' WHERE property_id = ?", ids[0]);
  const of = { list_id: list.list_id };
  const { data: job } = (await runChange(engine, 'start_book', { of, title: 'Lots' })) as { data: { job_id: number } };
  const { report } = (await engine.jobs.finished(job.job_id)) as { report: WrittenBook };
  expect(report).toMatchObject({ title: 'Lots', parcels: 29 });
  expect(report.notes).toContain('1 chosen parcel is retired: not in the book.');
  const [first] = (await plan(of)).frames;
  // In a process of its own: nothing waits for the plan of a large county.
  expect(engine.jobs.askers).toBe(1);
  const page = (await runRead(engine, 'book_page', { of, page: first?.name })) as { id: string };
  expect(findShelved(engine.home, page.id)?.bytes).toBeGreaterThan(1000);
  await expect(async () => runRead(engine, 'book_page', { of, page: 'Z9' })).rejects.toMatchObject({
    code: 'validation_error',
  });
  expect(engine.account.file.get<{ n: number }>('SELECT count(*) AS n FROM ledger')?.n).toBe(0);
});

test('without any owner’s name the book shows parcel numbers, and says so', async () => {
  const engine = engineOn(sampleHome(), { now });
  engine.land.file.exec('UPDATE parcels SET owner_name = NULL');
  const ids = engine.land.file.column<number>('SELECT property_id FROM parcels ORDER BY property_id LIMIT 50');
  const report = await engine.book({ to: path.join(emptyHome(), 'apn.pdf'), ids });
  expect(report.has_names).toBe(false);
  expect(report.notes).toContain('No parcel has an owner’s name: the book shows parcel numbers instead.');
});
