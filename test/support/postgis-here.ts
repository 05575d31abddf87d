/**
 * `npm run postgis -- FOLDER`: Debian's PostgreSQL with PostGIS on loopback, its data in FOLDER, until Ctrl+C. The tests
 * start theirs by the same functions.
 */
import fs from 'node:fs';
import path from 'node:path';
import { ServerConnection } from '../../engine/postgis/connect.ts';
import { parseServerAddress } from '../../engine/postgis/server-address.ts';
import {
  clusterAddress,
  clusterFolder,
  createCluster,
  missingPostgis,
  startCluster,
} from '../bench/engines/postgis-cluster.ts';

const [given] = process.argv.slice(2);
const missing = missingPostgis();
if (given === undefined || missing !== null) {
  console.error(missing === null ? 'Usage: npm run postgis -- FOLDER' : `Missing: ${missing}`);
  process.exit(2);
}
const folder = path.resolve(given);
fs.mkdirSync(folder, { recursive: true });
if (!fs.existsSync(clusterFolder(folder))) createCluster(folder, { isKept: true });
const { stop } = await startCluster(folder);
const { port, password } = clusterAddress(folder);
const addressOf = (database: string) => `postgres://bench@127.0.0.1:${port}/${database}`;

const server = new ServerConnection(parseServerAddress(addressOf('postgres')), { password });
await server.open();
const [land] = await server.rows("SELECT 1 FROM pg_database WHERE datname = 'land'");
if (!land) await server.run('CREATE DATABASE land');
await server.close();
const passwordFile = path.join(folder, 'pgpass');
fs.writeFileSync(passwordFile, `127.0.0.1:*:*:bench:${password}\n`, { mode: 0o600 });

console.log(`PGPASSFILE=${passwordFile} platbook push ${addressOf('land')}`);
console.log('Ctrl+C stops the server; its data stays.');
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    stop();
    process.exit(0);
  });
// The server is another process: nothing else keeps this one.
setInterval(() => {}, 2 ** 30);
