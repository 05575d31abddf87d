/** The real engine host in a separate process, supervised as in the app: killed, refused, asked to stop. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { backupHome } from '../../engine/backup/backup-home.ts';
import { listDailyCopies } from '../../engine/backup/daily-copies.ts';
import { plannedRestore } from '../../engine/backup/restore-home.ts';
import { openEngine } from '../../engine/engine.ts';
import { forkWorker } from '../../engine/jobs/fork-worker.ts';
import type { MessagePortLike } from '../../engine/rpc/messages.ts';
import { desktopClient, type PortWindow } from '../../renderer/client/desktop-client.ts';
import { portClient } from '../../renderer/client/port-client.ts';
import { noon, noteOf, workedHome } from '../backup/backup-homes.ts';
import { copyOfHome, emptyHome, sampleHome } from '../support/homes.ts';
import { type Supervised, supervise } from './fork-host.ts';

const eventually = (read: () => unknown) => expect.poll(read, { timeout: 60_000, interval: 5 });

const clientOn = (port: MessagePort) => portClient(port as unknown as MessagePortLike);

/** The ledger, read beside the host. */
function ledgerOf(home: string): () => { endpoint: string; tokens: number }[] {
  const engine = openEngine({ home, keepsIndexes: false });
  onTestFinished(() => engine.close());
  return () => engine.account.file.all('SELECT endpoint, tokens FROM ledger ORDER BY ledger_id');
}

test('a host that is killed while 20 calls are pending: each fails by name, another host is there, and each is charged once when tried again', async () => {
  const home = copyOfHome(sampleHome());
  const ledger = ledgerOf(home);
  const { forked, news, connect } = supervise(home);
  await eventually(() => news).toEqual(['ready']);
  await eventually(() => forked[1]?.isLoaded).toBe(true);
  const [first] = forked;
  if (!first) throw new Error('nothing was forked');
  // Work done but not reported is the worst that a crash can leave.
  first.losesAnswers = true;
  const presses = Array.from({ length: 20 }, (_, index) => ({ id: index + 1, action: `press-${index}` }));
  const press = (client: ReturnType<typeof clientOn>) =>
    presses.map(({ id, action }) => client.call('get_property', { id }, { action }));

  const pending = press(clientOn(connect())).map((call) => call.catch((error) => error));
  await eventually(() => ledger().length).toBeGreaterThan(0);
  const killedAt = performance.now();
  first.child.kill('SIGKILL');
  const errors = await Promise.all(pending);
  expect(errors.map(({ code }) => code)).toEqual(presses.map(() => 'port_closed'));
  await eventually(() => news).toEqual(['ready', 'down', 'ready']);
  console.log(`a killed host was replaced after ${Math.round(performance.now() - killedAt)} ms`);

  const answers = await Promise.all(press(clientOn(connect())));
  expect(answers.map(({ data }) => (data as { property_id: number }).property_id)).toEqual(presses.map(({ id }) => id));
  const charges = ledger();
  expect(charges).toHaveLength(20);
  const [price] = charges;
  expect(answers.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThan(20 * (price?.tokens ?? 0));
});

test('a client outlives its host: it repeats free questions, and the next host answers what waits', async () => {
  const home = copyOfHome(sampleHome());
  const page = windowDouble();
  const supervised = supervise(home, { onReady: () => page.give(supervised) });
  const client = desktopClient(
    { connect: async () => {}, openHome: async () => '', openSample: async () => '' },
    page.window,
  );
  const { count } = await client.read('count_properties', { filter: { county: '99001' } });
  expect(count).toBeGreaterThan(1000);
  supervised.forked[0]?.child.kill('SIGKILL');
  const again = await Promise.all(
    Array.from({ length: 5 }, () => client.read('count_properties', { filter: { county: '99001' } })),
  );
  expect(again.map((answer) => answer.count)).toEqual([count, count, count, count, count]);
  expect(supervised.news).toEqual(['down']);
});

test('a port from elsewhere is no engine', async () => {
  const page = windowDouble();
  const client = desktopClient(
    { connect: async () => {}, openHome: async () => '', openSample: async () => '' },
    page.window,
  );
  const supervised = supervise(copyOfHome(sampleHome()));
  await eventually(() => supervised.news).toEqual(['ready']);
  const [stranger, own] = [supervised.connect(), supervised.connect()];
  let asked = 0;
  stranger.on('message', () => {
    asked += 1;
  });
  page.post({ origin: 'https://example.org', ports: [stranger] });
  page.post({ source: {}, ports: [stranger] });
  page.post({ data: 'other', ports: [stranger] });
  const answer = client.read('home', {});
  page.post({ ports: [own] });
  expect((await answer).kind).toBe('sample');
  expect(asked).toBe(0);
});

test('a home that cannot be opened is named and not retried automatically', async () => {
  const home = emptyHome();
  fs.writeFileSync(path.join(home, 'land.sqlite'), 'this is no database, though it stands where one is expected');
  const { forked, news, supervisor } = supervise(home);
  await eventually(() => news).toEqual(['refused file_not_sqlite']);
  fs.rmSync(path.join(home, 'land.sqlite'));
  await eventually(() => forked[0]?.child.signalCode).toBe('SIGKILL');
  supervisor.start();
  await eventually(() => news).toEqual(['refused file_not_sqlite', 'ready']);
});

test('a restore that was planned is put in place by the next start of the app, and not under open windows after a crash', async () => {
  const backup = path.join(emptyHome(), 'backup.zip');
  await backupHome(await workedHome('saved'), backup, { onlyMyWork: false, now: noon });
  const home = await workedHome('mine');
  const first = supervise(home);
  await eventually(() => first.news).toEqual(['ready']);
  await clientOn(first.connect()).change('plan_restore', { file: backup });
  first.forked[0]?.child.kill('SIGKILL');
  await eventually(() => first.news).toEqual(['ready', 'down', 'ready']);
  expect(noteOf(home)).toEqual(['mine']);
  expect(plannedRestore(home)).toEqual({ made_at: noon.toISOString(), contents: 'whole' });
  await first.supervisor.stop();
  expect(first.told).toEqual([]);

  const next = supervise(home);
  await eventually(() => next.news).toEqual(['ready']);
  expect(noteOf(home)).toEqual(['saved']);
  expect(plannedRestore(home)).toBe(null);
  expect(next.told).toEqual([
    expect.stringMatching(/^Restored the backup of 2026-11-20T12:00:00.000Z; what stood before is kept in .*before-/),
  ]);
});

test('a restore that a crash has stopped halfway is finished before anything is opened', async () => {
  const backup = path.join(emptyHome(), 'backup.zip');
  await backupHome(await workedHome('saved'), backup, { onlyMyWork: false, now: noon });
  const home = await workedHome('mine');
  const { forked, news, connect } = supervise(home);
  await eventually(() => news).toEqual(['ready']);
  await clientOn(connect()).change('plan_restore', { file: backup });
  // As by another program that began it while the host was down, and died.
  const { aside } = JSON.parse(fs.readFileSync(path.join(home, 'restore.json'), 'utf8'));
  fs.mkdirSync(path.join(home, aside));
  forked[0]?.child.kill('SIGKILL');
  await eventually(() => news).toEqual(['ready', 'down', 'ready']);
  expect(noteOf(home)).toEqual(['saved']);
});

test('starts with a copy of account.sqlite for the day, without exports of days ago, and tells a copy that cannot be made', async () => {
  const home = copyOfHome(sampleHome());
  const old = path.join(home, 'exports', '0'.repeat(32));
  fs.mkdirSync(old, { recursive: true });
  fs.utimesSync(old, new Date(0), new Date(0));
  const first = supervise(home);
  await eventually(() => first.news).toEqual(['ready']);
  const [copy] = listDailyCopies(home);
  expect(fs.existsSync(old)).toBe(false);
  await first.supervisor.stop();
  // The next start finds no copy of the day, and a folder where it would build one.
  const copied = path.join(home, 'backups', copy?.name ?? '');
  fs.rmSync(copied);
  fs.mkdirSync(`${copied}.part`);
  const logged: string[] = [];
  const next = supervise(home, { log: (line) => logged.push(line) });
  await eventually(() => next.news).toEqual(['ready']);
  expect(logged.join()).toMatch(/daily copy/);
});

test('a home on another machine is refused', async () => {
  const { news } = supervise('\\\\server\\share\\platbook');
  await eventually(() => news).toEqual(['refused home_missing']);
});

test('asked to stop, it closes its files and ends', async () => {
  const home = copyOfHome(sampleHome());
  const { forked, news, supervisor, connect } = supervise(home);
  await eventually(() => news).toEqual(['ready']);
  await clientOn(connect()).call('get_property', { id: 1 }, { action: 'press-1' });
  await supervisor.stop();
  expect(forked[0]?.child.exitCode).toBe(0);
  expect(forked[0]?.child.signalCode).toBeNull();
  expect(fs.readdirSync(home).filter((file) => /-(wal|shm)$/.test(file))).toEqual([]);
});

test('the listener is off until switched on, says why a port is unavailable, and returns after a crash', async () => {
  const home = copyOfHome(sampleHome());
  const { forked, news, listeners, connect } = supervise(home);
  await eventually(() => news).toEqual(['ready']);
  const client = clientOn(connect());
  const off = { on: false, port: 0, url: null, problem: null, switchable: true };
  expect(await client.read('listener', {})).toEqual(off);
  const { data: made } = await client.change('create_key', { name: 'sheet', scopes: ['read'] });
  const { data: on } = await client.change('set_listener', { on: true, port: 0 });
  expect(on).toMatchObject({ on: true, problem: null, url: `http://127.0.0.1:${on.port}` });
  const usage = `${on.url}/api/public/v1/usage/`;
  const headers = { authorization: `Bearer ${made.key}` };
  expect((await fetch(usage, { headers })).status).toBe(200);
  expect(listeners).toEqual([{ on: true, port: on.port }]);

  const other = supervise(copyOfHome(sampleHome()), { listener: { on: true, port: on.port } });
  await eventually(() => other.news).toEqual(['ready']);
  await eventually(async () => (await clientOn(other.connect()).read('listener', {})).problem).toBe(
    `Port ${on.port} is in use by another program. Choose another one in Settings, HTTP API.`,
  );

  forked[0]?.child.kill('SIGKILL');
  await eventually(() => news).toEqual(['ready', 'down', 'ready']);
  await eventually(async () => (await fetch(usage, { headers }).catch(() => null))?.status).toBe(200);
  const next = clientOn(connect());
  expect((await next.read('api_keys', {})).keys).toMatchObject([{ name: 'sheet', scopes: ['read'], revoked_at: null }]);
  await next.change('revoke_key', { key_id: made.key_id });
  expect((await fetch(usage, { headers })).status).toBe(401);
  await expect(next.change('revoke_key', { key_id: made.key_id })).rejects.toMatchObject({ code: 'not_found' });
  expect((await next.change('set_listener', { on: false, port: on.port })).data).toEqual({ ...off, port: on.port });
  await expect(fetch(usage, { headers })).rejects.toThrow();
});

test('questions and jobs run in processes that main starts for the host, and end with their host', async () => {
  const home = emptyHome();
  const workers: { isOver: boolean }[] = [];
  const { forked, news, connect } = supervise(home, {
    spawnWorker: (ears) => {
      const worker = { isOver: false };
      workers.push(worker);
      const over = (lastWords: string): void => {
        worker.isOver = true;
        ears.onExit(lastWords);
      };
      return forkWorker({ onNews: ears.onNews as never, onExit: over });
    },
  });
  await eventually(() => news).toEqual(['ready']);
  const file = path.join(emptyHome(), 'sales.csv');
  fs.writeFileSync(file, 'apn,acres\n12-151,4.5\n12-152,7\n');
  const data = await clientOn(connect()).read('look_file', { path: file });
  expect(JSON.stringify(data)).toContain('acres');
  // The process waits for the next query; it is not a job that would keep a window from closing.
  expect(news).toEqual(['ready']);
  expect(workers.map(({ isOver }) => isOver)).toEqual([false]);

  const options = { files: [path.join(home, 'nowhere.csv')], county: '33019' };
  await clientOn(connect()).change('start_import', { what: 'parcels', dry_run: true, options });
  await eventually(() => news.at(-1)).toBe('0 jobs');
  expect(news).toContain('1 jobs');
  await eventually(() => workers.map(({ isOver }) => isOver)).toEqual([false, true]);

  // A file that never ends: its process is at work when its host dies.
  const endless = path.join(emptyHome(), 'endless.csv');
  execFileSync('mkfifo', [endless]);
  const pending = clientOn(connect())
    .read('look_file', { path: endless, asker: 'another window' })
    .catch((error) => error);
  await eventually(() => workers.length).toBe(3);
  forked[0]?.child.kill('SIGKILL');
  expect(await pending).toMatchObject({ code: 'port_closed' });
  await eventually(() => workers.map(({ isOver }) => isOver)).toEqual([true, true, true]);
});

/** The page's window, as far as a port comes through it. */
function windowDouble() {
  type Listener = Parameters<PortWindow['addEventListener']>[1];
  const listeners: Listener[] = [];
  const origin = 'platbook-app://home';
  const window: PortWindow = {
    location: { origin },
    addEventListener: (_type, listener) => void listeners.push(listener),
  };
  const post = (event: Partial<Parameters<Listener>[0]>) => {
    for (const hear of listeners) hear({ data: 'platbook-port', origin, source: window, ports: [], ...event });
  };
  return { window, post, give: ({ connect }: Supervised) => post({ ports: [connect()] }) };
}
