/** PostGIS over loopback: a GiST index on the geometry, a trigram index on the names, B-trees on what filters ask for. */
import fs from 'node:fs';
import path from 'node:path';
import type { ColumnType } from '../../../engine/spec/parcel-columns.ts';
import type { BenchEngine, Cell } from './engine.ts';
import { installCommand, isInstalled, requirePackage } from './peer-packages.ts';
import { peerColumns, writePeerRows } from './peer-rows.ts';
import { type Dialect, likePart, type Statement, statementsOf } from './peer-sql.ts';
import { clusterAddress, createCluster, missingPostgis, serverPid, startCluster } from './postgis-cluster.ts';

/** What the bench uses of pg. */
interface Pg {
  readonly Client: new (options: Record<string, unknown>) => Client;
  readonly types: { setTypeParser(oid: number, parse: (text: string) => unknown): void };
}
interface Client {
  connect(): Promise<void>;
  query(query: string | { text: string; values?: unknown[]; rowMode?: 'array' }): Promise<{ rows: unknown[] }>;
  end(): Promise<void>;
  on(event: 'error', listener: () => void): void;
}

const types: Readonly<Record<ColumnType | 'geometry', string>> = {
  id: 'integer',
  integer: 'integer',
  money: 'bigint',
  number: 'double precision',
  percent: 'double precision',
  text: 'text',
  date: 'date',
  boolean: 'boolean',
  point: 'text',
  shape: 'text',
  percents: 'text',
  geometry: 'geometry(Geometry, 4326)',
};

const indexes = [
  'ALTER TABLE parcels ADD PRIMARY KEY (property_id)',
  'CREATE INDEX ON parcels USING gist (geom)',
  'CREATE INDEX ON parcels USING gin (owner_name gin_trgm_ops)',
  // In page order, and with the columns that filters use beside the acres: a count then reads only the index.
  'CREATE INDEX ON parcels (fips, effective_acres DESC NULLS LAST, property_id) INCLUDE (structure_count, market_total_value)',
  'CREATE INDEX ON parcels (fips, situs_zip, effective_acres) INCLUDE (market_total_value)',
  'CREATE INDEX ON parcels (fips, market_total_value)',
  'CREATE INDEX ON parcels (fips, flood_zone_percent)',
  'VACUUM (ANALYZE) parcels',
];

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

const dialect: Dialect = {
  placeholder: (position) => `$${position}`,
  oneOf: (column, values, bind) => `${column} = ANY(${bind(values)})`,
  withoutWords: (column, words, bind) =>
    `(${column} ~* ${bind(`\\m(${words.map(escaped).join('|')})\\M`)}) IS NOT TRUE`,
  withTokens: (column, tokens, bind) => tokens.map((token) => `${column} ILIKE ${bind(likePart(token))}`).join(' AND '),
  intersects: ({ wkt }, bind) => {
    const area = `ST_GeomFromText(${bind(wkt)}, 4326)`;
    return `geom && ${area} AND ST_Intersects(geom, ${area})`;
  },
};

async function connect(folder: string): Promise<Client> {
  const { Client, types: parsers } = requirePackage<Pg>('pg');
  // int8: every count of the bench fits a double.
  parsers.setTypeParser(20, Number);
  const { port, password } = clusterAddress(folder);
  const client = new Client({ host: '127.0.0.1', port, user: 'bench', password, database: 'postgres' });
  // A running query reports its own failure; an idle connection cut at the end has no listener.
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** Memory of the server and its children, shared pages counted once; excludes the calling process. */
function serverMemory(folder: string): number {
  const server = serverPid(folder);
  if (server === null) return 0;
  const children = fs
    .readFileSync(`/proc/${server}/task/${server}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter((pid) => pid !== '');
  const bytes = [String(server), ...children].map((pid) => {
    const found = /^Pss:\s+(\d+) kB/m.exec(fs.readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'));
    return Number(found?.[1] ?? 0) * 1024;
  });
  return bytes.reduce((sum, size) => sum + size, 0);
}

export const postgis: BenchEngine = {
  name: 'PostGIS',
  missing: () => missingPostgis() ?? (isInstalled('pg') ? null : `the npm package pg: ${installCommand}`),
  cannot: {},
  start: (folder, isNew) => {
    if (isNew) createCluster(folder);
    return startCluster(folder);
  },
  load: async (landFile, folder) => {
    const csvFile = path.join(folder, 'postgis.csv');
    writePeerRows(landFile, csvFile);
    const began = performance.now();
    const client = await connect(folder);
    try {
      await client.query('CREATE EXTENSION postgis; CREATE EXTENSION pg_trgm');
      const columns = peerColumns.map(({ name, type }) => `${name} ${types[type]}`).join(', ');
      await client.query(`BEGIN; CREATE TABLE parcels (${columns});
        COPY parcels FROM '${csvFile.replaceAll("'", "''")}' (FORMAT csv); COMMIT`);
      for (const statement of indexes) await client.query(statement);
      await client.query('CHECKPOINT');
      const { rows } = await client.query("SELECT pg_database_size('postgres') AS bytes");
      const [{ bytes } = { bytes: 0 }] = rows as { bytes: number }[];
      return { seconds: (performance.now() - began) / 1000, bytes };
    } finally {
      await client.end();
      fs.rmSync(csvFile);
    }
  },
  open: async (folder) => {
    const client = await connect(folder);
    // Not prepared: each is planned for its own values, as it should be for ranges of such different reach.
    const rowsOf = async ({ sql, values }: Statement) =>
      (await client.query({ text: sql, values: [...values], rowMode: 'array' })).rows as Cell[][];
    const versionSql = "SELECT split_part(version(), ' ', 2) || ', PostGIS ' || postgis_lib_version()";
    return {
      version: async () => String((await rowsOf({ sql: versionSql, values: [] }))[0]?.[0]),
      ask: async (question) => {
        const { count, page } = statementsOf(question, dialect);
        const [[matches = 0] = []] = await rowsOf(count);
        const rows = await rowsOf(page);
        return () => ({ count: Number(matches), rows });
      },
      residentMemory: () => serverMemory(folder),
      close: () => client.end(),
    };
  },
  files: () => 'a server that runs already has no first query of a new process',
};
