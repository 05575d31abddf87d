/** The journal: every change of the user's work is noted, taken back and made again, row by row. */

import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import path from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { journaledTables } from '../../engine/account/record-rows.ts';
import { compId, regionId } from '../../engine/comps/stable-id.ts';
import type { Engine } from '../../engine/engine.ts';
import { EngineError } from '../../engine/spec/errors.ts';
import { letterCode } from '../../engine/spec/mailings.ts';
import { type Changed, type ChangeName, changes, runChange } from '../../engine/work/index.ts';
import { copyOfHome, engineOn, sampleHome } from '../support/homes.ts';
import { makeJpeg } from '../support/make-photo.ts';
import { runs } from '../support/runs.ts';

const tables = Object.keys(journaledTables);

type Rows = Readonly<Record<string, readonly unknown[]>>;

/** Every row of every table that the journal takes back. */
const rowsOf = ({ account }: Engine): Rows =>
  Object.fromEntries(tables.map((table) => [table, account.file.all(`SELECT * FROM "${table}" ORDER BY 1, 2`)]));

const change = (engine: Engine, name: ChangeName, input: unknown): Promise<Changed> => runChange(engine, name, input);

const ledgerRows = ({ account }: Engine) => account.file.get<{ n: number }>('SELECT count(*) AS n FROM ledger')?.n;

async function refusal(work: Promise<unknown>): Promise<EngineError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

const staged = makeJpeg({ place: [-100.123456789, 40.1], heading: [12.34, 'T'] });
const stagedFile = `${createHash('sha256').update(staged).digest('hex').slice(0, 32)}.jpg`;

/** Something of everything, so that each change has rows to work on. */
async function withWork(): Promise<Engine> {
  const engine = engineOn(sampleHome());
  await change(engine, 'star', { ids: [1, 2, 3] });
  await change(engine, 'add_note', { property_id: 1, text: 'Call in spring' });
  await change(engine, 'tag', { name: 'Riverfront', ids: [1, 4] });
  await change(engine, 'make_list', { name: 'Letters', of: { ids: [5, 2, 9] } });
  await change(engine, 'set_mailed_on', { list_id: 1, ids: [2], mailed_on: '2026-10-14' });
  await change(engine, 'save_search', { name: 'Large', filter: { county: '99001', acres_min: 40 } });
  await change(engine, 'do_not_mail_add', { owner_name: 'Ada  Lovelace' });
  await change(engine, 'save_market', { region_id: regionId('county', '99001') });
  await change(engine, 'add_waypoint', { longitude: -100.123456789, latitude: 40.1, name: 'Spring', note: 'dry' });
  await change(engine, 'start_track', { name: 'North line' });
  const bare = makeJpeg().toString('base64');
  await change(engine, 'update_deal', { ids: [1, 2], stage: 'mailed', next_on: '2026-12-01' });
  // A draft, one written, one sent.
  for (const mailing_id of [1, 2, 3]) {
    await change(engine, 'make_mailing', { name: `Mailing ${mailing_id}`, list_id: 1, quiet_days: 0 });
    if (mailing_id > 1) await change(engine, 'write_letters', { mailing_id });
  }
  await change(engine, 'mark_sent', { mailing_id: 3 });
  await change(engine, 'keep_visit', { parcels: [1], day: '2026-11-30', visitor: 'Ann' });
  await change(engine, 'stage_photo', { bytes: staged.toString('base64'), name: 'staged.jpg' });
  await change(engine, 'add_photo', { bytes: bare, name: 'bare.jpg', property_id: 1 });
  return engine;
}

/** One input for each change that the journal notes. */
const inputs: Partial<Record<ChangeName, unknown>> = {
  save_search: { name: 'Steep', filter: { county: '99001' }, ordering: '-acres', columns: ['apn'] },
  rename_search: { search_id: 1, name: 'Very large' },
  delete_search: { search_id: 1 },
  star: { ids: [3, 4, 5] },
  unstar: { ids: [1, 2, 77] },
  add_note: { property_id: 8, text: '<b>not bold</b> & "as typed"\n\tñ' },
  edit_note: { note_id: 1, text: 'Call in autumn' },
  delete_note: { note_id: 1 },
  tag: { name: 'New', ids: [1, 2] },
  untag: { tag_id: 1, ids: [4] },
  change_tag: { tag_id: 1, name: 'Lakefront', color: 'water' },
  delete_tag: { tag_id: 1 },
  make_list: { name: 'Acres', of: { filter: { county: '99001', acres_min: 40 }, ordering: '-acres' } },
  rename_list: { list_id: 1, name: 'Spring letters' },
  delete_list: { list_id: 1 },
  add_members: { list_id: 1, of: { ids: [2, 11, 12] } },
  remove_members: { list_id: 1, ids: [2] },
  set_mailed_on: { list_id: 1, mailed_on: '2026-11-02' },
  set_offer_percent: { list_id: 1, percent: 45 },
  do_not_mail_add: { property_id: 6, by: ['owner'] },
  do_not_mail_add_all: { ids: [1, 2, 3, 7] },
  do_not_mail_remove: { do_not_mail_id: 1 },
  update_deal: { ids: [2, 3], stage: 'replied', offer: 50_000, log: { what: 'call', detail: 'Wants 62,000' } },
  import_deals: { bytes: Buffer.from('apn,stage\n10-1,Mailed').toString('base64'), name: 'mine.csv' },
  make_mailing: { name: 'Spring', list_id: 1 },
  change_mailing: { mailing_id: 1, quiet_days: 30 },
  choose_letters: { mailing_id: 1, ids: [5], choice: 'leave_out' },
  write_letters: { mailing_id: 1 },
  mark_sent: { mailing_id: 2 },
  mark_returned: { code: letterCode(3, 1) },
  log_reply: { code: letterCode(3, 1), outcome: 'take_off', note: 'Not for sale' },
  add_mailing_cost: { mailing_id: 3, what: 'Postage', amount: 12.34 },
  delete_mailing: { mailing_id: 3 },
  judge_sales: { comp_ids: [compId('Alder MLS (synthetic)', 'S101960')], verdict: 'strike' },
  judge_owners: { property_id: 1, other_ids: [2], verdict: 'shares' },
  save_market: { region_id: regionId('county', '99001'), status: 'Active' },
  update_saved_market: { id: 1, status: 'Watching' },
  unsave_market: { id: 1 },
  rename_market_column: { from: 'Backlog', to: 'Later' },
  add_waypoint: { longitude: -100.00000000123, latitude: 1 / 3, accuracy_meters: 10 / 3 },
  rename_waypoint: { waypoint_id: 1, name: 'Corner pin', note: '' },
  delete_waypoint: { waypoint_id: 1 },
  start_track: {},
  delete_track: { track_id: 1 },
  import_field_notes: {
    files: [{ name: 'walk.csv', bytes: Buffer.from('name,lat,lon\npin,40.1,-100.1\n').toString('base64') }],
  },
  add_photo: { bytes: makeJpeg({ place: [-100.1, 40.1] }).toString('base64'), name: 'pin.jpg' },
  delete_photo: { photo_id: 1 },
  caption_photo: { photo_id: 1, caption: 'Gate' },
  import_photos: { photos: [stagedFile] },
  set_visit_fields: { labels: ['Gate', 'Line found'] },
  keep_visit: { visit_id: 1, parcels: [2], day: '2026-12-01', findings: 'none' },
  delete_visit: { visit_id: 1 },
};

test.each(Object.entries(inputs))('%s is undone and redone to the row, and charges nothing', async (name, input) => {
  const engine = await withWork();
  const before = rowsOf(engine);
  const { undo } = await change(engine, name as ChangeName, input);
  const after = rowsOf(engine);
  expect(after).not.toEqual(before);
  expect(undo?.sentence).toMatch(/^[A-Z].* /);
  for (let round = 0; round < 2; round++) {
    expect((await change(engine, 'undo', {})).data).toEqual(undo);
    expect(rowsOf(engine)).toEqual(before);
    expect((await change(engine, 'redo', {})).data).toEqual(undo);
    expect(rowsOf(engine)).toEqual(after);
  }
  expect(ledgerRows(engine)).toBe(0);
});

test('accept_owners is undone and redone to the row', async () => {
  const engine = await withWork();
  engine.land.file.run("UPDATE parcels SET owner_name = 'NEW OWNER' WHERE property_id IN (2, 3)");
  const before = rowsOf(engine);
  await change(engine, 'accept_owners', { ids: [2, 3] });
  expect(rowsOf(engine)).not.toEqual(before);
  await change(engine, 'undo', {});
  expect(rowsOf(engine)).toEqual(before);
});

test('every change of the user’s own work stands above, so that none is left untried', () => {
  const tried = [...Object.keys(inputs), 'accept_owners'].toSorted();
  expect(changes.flatMap(({ name, isJournaled }) => (isJournaled ? [name] : [])).toSorted()).toEqual(tried);
});

test('does not note what changes nothing', async () => {
  const engine = await withWork();
  expect((await change(engine, 'star', { ids: [1, 2] })).undo).toBeNull();
  expect((await change(engine, 'edit_note', { note_id: 1, text: 'Call in spring' })).undo).toBeNull();
  expect((await change(engine, 'undo', {})).data).toMatchObject({
    sentence: expect.stringMatching(/^Added the photo bare/),
  });
});

test('undo goes back step by step, redo forward, and a new change ends what could be redone', async () => {
  const engine = engineOn(sampleHome(), { now: () => new Date('2026-11-02T08:00:00Z') });
  const states = [rowsOf(engine)];
  for (const text of ['one', 'two', 'three']) {
    await change(engine, 'add_note', { property_id: 1, text });
    states.push(rowsOf(engine));
  }
  for (const at of [2, 1, 0]) {
    await change(engine, 'undo', {});
    expect(rowsOf(engine)).toEqual(states[at]);
  }
  expect((await change(engine, 'undo', {})).data).toBeNull();
  for (const at of [1, 2]) {
    await change(engine, 'redo', {});
    expect(rowsOf(engine)).toEqual(states[at]);
  }
  await change(engine, 'star', { ids: [9] });
  expect((await change(engine, 'redo', {})).data).toBeNull();
});

test('an undo whose ground has changed is refused in a sentence, and changes nothing', async () => {
  const engine = await withWork();
  const noted = await change(engine, 'add_note', { property_id: 1, text: 'first' });
  await change(engine, 'edit_note', { note_id: 2, text: 'second' });
  const before = rowsOf(engine);
  const entry = noted.undo?.entry;
  expect((await refusal(change(engine, 'undo', { entry }))).message).toBe(
    'This can no longer be undone or redone: the note has been changed since.',
  );
  expect(rowsOf(engine)).toEqual(before);
});

test('a list that has got members since cannot be unmade; a tag whose name is taken cannot come back', async () => {
  const engine = await withWork();
  const made = await change(engine, 'make_list', { name: 'A', of: { ids: [1] } });
  await change(engine, 'add_members', { list_id: 2, of: { ids: [2] } });
  expect((await refusal(change(engine, 'undo', { entry: made.undo?.entry }))).message).toMatch(/the list has been/);
  const gone = await change(engine, 'delete_tag', { tag_id: 1 });
  await change(engine, 'tag', { name: 'RIVERFRONT', ids: [8] });
  expect((await refusal(change(engine, 'undo', { entry: gone.undo?.entry }))).message).toMatch(/the tag has been/);
});

test('a market that the public API has changed meanwhile is not overwritten by an undo', async () => {
  const engine = await withWork();
  await change(engine, 'update_saved_market', { id: 1, status: 'Watching' });
  await engine.call('update_saved_market', { id: 1, status: 'Active' });
  expect((await refusal(change(engine, 'undo', {}))).message).toMatch(/the market has been changed since/);
  // A change through the API is not the window's, so no journal has it.
  expect(engine.account.file.get<{ status: string }>('SELECT status FROM saved_markets')?.status).toBe('Active');
});

test('a failure in the middle leaves neither rows nor an entry', async () => {
  const engine = await withWork();
  const before = [rowsOf(engine), engine.account.file.all('SELECT entry FROM journal')];
  expect((await refusal(change(engine, 'star', { ids: [4, 99_999_999] }))).details).toEqual({
    ids: ['there is no parcel 99999999'],
  });
  expect((await refusal(change(engine, 'change_tag', { tag_id: 9, name: 'x' }))).code).toBe('not_found');
  expect([rowsOf(engine), engine.account.file.all('SELECT entry FROM journal')]).toEqual(before);
});

test('the journal survives a restart, keeps the last 200, and says what it has', async () => {
  const home = copyOfHome(sampleHome());
  const first = engineOn(home);
  for (let i = 0; i < 205; i++) await change(first, 'add_note', { property_id: 1, text: `note ${i}` });
  const count = () => first.account.file.get<{ n: number }>('SELECT count(*) AS n FROM journal')?.n;
  expect(count()).toBe(200);
  const again = engineOn(first.home);
  await change(again, 'undo', {});
  // note_id 205 is the last of 205.
  expect(again.account.file.get('SELECT 1 FROM notes WHERE note_id = 205')).toBeUndefined();
  expect(again.account.file.get('SELECT 1 FROM notes WHERE note_id = 204')).toBeDefined();
});

test('a list of all parcels is made, undone and redone with its order', async () => {
  const engine = engineOn(sampleHome());
  const of = { filter: { county: '99001' }, ordering: '-acres' };
  const made = await change(engine, 'make_list', { name: 'All', of });
  expect(made.data).toMatchObject({ parcels: engine.land.parcelCount });
  const after = rowsOf(engine);
  await change(engine, 'undo', {});
  await change(engine, 'redo', {});
  expect(rowsOf(engine)).toEqual(after);
});

const child = path.join(import.meta.dirname, 'changing-child.ts');

function startChild(home: string, ...args: string[]) {
  const process_ = fork(child, [home, ...args], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  onTestFinished(() => void process_.kill('SIGKILL'));
  return process_;
}

test('two processes at once note every change once, and all can be taken back', async () => {
  const engine = engineOn(sampleHome());
  const before = rowsOf(engine);
  const ended = ['10', '2000'].map(
    (first) =>
      new Promise<number | null>((resolve) => startChild(engine.home, first, '40').on('exit', (code) => resolve(code))),
  );
  expect(await Promise.all(ended)).toEqual([0, 0]);
  const notes = engine.account.file.all<{ property_id: number }>('SELECT property_id FROM notes');
  expect(notes.filter(({ property_id: id }) => id < 2000)).toHaveLength(40);
  expect(notes).toHaveLength(80);
  expect(engine.account.file.get<{ n: number }>('SELECT count(*) AS n FROM journal')?.n).toBe(80);
  for (let i = 0; i < 80; i++) await change(engine, 'undo', {});
  expect(rowsOf(engine)).toEqual(before);
}, 60_000);

test('killed at any moment, the journal and the rows agree, and nothing acknowledged is lost', async () => {
  for (let round = 0; round < 5; round++) {
    const engine = engineOn(sampleHome());
    const before = rowsOf(engine);
    const writer = startChild(engine.home, '1', '100000');
    let acknowledged = 0;
    const wanted = 5 + round * 7;
    await new Promise<void>((resolve) => {
      writer.on('message', (count) => {
        acknowledged = count as number;
        if (acknowledged < wanted) return;
        writer.kill('SIGKILL');
      });
      writer.on('exit', () => resolve());
    });
    const notes = engine.account.file.get<{ n: number }>('SELECT count(*) AS n FROM notes')?.n ?? 0;
    const entries = engine.account.file.get<{ n: number }>('SELECT count(*) AS n FROM journal')?.n ?? 0;
    expect(notes).toBeGreaterThanOrEqual(acknowledged);
    expect(entries).toBe(Math.min(200, notes));
    for (let i = 0; i < entries; i++) await change(engine, 'undo', {});
    if (notes <= 200) expect(rowsOf(engine)).toEqual(before);
  }
}, 120_000);

test('any changes in any order are taken back to the beginning and made again to the end', async () => {
  const id = fc.integer({ min: 1, max: 12 });
  const ids = fc.uniqueArray(id, { minLength: 1, maxLength: 5 });
  const small = fc.integer({ min: 1, max: 3 });
  const name = fc.constantFrom('a', 'b', 'c');
  const step = fc.oneof(
    fc.record({ change: fc.constantFrom('star', 'unstar'), input: fc.record({ ids }) }),
    fc.record({ change: fc.constant('add_note'), input: fc.record({ property_id: id, text: name }) }),
    fc.record({ change: fc.constant('edit_note'), input: fc.record({ note_id: small, text: name }) }),
    fc.record({ change: fc.constant('delete_note'), input: fc.record({ note_id: small }) }),
    fc.record({ change: fc.constant('tag'), input: fc.record({ name, ids }) }),
    fc.record({ change: fc.constant('delete_tag'), input: fc.record({ tag_id: small }) }),
    fc.record({ change: fc.constant('make_list'), input: fc.record({ name, of: fc.record({ ids }) }) }),
    fc.record({ change: fc.constant('add_members'), input: fc.record({ list_id: small, of: fc.record({ ids }) }) }),
    fc.record({ change: fc.constant('remove_members'), input: fc.record({ list_id: small, ids }) }),
    fc.record({ change: fc.constant('delete_list'), input: fc.record({ list_id: small }) }),
    fc.record({
      change: fc.constant('set_mailed_on'),
      input: fc.record({ list_id: small, mailed_on: fc.constant('2026-01-02') }),
    }),
  );
  const engine = engineOn(sampleHome());
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const before = rowsOf(engine);
      let noted = 0;
      for (const one of steps) {
        const done = await change(engine, one.change as ChangeName, one.input).catch((error: unknown) => {
          if (error instanceof EngineError) return null;
          throw error;
        });
        if (done?.undo) noted++;
      }
      const after = rowsOf(engine);
      for (let i = 0; i < noted; i++) await change(engine, 'undo', {});
      expect(rowsOf(engine)).toEqual(before);
      for (let i = 0; i < noted; i++) await change(engine, 'redo', {});
      expect(rowsOf(engine)).toEqual(after);
    }),
    { numRuns: runs(40, 40) },
  );
}, 120_000);
