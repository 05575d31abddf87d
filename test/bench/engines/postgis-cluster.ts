/**
 * A PostgreSQL cluster for the bench: on loopback, in a folder of its own, never as root, and always stopped with the
 * bench.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

/** Debian keeps its programs out of PATH, by version. */
const programFolders = '/usr/lib/postgresql';

function findPrograms(): string | null {
  if (!fs.existsSync(programFolders)) return null;
  const [newest] = fs.readdirSync(programFolders).sort((a, b) => Number(b) - Number(a));
  const folder = newest === undefined ? null : path.join(programFolders, newest, 'bin');
  return folder && fs.existsSync(path.join(folder, 'initdb')) ? folder : null;
}

function hasPostgis(programs: string): boolean {
  const share = execFileSync(path.join(programs, 'pg_config'), ['--sharedir'], { encoding: 'utf8' }).trim();
  return ['postgis', 'pg_trgm'].every((name) => fs.existsSync(path.join(share, 'extension', `${name}.control`)));
}

const isRoot = (): boolean => process.getuid?.() === 0;
const howToGet = 'apt install postgresql postgresql-postgis';

export function missingPostgis(): string | null {
  const programs = findPrograms();
  if (!programs) return `PostgreSQL: ${howToGet}`;
  if (!hasPostgis(programs)) return `PostGIS and pg_trgm of the newest PostgreSQL here: ${howToGet}`;
  if (!isRoot()) return null;
  const canBecome = spawnSync('runuser', ['-u', 'postgres', '--', 'true']).status === 0;
  return canBecome ? null : `the user postgres, whom the server runs as (it refuses root): ${howToGet}`;
}

/** Runs a program of PostgreSQL's as a user who is not root. */
function run(program: string, args: readonly string[]): void {
  const file = path.join(findPrograms() ?? '', program);
  const [command, given] = isRoot() ? ['runuser', ['-u', 'postgres', '--', file, ...args]] : [file, args];
  // The server would inherit a pipe and keep it open, so its own words go to its log.
  const { status } = spawnSync(command, given as string[], { stdio: 'ignore', cwd: os.tmpdir() });
  if (status !== 0) throw new Error(`${program} ended with code ${status}`);
}

/** Settings that a user with a county's worth of data and this machine would have. */
const settings = (memoryMegabytes: number): readonly string[] => [
  "listen_addresses = '127.0.0.1'",
  'max_connections = 10',
  `shared_buffers = ${Math.min(4096, Math.floor(memoryMegabytes / 4))}MB`,
  `effective_cache_size = ${Math.floor(memoryMegabytes / 2)}MB`,
  'work_mem = 128MB',
  'maintenance_work_mem = 1GB',
  'random_page_cost = 1.1',
  'max_parallel_workers_per_gather = 2',
  'jit = off',
  'wal_level = minimal',
  'max_wal_senders = 0',
  'max_wal_size = 8GB',
  'logging_collector = off',
];

/** For clusters that are thrown away. */
const unkept = ['fsync = off', 'synchronous_commit = off', 'full_page_writes = off', 'autovacuum = off'];

/** The cluster's folder; PostgreSQL's user must be able to reach it. */
export const clusterFolder = (folder: string): string => path.join(folder, 'postgis');
const dataFolder = (folder: string): string => path.join(clusterFolder(folder), 'data');
const secretFile = (folder: string): string => path.join(folder, 'postgis-password');

/** Others may walk through the bench's folder to the cluster's, and see nothing on the way. */
function openTheWay(folder: string): void {
  fs.chmodSync(folder, 0o711);
  if (spawnSync('runuser', ['-u', 'postgres', '--', 'test', '-x', folder]).status === 0) return;
  throw new RangeError(
    `The user postgres cannot reach ${folder}: keep the bench's data where others may pass (chmod o+x), or pass --without postgis.`,
  );
}

/** A new, empty cluster in `folder`, not started. @param isKept whether its data must survive a power cut */
export function createCluster(folder: string, { isKept = false } = {}): void {
  fs.rmSync(clusterFolder(folder), { recursive: true, force: true });
  fs.mkdirSync(clusterFolder(folder), { mode: 0o700 });
  const password = randomBytes(18).toString('base64url');
  fs.writeFileSync(secretFile(folder), password, { mode: 0o600 });
  const given = path.join(clusterFolder(folder), 'password');
  fs.writeFileSync(given, password, { mode: 0o600 });
  if (isRoot()) {
    openTheWay(folder);
    execFileSync('chown', ['-R', 'postgres', clusterFolder(folder)]);
  }
  const options = ['-U', 'bench', '-A', 'scram-sha-256', '--pwfile', given, '-E', 'UTF8', '--locale', 'C.UTF-8', '-N'];
  run('initdb', ['-D', dataFolder(folder), ...options]);
  fs.rmSync(given);
  const memory = os.totalmem() / 2 ** 20;
  fs.appendFileSync(
    path.join(dataFolder(folder), 'postgresql.conf'),
    `\n${[...settings(memory), ...(isKept ? [] : unkept)].join('\n')}\n`,
  );
}

async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const pidFile = (folder: string): string => path.join(dataFolder(folder), 'postmaster.pid');

const pidLines = (folder: string): string[] => fs.readFileSync(pidFile(folder), 'utf8').split('\n');

/** Process number of the running server; null when none runs. */
export const serverPid = (folder: string): number | null =>
  fs.existsSync(pidFile(folder)) ? Number(pidLines(folder)[0]) : null;

/** Where the running server listens, and the word that opens it to its user `bench`. */
export const clusterAddress = (folder: string): { port: number; password: string } => ({
  port: Number(pidLines(folder)[3]),
  password: fs.readFileSync(secretFile(folder), 'utf8'),
});

/** Stops with this process at the latest, unless it is killed outright. */
export async function startCluster(folder: string): Promise<{ stop(): void }> {
  const data = dataFolder(folder);
  const log = path.join(clusterFolder(folder), 'log');
  const options = `-p ${await freePort()} -k ${clusterFolder(folder)}`;
  if (isRoot()) openTheWay(folder);
  run('pg_ctl', ['start', '-w', '-D', data, '-l', log, '-o', options]);
  const stop = () => {
    process.off('exit', stop);
    if (serverPid(folder) !== null) run('pg_ctl', ['stop', '-w', '-m', 'fast', '-D', data]);
  };
  process.on('exit', stop);
  return { stop };
}
