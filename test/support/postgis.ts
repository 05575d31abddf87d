/**
 * PostGIS for tests: Debian's PostgreSQL in a folder of its own, on loopback, else PGlite in this process. Each test has
 * a database or a start of its own. The kind that ran is said once.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { type ServerAccess, ServerConnection } from '../../engine/postgis/connect.ts';
import { parseServerAddress, type ServerAddress } from '../../engine/postgis/server-address.ts';
import { schemaName } from '../../engine/postgis/server-schema.ts';
import { clusterAddress, createCluster, missingPostgis, startCluster } from '../bench/engines/postgis-cluster.ts';
import { noteSkip } from './require.ts';

export interface TestServer {
  readonly kind: 'PostgreSQL of Debian' | 'PGlite';
  /** An address of an empty database, and how to get in. */
  newDatabase(): Promise<{ readonly url: string; readonly access: ServerAccess }>;
  stop(): Promise<void>;
}

/** The cluster's own user, whom everything is permitted. */
export const superuser = 'bench';

/**
 * For a whole test file, which must `stop` it. With PLATBOOK_REQUIRE=all only Debian's will do; with PLATBOOK_PGLITE=1
 * PGlite runs beside it, too.
 * @param needs 'server': tests that need several connections, roles or processes; null where there is none
 */
export async function startPostgis(name: string, needs: 'any' | 'server' = 'any'): Promise<TestServer | null> {
  const missing = process.env.PLATBOOK_PGLITE ? 'PGlite is wanted (PLATBOOK_PGLITE)' : missingPostgis();
  if (missing === null) return startDebian();
  if (process.env.PLATBOOK_REQUIRE === 'all')
    throw new Error(`${name} needs PostGIS (PLATBOOK_REQUIRE=all): ${missing}`);
  noteSkip(name, needs === 'any' ? `PGlite runs: ${missing}` : missing);
  return needs === 'any' ? startInProcess() : null;
}

async function startDebian(): Promise<TestServer & ServerProcess> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-postgis-'));
  createCluster(folder);
  const { stop } = await startCluster(folder);
  const { port, password } = clusterAddress(folder);
  const access = { password };
  let made = 0;
  const urlOf = (database: string, user = superuser) => `postgres://${user}@127.0.0.1:${port}/${database}`;
  return {
    kind: 'PostgreSQL of Debian',
    folder,
    password,
    port,
    urlOf,
    newDatabase: async () => {
      const database = `land_${++made}`;
      const server = new ServerConnection(parseServerAddress(urlOf('postgres')), access);
      await server.open();
      await server.run(`CREATE DATABASE ${database}`);
      await server.close();
      return { url: urlOf(database), access };
    },
    stop: async () => {
      stop();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What only a server of its own process has. */
export interface ServerProcess {
  readonly folder: string;
  readonly port: number;
  readonly password: string;
  urlOf(database: string, user?: string): string;
}

/** As `startPostgis`; null where Debian's is missing. */
export const startServer = async (name: string): Promise<(TestServer & ServerProcess) | null> =>
  (await startPostgis(name, 'server')) as (TestServer & ServerProcess) | null;

async function startInProcess(): Promise<TestServer> {
  // Loaded only here: WebAssembly of 45 MB.
  const { startPglite, pgliteStream } = await import('./pglite-stream.ts');
  const database = await startPglite();
  return {
    kind: 'PGlite',
    // One instance takes a gigabyte and half a minute: its tables make way instead.
    newDatabase: async () => {
      await database.exec(`ROLLBACK; DROP SCHEMA IF EXISTS ${schemaName} CASCADE`);
      return {
        url: 'postgres://postgres@127.0.0.1/postgres',
        access: { stream: () => pgliteStream(database) },
      };
    },
    stop: () => database.close(),
  };
}

/** A connection, closed with the test. */
export async function connected(address: ServerAddress | string, access: ServerAccess): Promise<ServerConnection> {
  const server = new ServerConnection(typeof address === 'string' ? parseServerAddress(address) : address, access);
  onTestFinished(() => server.close());
  await server.open();
  return server;
}
