/** Lists and what hangs on parcels: rows, new owners, retired parcels, Do not mail, and the priced runs. */
import { fork } from 'node:child_process';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Engine } from '../../engine/engine.ts';
import { isDoNotMail, readDoNotMail } from '../../engine/query/do-not-mail.ts';
import { type ReadInputOf, type ReadName, type ReadOutputOf, runRead } from '../../engine/reads/index.ts';
import { type ChangeInputOf, type ChangeName, runChange } from '../../engine/work/index.ts';
import { engineOn, sampleHome } from '../support/homes.ts';
import { runs } from '../support/runs.ts';

const read = <Name extends ReadName>(engine: Engine, name: Name, input: ReadInputOf<Name>) =>
  runRead(engine, name, input) as ReadOutputOf<Name>;
const change = <Name extends ChangeName>(engine: Engine, name: Name, input: ChangeInputOf<Name>) =>
  runChange(engine, name, input);

const ledger = (engine: Engine) =>
  engine.account.file.all<{ endpoint: string; mode: string; tokens: number }>(
    'SELECT endpoint, mode, tokens FROM ledger ORDER BY ledger_id',
  );

async function ended(engine: Engine, list: number): Promise<void> {
  for (const job of engine.jobs.list()) await engine.jobs.finished(job.job_id);
  expect(read(engine, 'list_runs', { list_id: list })).toEqual([]);
}

test('a list keeps its order and its parcels, whatever is filtered, and can be sorted by every column', async () => {
  const engine = engineOn(sampleHome());
  const { data } = await change(engine, 'make_list', {
    name: 'By acres',
    of: { filter: { county: '99001', acres_min: 60 }, ordering: '-acres' },
  });
  const { list_id: id, parcels } = data as { list_id: number; parcels: number };
  const page = (more: object = {}) =>
    read(engine, 'list_page', { of: { list_id: id }, columns: ['apn', 'effective_acres'], limit: 1000, ...more });
  const acres = page().rows.map((row) => row.effective_acres as number);
  expect(acres).toHaveLength(parcels);
  expect(acres).toEqual(acres.toSorted((a, b) => b - a));
  const owners = page({ ordering: 'owner_name' }).rows.map((row) => row.owner_name as string | null);
  const known = owners.filter((name) => name !== null);
  expect(owners.slice(0, known.length)).toEqual(known);
  expect(known).toEqual(known.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
  const third = page().rows[2]?.property_id as number;
  expect(page({ offset: 2, limit: 1, find: third })).toMatchObject({ index: 2, rows: [{ property_id: third }] });
  await change(engine, 'set_mailed_on', { list_id: id, ids: [third], mailed_on: '2026-10-14' });
  await expect(
    change(engine, 'set_mailed_on', { list_id: id, ids: [third], mailed_on: '2026-02-31' }),
  ).rejects.toMatchObject({ code: 'validation_error' });
  expect(page({ ordering: '-mailed_on', limit: 1 }).rows[0]).toMatchObject({
    property_id: third,
    mailed_on: '2026-10-14',
  });
});

test('a parcel that left the county’s file stays in its list with its notes, and says so', async () => {
  const engine = engineOn(sampleHome());
  await change(engine, 'make_list', { name: 'Two', of: { ids: [7, 8] } });
  await change(engine, 'add_note', { property_id: 7, text: 'Gate is locked' });
  await change(engine, 'star', { ids: [7] });
  engine.land.file.run("UPDATE parcels SET status = 'retired' WHERE property_id = 7");
  const { rows } = read(engine, 'list_page', { of: { list_id: 1 }, columns: ['apn'] });
  expect(rows.map(({ property_id, is_gone }) => [property_id, is_gone])).toEqual([
    [7, true],
    [8, false],
  ]);
  expect(read(engine, 'parcel_work', { id: 7 })).toMatchObject({
    notes: [{ text: 'Gate is locked' }],
    lists: [{ name: 'Two' }],
  });
  expect(read(engine, 'list_page', { of: { starred: true }, columns: [] }).rows[0]).toMatchObject({ is_gone: true });
});

test('a new owner of a starred parcel is announced after an import until seen; a new spelling is not one', async () => {
  const engine = engineOn(sampleHome());
  const rename = (id: number, name: string | null) =>
    engine.land.file.run('UPDATE parcels SET owner_name = ? WHERE property_id = ?', name, id);
  for (const [id, name] of [
    [1, 'ADAMS ANN'],
    [2, 'BAKER BEN'],
    [3, null],
    [4, 'DOE DAN'],
    [5, 'EVE'],
  ] as const)
    rename(id, name);
  await change(engine, 'star', { ids: [1, 2, 3, 4] });
  rename(1, 'NEW OWNER LLC');
  rename(2, ' Baker  ben');
  rename(3, 'SOMEBODY');
  rename(4, null);
  rename(5, 'NOT STARRED');
  expect(read(engine, 'changed_owners', {}).parcels).toMatchObject([
    { property_id: 1, owner_then: 'ADAMS ANN', owner_now: 'NEW OWNER LLC' },
  ]);
  expect(read(engine, 'parcel_work', { id: 1 }).owner_then).toBe('ADAMS ANN');
  await change(engine, 'accept_owners', { ids: [1] });
  expect(read(engine, 'changed_owners', {}).parcels).toEqual([]);
  await change(engine, 'undo', {});
  expect(read(engine, 'changed_owners', {}).parcels).toHaveLength(1);
});

test('Do not mail goes by address or name, and outlives the list it was made from', async () => {
  const engine = engineOn(sampleHome());
  const owner = engine.land.file.get<{ property_id: number; owner_name: string; mailing_key: string }>(
    'SELECT property_id, owner_name, mailing_key FROM parcels WHERE owner_name IS NOT NULL AND mailing_key IS NOT NULL LIMIT 1',
  );
  if (!owner) throw new Error('the sample has no such owner');
  await change(engine, 'make_list', { name: 'One', of: { ids: [owner.property_id] } });
  await change(engine, 'do_not_mail_add', { property_id: owner.property_id, by: ['address'] });
  await change(engine, 'delete_list', { list_id: 1 });
  const blocked = readDoNotMail(engine.account);
  expect(isDoNotMail(blocked, { mailing_key: owner.mailing_key, owner_name: 'SOMEBODY ELSE' })).toBe(true);
  expect(isDoNotMail(blocked, { mailing_key: null, owner_name: owner.owner_name })).toBe(false);
  await change(engine, 'do_not_mail_add', { owner_name: 'ada  lovelace' });
  expect(
    isDoNotMail(readDoNotMail(engine.account), { mailing_key: null, owner_name: 'X', owner_name_2: 'ADA LOVELACE' }),
  ).toBe(true);
  expect(read(engine, 'do_not_mail', {})).toMatchObject([
    { owner_name: 'ada  lovelace', by_owner: true, by_address: false },
    { owner_name: owner.owner_name, by_owner: false, by_address: true },
  ]);
  expect(read(engine, 'parcel_work', { id: owner.property_id }).do_not_mail).toHaveLength(1);
});

test('a run values every parcel once, says its price first, and a second run asks only what is missing', async () => {
  const engine = engineOn(sampleHome());
  await change(engine, 'make_list', { name: 'Worth', of: { ids: [6, 7, 8, 9, 10] } });
  expect(read(engine, 'list_quote', { list_id: 1 })[0]).toEqual({
    kind: 'values',
    parcels: 5,
    left_out: 0,
    most_tokens: 50,
  });
  await change(engine, 'start_list_run', { list_id: 1, kind: 'values' });
  await ended(engine, 1);
  const { rows } = read(engine, 'list_page', { of: { list_id: 1 }, columns: ['apn'] });
  const valued = rows.filter(({ value }) => value !== null);
  expect(valued.length).toBeGreaterThan(0);
  expect(ledger(engine)).toEqual(valued.map(() => ({ endpoint: 'public_ai_comp_value', mode: 'app', tokens: 10 })));
  expect(rows.every(({ value, value_note: note }) => (value === null) === (note !== null))).toBe(true);
  await change(engine, 'add_members', { list_id: 1, of: { ids: [11] } });
  expect(read(engine, 'list_quote', { list_id: 1 })[0]?.parcels).toBe(1 + rows.length - valued.length);
});

test('a run of traces leaves companies and trusts out, and has no limit of 20 a minute', async () => {
  const engine = engineOn(sampleHome(), { now: () => new Date(Date.UTC(2026, 10, 2, 9)) });
  const ids = engine.land.file.column<number>(
    "SELECT property_id FROM parcels WHERE status = 'current' AND owner_name IS NOT NULL ORDER BY property_id LIMIT 40",
  );
  await change(engine, 'make_list', { name: 'Calls', of: { ids } });
  const quote = read(engine, 'list_quote', { list_id: 1 })[1];
  expect(quote?.left_out).toBeGreaterThan(0);
  expect(quote?.parcels).toBeGreaterThan(20);
  expect(quote?.most_tokens).toBe((quote?.parcels ?? 0) * 20);
  await change(engine, 'start_list_run', { list_id: 1, kind: 'phones' });
  await ended(engine, 1);
  const { rows } = read(engine, 'list_page', { of: { list_id: 1 }, columns: [], limit: 100 });
  const matched = rows.filter(({ phones }) => phones.length > 0).length;
  expect(ledger(engine).filter(({ tokens }) => tokens === 20)).toHaveLength(matched);
  expect(rows.filter(({ phone_note: note }) => note?.endsWith('not traced'))).toHaveLength(quote?.left_out ?? -1);
  expect(rows.filter(({ phone_note: note }) => note === 'no match')).toHaveLength((quote?.parcels ?? 0) - matched);
});

test('a run is paused and continued, and cancelled with what it has paid', async () => {
  const engine = engineOn(sampleHome());
  await change(engine, 'make_list', { name: 'Many', of: { filter: { county: '99001', acres_min: 20 } } });
  const { data } = await change(engine, 'start_list_run', { list_id: 1, kind: 'values' });
  const runId = (data as { run_id: number }).run_id;
  await change(engine, 'pause_list_run', { run_id: runId });
  const [paused] = read(engine, 'list_runs', { list_id: 1 });
  expect(paused).toMatchObject({ state: 'paused', run_id: runId });
  expect(paused?.done).toBeLessThan(paused?.total ?? 0);
  // Starting again continues: no second run beside a paused one.
  const again = await change(engine, 'start_list_run', { list_id: 1, kind: 'values' });
  expect((again.data as { run_id: number }).run_id).toBe(runId);
  await change(engine, 'cancel_list_run', { run_id: runId });
  expect(read(engine, 'list_runs', { list_id: 1 })).toEqual([]);
  const values = engine.account.file.get<{ n: number }>('SELECT count(*) AS n FROM stored_values')?.n;
  expect(ledger(engine)).toHaveLength(values ?? -1);
}, 60_000);

test('the plan’s cap stops a run, which stands still and can be continued', async () => {
  const engine = engineOn(sampleHome());
  engine.account.file.run('UPDATE plan SET cap_tokens = 25');
  await change(engine, 'make_list', { name: 'Worth', of: { ids: [6, 7, 8, 9, 10] } });
  await change(engine, 'start_list_run', { list_id: 1, kind: 'values' });
  const [job] = engine.jobs.list();
  expect((await engine.jobs.finished(job?.job_id ?? 0)).error?.code).toBe('usage_limit_exceeded');
  expect(read(engine, 'list_runs', { list_id: 1 })).toMatchObject([{ state: 'paused', tokens: 20 }]);
  engine.account.file.run('UPDATE plan SET cap_tokens = NULL');
  const runId = read(engine, 'list_runs', { list_id: 1 })[0]?.run_id ?? 0;
  await change(engine, 'continue_list_run', { run_id: runId });
  await ended(engine, 1);
  const values = engine.account.file.get<{ n: number }>('SELECT count(*) AS n FROM stored_values')?.n;
  expect(ledger(engine)).toHaveLength(values ?? -1);
});

test('killed at any moment and continued, a run charges no parcel twice', async () => {
  const engine = engineOn(sampleHome());
  await change(engine, 'make_list', { name: 'Worth', of: { filter: { county: '99001', acres_min: 120 } } });
  const child = path.join(import.meta.dirname, 'running-child.ts');
  for (let round = 0; round < runs(2, 4); round++) {
    const runner = fork(child, [engine.home], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    onTestFinished(() => void runner.kill('SIGKILL'));
    await new Promise<void>((resolve) => {
      let told = 0;
      runner.on('message', () => {
        if (++told === 3 + round * 4) runner.kill('SIGKILL');
      });
      runner.on('exit', () => resolve());
    });
  }
  const charged = ledger(engine).length;
  expect(charged).toBeGreaterThan(6);
  await change(engine, 'start_list_run', { list_id: 1, kind: 'values' });
  await ended(engine, 1);
  const { rows } = read(engine, 'list_page', { of: { list_id: 1 }, columns: [], limit: 1000 });
  const valued = rows.filter(({ value }) => value !== null).length;
  expect(valued).toBeGreaterThan(charged);
  expect(ledger(engine)).toHaveLength(valued);
  const tokens = engine.account.file.get<{ n: number }>('SELECT sum(tokens) AS n FROM list_run_rows')?.n;
  expect(tokens).toBe(valued * 10);
}, 120_000);

test('Do not mail takes the owners of several parcels at once: by address, else by name, each once, in one step', async () => {
  const engine = engineOn(sampleHome());
  const { file } = engine.land;
  const [first, second, third, fourth] = file.column<number>(
    'SELECT property_id FROM parcels WHERE mailing_key IS NOT NULL AND owner_name IS NOT NULL GROUP BY mailing_key ORDER BY property_id LIMIT 4',
  ) as [number, number, number, number];
  // The second lives with the first; the third has a name alone; of the fourth nothing is known.
  file.run(
    'UPDATE parcels SET mailing_key = (SELECT mailing_key FROM parcels WHERE property_id = ?) WHERE property_id = ?',
    first,
    second,
  );
  file.run("UPDATE parcels SET mailing_key = NULL, owner_name = 'ADA LOVELACE' WHERE property_id = ?", third);
  file.run('UPDATE parcels SET mailing_key = NULL, owner_name = NULL WHERE property_id = ?', fourth);
  const ids = [first, second, third, fourth];
  const { data, undo } = await change(engine, 'do_not_mail_add_all', { ids });
  expect(data).toEqual({ added: 2, without: 1 });
  expect(undo?.sentence).toBe('Added 2 owners to Do not mail; 1 without an address or a name');
  const blocked = readDoNotMail(engine.account);
  const keyOf = (id: number) =>
    file.get<{ mailing_key: string | null; owner_name: string | null }>(
      'SELECT mailing_key, owner_name FROM parcels WHERE property_id = ?',
      id,
    ) ?? { mailing_key: null, owner_name: null };
  expect(ids.map((id) => isDoNotMail(blocked, keyOf(id)))).toEqual([true, true, true, false]);
  expect((await change(engine, 'do_not_mail_add_all', { ids })).data).toEqual({ added: 0, without: 1 });
  await change(engine, 'undo', {});
  expect(read(engine, 'do_not_mail', {})).toEqual([]);
  await expect(change(engine, 'do_not_mail_add_all', { ids: [first, 99_999_999] })).rejects.toThrow();
});
