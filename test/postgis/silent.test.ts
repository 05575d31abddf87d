/** Servers that accept a connection and never answer, from the first byte or from the middle: a named error, nothing changed. */
import net from 'node:net';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { type Engine, openEngine } from '../../engine/engine.ts';
import { type ServerAccess, ServerConnection } from '../../engine/postgis/connect.ts';
import { PostgisLand } from '../../engine/postgis/postgis-land.ts';
import { pullCounty } from '../../engine/postgis/pull-county.ts';
import { pushLand } from '../../engine/postgis/push.ts';
import { parseServerAddress } from '../../engine/postgis/server-address.ts';
import { fillFixture, fixtureFips, putPlainParcels } from '../support/fixture-home.ts';
import { emptyHome } from '../support/homes.ts';
import { platbook } from '../support/platbook.ts';
import { connected, type ServerProcess, startServer, type TestServer } from '../support/postgis.ts';

const started = await startServer('a silent PostGIS');
const postgis = started as TestServer & ServerProcess;
afterAll(() => started?.stop());

const unreachable = { code: 'postgis_unreachable', message: expect.stringContaining('does not answer in time') };

function newEngine(fill: (engine: Engine) => void = () => {}, land?: PostgisLand): Engine {
  const engine = openEngine({ home: emptyHome(), keepsIndexes: false, ...(land && { land }) });
  onTestFinished(() => engine.close());
  fill(engine);
  return engine;
}

async function listening(onSocket: (socket: net.Socket) => void): Promise<number> {
  const sockets = new Set<net.Socket>();
  const listener = net.createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    onSocket(socket);
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    listener.close();
  });
  return (listener.address() as net.AddressInfo).port;
}

/** A way to the server that can swallow everything from a moment on: of its connections until then, and of new ones. */
async function silenceable(url: string) {
  const pairs: [net.Socket, net.Socket][] = [];
  let [isSilent, isOpenToNew] = [false, false];
  const port = await listening((here) => {
    if (isSilent && !isOpenToNew) return;
    const there = net.connect(postgis.port, '127.0.0.1').on('error', () => {});
    pairs.push([here, there]);
    here.pipe(there);
    there.pipe(here);
  });
  return {
    address: url.replace(String(postgis.port), String(port)),
    silence: ({ opensToNew = false } = {}) => {
      [isSilent, isOpenToNew] = [true, opensToNew];
      for (const [here, there] of pairs) {
        here.unpipe(there);
        there.unpipe(here);
        here.resume();
        there.resume();
      }
    },
    end: () => {
      for (const [, there] of pairs) there.destroy();
    },
  };
}

async function pushedFixture() {
  const { url, access } = await postgis.newDatabase();
  const server = await connected(url, access);
  const engine = newEngine(fillFixture);
  await pushLand(server, engine.home, { platbook: '0.0.0' });
  const impatient: ServerAccess = { ...access, patienceMilliseconds: 4000 };
  return { server, engine, impatient, ...(await silenceable(url)) };
}

test('push, pull and --land end by themselves where nothing ever answers, and leave the home as it was', async () => {
  const port = await listening(() => {});
  const address = `postgres://me@127.0.0.1:${port}/land`;
  const engine = newEngine(fillFixture);
  const before = engine.land.file.all('SELECT * FROM parcels');
  const said = await Promise.all([
    platbook(engine.home, 'push', address, '--json'),
    platbook(engine.home, 'pull', address, '--county', '33019', '--json'),
    platbook(engine.home, 'call', 'filter_properties', '{"county":"99001"}', '--land', address),
    platbook(engine.home, 'mcp', '--land', address),
  ]);
  for (const { code, err } of said)
    expect([code, err]).toEqual([1, expect.stringContaining('does not answer in time')]);
  expect(engine.land.file.all('SELECT * FROM parcels')).toEqual(before);
  expect(engine.account.file.get('SELECT count(*) AS n FROM ledger')).toEqual({ n: 0 });
});

test.runIf(started)('a push whose server falls silent ends, and the county there stays', async () => {
  const { server, engine, impatient, address, silence, end } = await pushedFixture();
  engine.land.file.run("UPDATE parcels SET owner_name = 'OTHER'");
  const way = await connected(address, impatient);
  const pushing = pushLand(way, engine.home, {
    platbook: '0.0.0',
    onPhase: (_fips, phase) => {
      if (phase === 'checking') silence();
    },
  });
  await expect(pushing).rejects.toMatchObject(unreachable);
  end();
  expect(await server.rows("SELECT count(*) AS n FROM parcels WHERE owner_name = 'OTHER'")).toEqual([{ n: 0 }]);
  expect((await pushLand(server, engine.home, { platbook: '0.0.0' })).counties).toMatchObject([{ changed: 51 }]);
});

test.runIf(started)(
  'a push whose connection dies in the middle of COPY ends while the server answers others, and no row stays',
  async () => {
    const { url, access } = await postgis.newDatabase();
    const server = await connected(url, access);
    const engine = newEngine((filled) => {
      fillFixture(filled);
      putPlainParcels(filled, 4000);
    });
    const { address, silence, end } = await silenceable(url);
    const way = await connected(address, { ...access, patienceMilliseconds: 4000 });
    let sent = 0;
    const pushing = pushLand(way, engine.home, {
      platbook: '0.0.0',
      onPhase: (_fips, phase) => {
        if (phase.startsWith('sending') && ++sent === 3) silence({ opensToNew: true });
      },
    });
    await expect(pushing).rejects.toMatchObject(unreachable);
    expect(sent).toBeGreaterThan(3);
    expect(await server.rows('SELECT count(*) AS n FROM parcels')).toEqual([{ n: 0 }]);
    end();
    expect((await pushLand(server, engine.home, { platbook: '0.0.0' })).counties).toMatchObject([{ added: 4051 }]);
  },
);

test.runIf(started)('a pull whose server falls silent ends, and the home stays empty', async () => {
  const { impatient, address, silence } = await pushedFixture();
  const { land, now } = newEngine();
  const way = await connected(address, impatient);
  await expect(pullCounty(way, land, { fips: fixtureFips, now, onRows: () => silence() })).rejects.toMatchObject(
    unreachable,
  );
  expect(land.file.column('SELECT count(*) FROM parcels')).toEqual([0]);
});

test.runIf(started)('a question to a server that falls silent ends and costs nothing', async () => {
  const { impatient, address, silence } = await pushedFixture();
  const land = new PostgisLand(parseServerAddress(address), impatient);
  const engine = newEngine(() => {}, land);
  onTestFinished(() => land.close());
  const ask = () => engine.call('filter_properties', { county: fixtureFips });
  const { tokens } = await ask();
  silence();
  await expect(ask()).rejects.toMatchObject(unreachable);
  expect(engine.account.file.column('SELECT tokens FROM ledger')).toEqual([tokens]);
});

test.runIf(started)(
  'a statement that takes longer than the patience goes on while the server works on it',
  async () => {
    const { url, access } = await postgis.newDatabase();
    const server = new ServerConnection(parseServerAddress(url), { ...access, patienceMilliseconds: 4000 });
    await server.open();
    onTestFinished(() => server.close());
    const [row] = await server.rows("SELECT 'done' AS word FROM pg_sleep(9)");
    expect(row).toEqual({ word: 'done' });
  },
);
