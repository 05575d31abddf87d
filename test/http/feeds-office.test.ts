/** LibreOffice reads feeds as its users do: a value in a cell, a linked sheet, refreshed after a change, revoked. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { FeedMade } from '../../engine/operations/feed-fields.ts';
import { runChange } from '../../engine/work/index.ts';
import { fixtureFips } from '../support/fixture-home.ts';
import { requireOrSkip } from '../support/require.ts';
import { sofficeOrSkip } from '../support/soffice.ts';
import { type Serving, serving } from './client.ts';

const python = '/usr/bin/python3';
const available =
  sofficeOrSkip('feeds in LibreOffice') &&
  requireOrSkip(
    'feeds in LibreOffice',
    spawnSync(python, ['-c', 'import uno']).status === 0,
    'the bridge to LibreOffice (python3-uno) is not installed',
  );

interface Seen {
  readonly value: string;
  /** Fetches it again, with LibreOffice's error number. */
  readonly fresh: string;
  readonly error: number;
  readonly rows: readonly (readonly unknown[])[];
}

/** An office of its own, with a document that has both links. */
function openOffice(valueUrl: string, tableUrl: string): (command: 'read' | 'refresh') => Promise<Seen> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-office-'));
  const pipe = path.basename(folder).replace(/-/g, '');
  const office = spawn(
    'soffice',
    [`-env:UserInstallation=file://${folder}/profile`, '--headless', '--norestore', `--accept=pipe,name=${pipe};urp;`],
    { stdio: 'ignore', detached: true },
  );
  const client = spawn(
    python,
    [path.join(import.meta.dirname, '..', 'support', 'office-client.py'), pipe, valueUrl, tableUrl],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  onTestFinished(async () => {
    client.stdin.end('quit\n');
    await ended(client);
    // The launcher's whole group, and nothing else: it was made for this test.
    if (office.pid !== undefined) tryKill(-office.pid);
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const lines = createInterface({ input: client.stdout })[Symbol.asyncIterator]();
  return async (command) => {
    client.stdin.write(`${command}\n`);
    const { value } = await lines.next();
    return JSON.parse(value ?? 'null') as Seen;
  };
}

const ended = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null ? Promise.resolve() : new Promise((resolve) => child.once('exit', () => resolve()));

function tryKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

async function feedUrl({ engine, server }: Serving, input: unknown): Promise<{ url: string; id: number }> {
  const { paths, feed_id: id } = (await runChange(engine, 'make_feed', input)).data as FeedMade;
  return { url: `${server.baseUrl}${paths[0]}`, id };
}

/** Three sales of an acre for 10,000 dollars beside parcel 1: by any method the value is 10,000 an acre. */
function putComps({ engine }: Serving): void {
  for (let i = 0; i < 8; i++) {
    engine.land.file.run(
      `INSERT INTO comps (comp_id, source, source_id, fips, status, latitude, longitude, lot_size, price, sold_date)
       VALUES (?, 'test', ?, ?, 'SOLD', 43.1005, ?, 0.5, 5000, '2026-10-01')`,
      `00000000-0000-4000-8000-00000000000${i}`,
      String(i),
      fixtureFips,
      -72.19 - i / 10_000,
    );
  }
}

describe.runIf(available)('LibreOffice', () => {
  test('shows a value and a linked sheet, refreshes them, is charged once, and finds nothing once revoked', {
    timeout: 180_000,
  }, async () => {
    const server = await serving({ now: () => new Date('2026-11-20T12:00:00Z') });
    putComps(server);
    const value = await feedUrl(server, {
      name: 'Lot 1',
      kind: 'value',
      input: { id: 1, field: 'mean_adjusted_price' },
    });
    const table = await feedUrl(server, {
      name: 'Big lots',
      kind: 'search',
      input: { county: fixtureFips, acres_min: 20 },
    });
    const ask = openOffice(value.url, table.url);

    const first = await ask('read');
    // Parcel 1 has half an acre, and half an acre went for 5,000 dollars.
    expect(first).toMatchObject({ value: '5000', fresh: '5000', error: 0 });
    const [head = [], ...rows] = first.rows;
    expect(head[0]).toBe('property_id');
    expect(rows.map(([id]) => String(id))).toEqual(['41', '42', '43', '44', '45', '46', '47', '48', '49']);
    const column = (name: string) => rows.map((row) => row[head.indexOf(name)]);
    expect(column('situs_zip')).toContain('00142');
    expect(column('apn')[0]).toBe('140-41');

    await ask('refresh');
    // The value costs 10, the search 30, however often each was fetched.
    expect(server.charged()).toBe(40);

    server.engine.land.file.run("UPDATE parcels SET apn = '12-01' WHERE property_id = 41");
    const changed = await ask('refresh');
    expect(changed.rows[1]?.[head.indexOf('apn')]).toBe('12-01');

    await runChange(server.engine, 'revoke_feed', { feed_id: value.id });
    await runChange(server.engine, 'revoke_feed', { feed_id: table.id });
    const revoked = await ask('refresh');
    expect(revoked.fresh).not.toBe('5000');
    expect(revoked.error).not.toBe(0);
    const asked = server.lines
      .filter(({ operation }) => operation === 'feed')
      .map(({ method, status }) => `${method} ${status}`);
    expect(asked.filter((one) => / 401| 405| 5\d\d/.test(one))).toEqual([]);
    console.info(`LibreOffice asked: ${[...new Set(asked)].sort().join(', ')}`);
  });
});
