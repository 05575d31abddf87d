/** The board's columns, the plan, stored market numbers, and what the Usage screen is told. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import type { Engine } from '../../engine/engine.ts';
import { type ReadInputOf, type ReadName, type ReadOutputOf, runRead } from '../../engine/reads/index.ts';
import { type ChangeInputOf, type ChangeName, type ChangeOutputOf, runChange } from '../../engine/work/index.ts';
import { keepOutcome } from '../../engine/work/store-outcome.ts';
import { engineOn, sampleHome } from '../support/homes.ts';

const read = <Name extends ReadName>(engine: Engine, name: Name, input: ReadInputOf<Name>) =>
  runRead(engine, name, input) as ReadOutputOf<Name>;
const change = async <Name extends ChangeName>(engine: Engine, name: Name, input: ChangeInputOf<Name>) =>
  (await runChange(engine, name, input)).data as ChangeOutputOf<Name>;

const statuses = (engine: Engine) => read(engine, 'market_board', {}).markets.map(({ status }) => status);

async function withThree(): Promise<Engine> {
  const engine = engineOn(sampleHome());
  const regions = read(engine, 'regions', { search: '0014' }).regions.slice(0, 3);
  for (const [i, { id }] of regions.entries())
    await change(engine, 'save_market', { region_id: id, status: i === 1 ? 'Active' : 'Mailed' });
  return engine;
}

describe('the market board', () => {
  test('a column is renamed for all its markets, and undone in one step; one without markets is refused', async () => {
    const engine = await withThree();
    expect(await change(engine, 'rename_market_column', { from: 'Mailed', to: 'Sent' })).toEqual({ changed: 2 });
    expect(statuses(engine)).toEqual(['Sent', 'Active', 'Sent']);
    await change(engine, 'undo', {});
    expect(statuses(engine)).toEqual(['Mailed', 'Active', 'Mailed']);
    await expect(change(engine, 'rename_market_column', { from: 'Sent', to: 'X' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('numbers that were paid for are those of the operation, stay with the county’s ZIP codes, and are replaced by newer ones', async () => {
    const engine = await withThree();
    expect(read(engine, 'market_board', {}).markets.map(({ numbers }) => numbers)).toEqual([null, null, null]);
    const { data } = await engine.call('get_market_stats', { fips: '99001' }, { mode: 'app' });
    expect(keepOutcome(engine, 'get_market_stats', { fips: '99001' }, data)).toBe(true);
    const board = read(engine, 'market_board', {});
    for (const { numbers } of board.markets)
      expect(Object.entries(numbers?.buckets ?? {})).toEqual(data.stats.map(({ type, data: of }) => [type, of]));
    expect(board.buckets).toEqual(data.stats.map(({ type }) => type));
    engine.land.file.run("DELETE FROM comps WHERE status = 'SOLD'");
    const again = await engine.call('get_market_stats', { fips: '99001' }, { mode: 'app' });
    keepOutcome(engine, 'get_market_stats', { fips: '99001' }, again.data);
    expect(read(engine, 'market_board', {}).markets[0]?.numbers?.buckets['0.2 acre-100 acre']?.sold_count).toBe(0);
    expect(engine.account.file.get('SELECT count(*) AS n FROM market_numbers')).toEqual({ n: 1 });
  });

  test('regions say which are saved', async () => {
    const engine = await withThree();
    const { regions } = read(engine, 'regions', { search: '0014' });
    expect(regions.map(({ is_saved: isSaved }) => isSaved).slice(0, 4)).toEqual([true, true, true, false]);
  });
});

test('the plan is set and taken back; a tier that is none is refused with those that are', async () => {
  const engine = engineOn(sampleHome());
  const before = read(engine, 'plan', {});
  await change(engine, 'set_plan', { tier: 'none', tokens_included: 5 });
  await expect(engine.call('list_saved_markets', {})).rejects.toMatchObject({ code: 'tier_upgrade_required' });
  await change(engine, 'undo', {});
  expect(read(engine, 'plan', {})).toEqual(before);
  // Omitted fields stay, even if another window has just changed them.
  await change(engine, 'set_plan', { tier: 'growth' });
  await change(engine, 'set_plan', { tokens_included: 7 });
  expect(read(engine, 'plan', {})).toMatchObject({ tier: 'growth', tokens_included: 7 });
  await expect(change(engine, 'set_plan', { tier: 'gold' as never, tokens_included: 5 })).rejects.toMatchObject({
    code: 'validation_error',
    details: { tier: [expect.stringContaining('starter')] },
  });
});

test('the usage report is the API’s own totals and breakdown, and every charge with the request it belongs to', async () => {
  const engine = engineOn(sampleHome());
  const first = await engine.call('filter_properties', { county: '99001' }, { mode: 'app', requestId: 'req-1' });
  // Three rows a page: every page of a list that is priced by the row is a charge of its own.
  let comps = 0;
  for await (const _comp of engine.each(
    'list_comps',
    { fips: '99001', page_size: 3 },
    { mode: 'script', requestId: 'req-2' },
  ))
    if (++comps === 7) break;
  const report = read(engine, 'usage_report', {});
  expect(report.totals).toEqual((await engine.call('get_usage', {})).data);
  expect(report.breakdown).toEqual((await engine.call('get_usage_breakdown', {})).data);
  expect(first.requestId).toBe('req-1');
  expect(report.calls.map(({ request_id: id, tokens }) => [id, tokens])).toEqual([
    ['req-2', 3],
    ['req-2', 3],
    ['req-2', 3],
    ['req-1', 30],
  ]);
  expect(report.call_count).toBe(4);
  expect(report.operations.public_comps).toBe('list_comps');
  expect(read(engine, 'usage_report', { limit: 1 }).calls).toHaveLength(1);
});

describe('the state of the home', () => {
  test('is answered without waiting while another program writes, and asking writes nothing', () => {
    const engine = engineOn(sampleHome());
    expect(read(engine, 'home_state', {}).hindrance).toBeNull();
    const other = new Database(path.join(engine.home, 'account.sqlite'));
    const version = other.pragma('data_version', { simple: true });
    read(engine, 'home_state', {});
    expect(other.pragma('data_version', { simple: true })).toBe(version);
    other.exec('BEGIN IMMEDIATE');
    // A read that waits as long as the file would let it would run into the time limit of every test.
    engine.account.file.pragma('busy_timeout = 600000');
    expect(read(engine, 'home_state', {}).hindrance).toMatchObject({ kind: 'locked' });
    other.exec('ROLLBACK');
    other.close();
    expect(read(engine, 'home_state', {}).hindrance).toBeNull();
    expect(engine.account.file.pragma('busy_timeout')).toBe(600_000);
  });

  test('tells the free space that the system tells', () => {
    const engine = engineOn(sampleHome());
    const { bavail, bsize } = fs.statfsSync(os.tmpdir());
    const told = read(engine, 'home_state', {}).free_bytes ?? 0;
    // Others write to the same disk meanwhile.
    expect(Math.abs(told - bavail * bsize)).toBeLessThan(1e9);
  });

  test('counts full months of old data, from two years on, and never the sample’s', () => {
    const engine = engineOn(sampleHome(), { now: () => new Date('2026-11-20T12:00:00Z') });
    const oldAt = (day: string) => {
      engine.land.file.run('UPDATE datasets SET source_date = ?', day);
      return read(engine, 'home_state', {}).old.map(({ months }) => months);
    };
    expect(oldAt('2020-01-01')).toEqual([]);
    engine.land.file.run("UPDATE home_kind SET kind = 'real'");
    // 24 full months on 20 November; the 25th is full on 20 October of the year before.
    expect([oldAt('2024-11-20'), oldAt('2024-10-21'), oldAt('2024-10-20'), oldAt('2020-11-21')]).toEqual([
      [],
      [],
      [25],
      [71],
    ]);
  });
});
