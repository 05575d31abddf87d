/** kill -9 of a push, of its connection and of the server: the county on the server is the old one or the new one. */
import { fork } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Engine, openEngine } from '../../engine/engine.ts';
import { pushLand } from '../../engine/postgis/push.ts';
import { countyLock } from '../../engine/postgis/push-county.ts';
import { fillFixture, fixtureFips, putPlainParcels } from '../support/fixture-home.ts';
import { emptyHome } from '../support/homes.ts';
import { connected, type ServerProcess, startServer, type TestServer } from '../support/postgis.ts';
import { fullSize, measured, runs } from '../support/runs.ts';

const started = await startServer('a killed push to PostGIS');
const postgis = started as TestServer & ServerProcess;
afterAll(() => started?.stop());
beforeAll(() => {
  if (started) process.env.PGPASSWORD = started.password;
});
afterAll(() => {
  delete process.env.PGPASSWORD;
});

/** Enough rows that a push has a middle. */
const rows = 4000;

function home(): Engine {
  const engine = openEngine({ home: emptyHome(), keepsIndexes: false });
  onTestFinished(() => engine.close());
  fillFixture(engine);
  putPlainParcels(engine, rows);
  return engine;
}

/** Marks every parcel, its unmapped columns and its dataset with a number, so that a mixture would show. */
function mark({ land: { file } }: Engine, number: number): void {
  file.transaction(() => {
    file.run('UPDATE parcels SET external_id = ?', String(number));
    file.run('INSERT OR REPLACE INTO raw_columns SELECT property_id, ? FROM parcels', `{"mark":${number}}`);
    file.run('UPDATE datasets SET source_name = ?', String(number));
  });
}

/** Pushes in a process of its own, which is killed at the given report of progress. @returns whether it had committed */
async function pushKilled(folder: string, url: string, at: number): Promise<{ committed: boolean; reports: number }> {
  const child = fork(path.resolve(import.meta.dirname, '..', 'support', 'push-child.ts'), [folder, url]);
  let [reports, committed] = [0, false];
  child.on('message', (word) => {
    committed ||= word === 'committed';
    if (++reports === at) child.kill('SIGKILL');
  });
  await new Promise((resolve) => child.on('exit', resolve));
  return { committed, reports };
}

test.runIf(started)(
  'a push that is killed at any moment leaves the old county or the new one, and the next push does it whole',
  { timeout: fullSize(300_000, 1_800_000) },
  async () => {
    const engine = home();
    const { url, access } = await postgis.newDatabase();
    const server = await connected(url, access);
    mark(engine, 0);
    await pushLand(server, engine.home, { platbook: '0.0.0' });
    const lock = `${countyLock}, ${Number(fixtureFips)}`;
    const marks = async () => {
      // Held by the killed connection until the server has noticed.
      await server.rows(`SELECT pg_advisory_lock(${lock})`);
      await server.rows(`SELECT pg_advisory_unlock(${lock})`);
      return server.rows<{ parcels: string[]; raw: string[]; datasets: string[]; n: number }>(
        `SELECT (SELECT array_agg(DISTINCT external_id) FROM parcels) AS parcels, (SELECT count(*) FROM parcels) AS n,
          (SELECT array_agg(DISTINCT json::json ->> 'mark') FROM raw_columns) AS raw,
          (SELECT array_agg(DISTINCT source_name) FROM datasets) AS datasets`,
      );
    };
    const kills = runs(8, 8, 100);
    let [old, fresh, before] = [0, 0, -1];
    mark(engine, -1);
    const { reports } = await pushKilled(engine.home, url, Number.POSITIVE_INFINITY);
    for (let kill = 1; kill <= kills; kill++) {
      mark(engine, kill);
      // From the first report to the last: open, comparing, sending by shares, checking, comps, committed, done.
      const { committed } = await pushKilled(engine.home, url, Math.ceil((kill * reports) / kills));
      const [found] = await marks();
      expect(found?.n).toBe(rows + 51);
      expect(found?.parcels).toHaveLength(1);
      expect(found?.raw).toEqual(found?.parcels);
      expect(found?.datasets).toEqual(found?.parcels);
      const now = Number(found?.parcels[0]);
      expect([before, kill]).toContain(now);
      if (committed) expect(now).toBe(kill);
      if (now === kill) fresh++;
      else old++;
      before = now;
    }
    mark(engine, kills + 1);
    await pushLand(server, engine.home, { platbook: '0.0.0' });
    expect((await marks())[0]?.parcels).toEqual([String(kills + 1)]);
    const { rows: locks } = await server.client.query("SELECT 1 FROM pg_locks WHERE locktype = 'advisory'");
    expect(locks).toEqual([]);
    measured(`${kills} killed pushes: ${old} times the old county, ${fresh} times the new one, never a mixture`);
    expect(old).toBeGreaterThan(0);
    expect(fresh).toBeGreaterThan(0);
  },
);

test.runIf(started)(
  'a connection that the server ends in the middle is a named error, and the county stays',
  async () => {
    const engine = home();
    const { url, access } = await postgis.newDatabase();
    const [server, other] = [await connected(url, access), await connected(url, access)];
    mark(engine, 0);
    await pushLand(server, engine.home, { platbook: '0.0.0' });
    mark(engine, 1);
    const victim = await connected(url, access);
    const [{ pid } = { pid: 0 }] = await victim.rows<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    let ended: Promise<unknown> = Promise.resolve();
    const pushing = pushLand(victim, engine.home, {
      platbook: '0.0.0',
      onPhase: (_fips, phase) => {
        if (phase === 'checking') ended = other.rows('SELECT pg_terminate_backend($1)', [pid]);
      },
    });
    await expect(pushing).rejects.toMatchObject({ code: 'postgis_unreachable' });
    await ended;
    expect(await server.rows(`SELECT DISTINCT external_id AS mark FROM parcels WHERE fips = '${fixtureFips}'`)).toEqual(
      [{ mark: '0' }],
    );
  },
);
