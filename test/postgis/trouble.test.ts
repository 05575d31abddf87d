/** Servers that are gone, silent, full, set up otherwise or without rights: a named error, and no password anywhere. */
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { type Engine, openEngine } from '../../engine/engine.ts';
import { ServerConnection } from '../../engine/postgis/connect.ts';
import { pullCounty } from '../../engine/postgis/pull-county.ts';
import { pushLand } from '../../engine/postgis/push.ts';
import { parseServerAddress } from '../../engine/postgis/server-address.ts';
import { fillFixture, fixtureFips, putPlainParcels } from '../support/fixture-home.ts';
import { emptyHome } from '../support/homes.ts';
import { platbook, platbookRunning } from '../support/platbook.ts';
import { connected, type ServerProcess, startServer, type TestServer } from '../support/postgis.ts';
import { canMakeDisk, smallDisk } from '../support/small-disk.ts';

const started = await startServer('trouble with PostGIS');
const postgis = started as TestServer & ServerProcess;
afterAll(() => started?.stop());

function home(): Engine {
  const engine = openEngine({ home: emptyHome(), keepsIndexes: false });
  onTestFinished(() => engine.close());
  fillFixture(engine);
  return engine;
}

const push = (server: ServerConnection, { home: folder }: Engine) => pushLand(server, folder, { platbook: '0.0.0' });

test('an address with a password, of another form or without encryption is refused, and never repeated', () => {
  const secret = 'hunter2';
  const refused = [
    `postgres://me:${secret}@db.example.com/land`,
    `postgres://me@db.example.com/land?password=${secret}`,
    `postgres://me@db.example.com/land?options=${secret}`,
    `postgres://me@db.example.com/land?sslmode=require`,
    `postgres://me@db.example.com/land?sslmode=disable`,
    `postgres://db.example.com/#${secret}`,
    'postgres://me@db.example.com/',
    'postgres:///land',
    'mysql://me@db.example.com/land',
    `postgres://me:%zz${secret}@x/land`,
  ];
  for (const address of refused) {
    const refuse = () => parseServerAddress(address);
    expect(refuse, address).toThrow(expect.objectContaining({ code: 'usage' }));
    expect(refuse, address).not.toThrow(secret);
  }
  expect(parseServerAddress('postgres://me@db.example.com/land')).toMatchObject({ port: 5432, tls: {} });
  expect(parseServerAddress('postgres://me@127.0.0.1:5433/land')).toMatchObject({ port: 5433, tls: false });
  expect(parseServerAddress('postgres://me@[::1]/land')).toMatchObject({ host: '::1', tls: false });
  expect(parseServerAddress('postgres:///land?host=/run/postgresql')).toMatchObject({ host: '/run/postgresql' });
});

test('a server that is gone or silent is said to be unreachable', async () => {
  const listener = net.createServer();
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    listener.close();
  });
  const { port } = listener.address() as net.AddressInfo;
  const silent = new ServerConnection(parseServerAddress(`postgres://me@127.0.0.1:${port}/land`), {
    patienceMilliseconds: 200,
  });
  await expect(silent.open()).rejects.toMatchObject({ code: 'postgis_unreachable' });
  const gone = new ServerConnection(parseServerAddress('postgres://me@127.0.0.1:1/land'));
  await expect(gone.open()).rejects.toMatchObject({
    code: 'postgis_unreachable',
    message: expect.stringContaining('land on 127.0.0.1:1'),
  });
});

test.runIf(started)('a database that does not exist, or is in another encoding, is refused by name', async () => {
  const { password, urlOf } = postgis;
  const missing = new ServerConnection(parseServerAddress(urlOf('no_such_database')), { password });
  await expect(missing.open()).rejects.toMatchObject({ code: 'postgis_refused' });
  const server = await connected(urlOf('postgres'), { password });
  await server.run("CREATE DATABASE latin ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0");
  const latin = await connected(urlOf('latin'), { password });
  await expect(push(latin, home())).rejects.toMatchObject({
    code: 'postgis_unfit',
    message: expect.stringContaining('LATIN1'),
  });
});

test.runIf(started)(
  'the password of a connection is that of its line in the file, if others cannot read it',
  async () => {
    const { password, port } = postgis;
    const passwordFile = path.join(emptyHome(), 'pgpass');
    const lines = ['# a comment', `127.0.0.1:${port}:elsewhere:*:wrong`, `*:${port}:*:bench:${password}`];
    fs.writeFileSync(passwordFile, lines.join('\n'), { mode: 0o600 });
    const open = async () => {
      const server = new ServerConnection(parseServerAddress(postgis.urlOf('postgres')), { passwordFile });
      await server.open();
      await server.close();
    };
    await open();
    fs.chmodSync(passwordFile, 0o644);
    await expect(open()).rejects.toMatchObject({
      code: 'postgis_refused',
      message: expect.stringMatching(/PGPASSFILE/),
    });
  },
);

async function withRole(database: string, role: string, grant: string): Promise<ServerConnection> {
  const { password, urlOf } = postgis;
  const owner = new ServerConnection(parseServerAddress(urlOf(database)), { password });
  await owner.open();
  await owner.run(`CREATE ROLE ${role} LOGIN PASSWORD '${password}'; ${grant}`);
  await owner.close();
  return connected(urlOf(database, role), { password });
}

test.runIf(started)('roles: a reader may pull and not push, a writer may push, a stranger neither', async () => {
  const { url, access } = await postgis.newDatabase();
  const database = parseServerAddress(url).database;
  const owner = await connected(url, access);
  const engine = home();
  await push(owner, engine);
  engine.land.file.run("UPDATE parcels SET owner_name = 'OTHER' WHERE property_id = 1");
  const into = () => {
    const empty = openEngine({ home: emptyHome(), keepsIndexes: false });
    onTestFinished(() => empty.close());
    return empty;
  };
  const pull = (server: ServerConnection) => {
    const { land, now } = into();
    return pullCounty(server, land, { fips: fixtureFips, now });
  };
  const stranger = await withRole(database, 'stranger', '');
  await expect(push(stranger, engine)).rejects.toMatchObject({ code: 'postgis_rights' });
  await expect(pull(stranger)).rejects.toMatchObject({ code: 'postgis_rights' });
  const reader = await withRole(database, 'anna', 'GRANT platbook_reader TO anna');
  await expect(push(reader, engine)).rejects.toMatchObject({ code: 'postgis_rights' });
  expect(await owner.rows("SELECT 1 FROM parcels WHERE owner_name = 'OTHER'")).toEqual([]);
  expect((await pull(reader)).datasets).toMatchObject([{ new: 51 }]);
  const writer = await withRole(database, 'ben', 'GRANT platbook_writer TO ben');
  expect((await push(writer, engine)).counties).toMatchObject([{ changed: 1 }]);
  // Tables of an older Platbook: only their owner brings them up to date.
  await owner.run('UPDATE schema_version SET land_version = 1');
  await expect(push(writer, engine)).rejects.toMatchObject({ code: 'postgis_rights' });
  await expect(pull(reader)).rejects.toMatchObject({ code: 'postgis_schema' });
  await owner.run('UPDATE schema_version SET land_version = 999');
  for (const ask of [() => push(writer, engine), () => pull(reader)])
    await expect(ask()).rejects.toMatchObject({ code: 'postgis_schema' });
});

test.runIf(started)('a server without connections left says so', async () => {
  const { url, access } = await postgis.newDatabase();
  const database = parseServerAddress(url).database;
  await withRole(database, 'late', '').then((server) => server.close());
  const owner = await connected(url, access);
  await owner.run(`ALTER DATABASE ${database} CONNECTION LIMIT 0`);
  const late = new ServerConnection(parseServerAddress(postgis.urlOf(database, 'late')), access);
  await expect(late.open()).rejects.toMatchObject({ code: 'postgis_full' });
});

test.runIf(started && canMakeDisk())('a server whose disk is full says so, and the county stays', async () => {
  const disk = smallDisk(4);
  const { uid, gid } = fs.statSync(path.join(postgis.folder, 'postgis', 'data'));
  const folder = path.join(disk.folder, 'space');
  fs.mkdirSync(folder);
  fs.chmodSync(disk.folder, 0o755);
  fs.chownSync(folder, uid, gid);
  const { url, access } = await postgis.newDatabase();
  const server = await connected(url, access);
  const engine = home();
  await push(server, engine);
  await server.run(`CREATE TABLESPACE small LOCATION '${folder}'`);
  onTestFinished(async () => {
    await server.run('DROP SCHEMA platbook CASCADE');
    await server.run('DROP TABLESPACE small');
    disk.remove();
  });
  await server.run('ALTER TABLE parcels_other SET TABLESPACE small');
  putPlainParcels(engine, 80_000);
  await expect(push(server, engine)).rejects.toMatchObject({ code: 'postgis_full' });
  expect(await server.rows('SELECT count(*) AS n FROM parcels')).toEqual([{ n: 51 }]);
});

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

/** A certificate of its own authority, for the server, and its reload. */
async function encrypt(server: ServerConnection, name: string): Promise<string> {
  const data = path.join(postgis.folder, 'postgis', 'data');
  const [key, certificate] = ['server.key', 'server.crt'].map((file) => path.join(data, file)) as [string, string];
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
      ...['-keyout', key, '-out', certificate, '-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`],
    ],
    { stdio: 'ignore' },
  );
  const { uid, gid } = fs.statSync(data);
  for (const file of [key, certificate]) {
    fs.chownSync(file, uid, gid);
    fs.chmodSync(file, 0o600);
  }
  const copy = path.join(emptyHome(), 'root.crt');
  fs.copyFileSync(certificate, copy);
  await server.run('ALTER SYSTEM SET ssl = on');
  await server.rows('SELECT pg_reload_conf()');
  return copy;
}

test.runIf(started && hasOpenssl)('verify-full: only a certificate of the name and authority will do', async () => {
  const { password, urlOf } = postgis;
  const server = await connected(urlOf('postgres'), { password });
  const address = (more: string) =>
    parseServerAddress(`${urlOf('postgres').replace('127.0.0.1', 'localhost')}?sslmode=verify-full${more}`);
  const opened = async (more: string) => {
    const one = new ServerConnection(address(more), { password });
    try {
      await one.open();
      const [row] = await one.rows('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
      return row;
    } finally {
      await one.close();
    }
  };
  await expect(opened('')).rejects.toMatchObject({ code: 'postgis_refused', message: /encryption/ });
  const other = await encrypt(server, 'elsewhere.example.com');
  const until = async (holds: () => Promise<boolean>) => {
    while (!(await holds())) await new Promise((resolve) => setImmediate(resolve));
  };
  // The reload is a signal: it has come once the server offers encryption.
  await until(() =>
    opened('').then(
      () => true,
      ({ message }: Error) => !/offers no encryption:/.test(message),
    ),
  );
  await expect(opened('')).rejects.toMatchObject({ code: 'postgis_refused', message: /certificate/ });
  await expect(opened(`&sslrootcert=${encodeURIComponent(other)}`)).rejects.toMatchObject({
    code: 'postgis_refused',
    message: /certificate/,
  });
  const own = await encrypt(server, 'localhost');
  await until(() =>
    opened(`&sslrootcert=${encodeURIComponent(own)}`).then(
      () => true,
      () => false,
    ),
  );
  expect(await opened(`&sslrootcert=${encodeURIComponent(own)}`)).toEqual({ ssl: true });
});

test.runIf(started)(
  'after twenty wrong connections the password stands in no message, log, file or process list',
  async () => {
    const secret = `s3cret-${'x'.repeat(12)}`;
    const engine = home();
    const url = postgis.urlOf('postgres');
    const told: string[] = [];
    const ask = async (address: string, command = 'push') => {
      const flags = command === 'pull' ? ['--county', '33019'] : [];
      const { code, out, err } = await platbook(engine.home, command, address, ...flags, '--json');
      expect(code).not.toBe(0);
      told.push(out, err);
    };
    process.env.PGPASSWORD = secret;
    onTestFinished(() => {
      delete process.env.PGPASSWORD;
      delete process.env.PGPASSFILE;
    });
    for (let time = 0; time < 8; time++) await ask(url, time % 2 ? 'pull' : 'push');
    for (const address of [url.replace('@', `:${secret}@`), `${url}?password=${secret}`, `${url}?x=${secret}`])
      for (const command of ['push', 'pull']) await ask(address, command);
    delete process.env.PGPASSWORD;
    const passFile = path.join(emptyHome(), 'pgpass');
    fs.writeFileSync(passFile, `*:*:*:*:${secret}\n`, { mode: 0o600 });
    process.env.PGPASSFILE = passFile;
    for (let time = 0; time < 4; time++) await ask(url);
    const processes: string[] = [];
    for (let time = 0; time < 2; time++) {
      const { child, finished } = platbookRunning(engine.home, 'push', url);
      processes.push(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }));
      const { code, out, err } = await finished;
      expect([child.exitCode, code]).toEqual([1, 1]);
      told.push(out, err);
    }
    expect(told).toHaveLength(40);
    expect(told.filter((text) => text.includes('postgis_refused')).length).toBeGreaterThan(8);
    expect(processes.join('\n')).toContain(url);
    const files = fs
      .readdirSync(engine.home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => fs.readFileSync(path.join(entry.parentPath, entry.name), 'latin1'));
    const log = fs.readFileSync(path.join(postgis.folder, 'postgis', 'log'), 'utf8');
    expect(log).toMatch(/password authentication failed/);
    for (const text of [...told, ...processes, ...files, log]) expect(text.includes(secret)).toBe(false);
  },
);
