/** Makes and migrates the tables, and checks them before every use. */
import { EngineError } from '../spec/errors.ts';
import type { ServerConnection } from './connect.ts';
import { countOlderCounties } from './county-counts.ts';
import { orderOlderParts } from './order-parts.ts';
import { columnDefinition, landVersion, parcelServerColumns } from './server-columns.ts';
import { orderedSince, roles, schemaName, serverMigrations, serverVersion } from './server-schema.ts';

/** PostgreSQL 13 knows `xid8` and incremental sorts; PostGIS 3 is what Debian and every host has had since. */
const leastVersion = { postgres: 13, postgis: 3 };

const extensions = ['postgis', 'pg_trgm'] as const;

type Found = {
  readonly version: number;
  readonly encoding: string;
  readonly postgis: string | null;
  readonly trigrams: string | null;
};

const unfit = (sentence: string): EngineError => new EngineError('postgis_unfit', sentence);

/** @throws EngineError postgis_unfit */
async function checkServer(server: ServerConnection): Promise<Found> {
  const [found] = await server.rows<Found>(
    `SELECT current_setting('server_version_num')::int / 10000 AS version, current_setting('server_encoding') AS encoding,
       (SELECT extversion FROM pg_extension WHERE extname = 'postgis') AS postgis,
       (SELECT extversion FROM pg_extension WHERE extname = 'pg_trgm') AS trigrams`,
  );
  if (!found) throw unfit('The database server does not say its version.');
  if (found.version < leastVersion.postgres)
    throw unfit(`Expected PostgreSQL ${leastVersion.postgres} or newer, found ${found.version}.`);
  if (found.encoding !== 'UTF8') throw unfit(`Expected a database in UTF8, found one in ${found.encoding}.`);
  if (found.postgis !== null && Number.parseInt(found.postgis, 10) < leastVersion.postgis)
    throw unfit(`Expected PostGIS ${leastVersion.postgis} or newer, found ${found.postgis}.`);
  return found;
}

interface Standing {
  readonly version: number | null;
  readonly land_version: number | null;
  readonly platbook: string | null;
}

async function standingOf(server: ServerConnection): Promise<Standing> {
  const [there] = await server.rows<{ name: string | null }>(
    `SELECT to_regclass('${schemaName}.schema_version')::text AS name`,
  );
  if (!there?.name) return { version: null, land_version: null, platbook: null };
  const [row] = await server.rows<{ version: number; land_version: number; platbook: string }>(
    'SELECT version, land_version, platbook FROM schema_version ORDER BY version DESC LIMIT 1',
  );
  return row ?? { version: null, land_version: null, platbook: null };
}

const schemaError = (sentence: string): EngineError => new EngineError('postgis_schema', sentence);

function expectNoFuture({ version, land_version: land, platbook }: Standing): void {
  if ((version ?? 0) <= serverVersion && (land ?? 0) <= landVersion) return;
  throw schemaError(`The tables on the server were made by a newer Platbook (${platbook}). Use that one or a later.`);
}

/** Another program can have changed a column; another collation would sort and compare otherwise. */
async function expectColumns(server: ServerConnection): Promise<void> {
  const found = await server.rows<{ name: string; collation: string | null }>(
    `SELECT column_name AS name, collation_name AS collation FROM information_schema.columns
     WHERE table_schema = '${schemaName}' AND table_name = 'parcels'`,
  );
  const collations = new Map(found.map(({ name, collation }) => [name, collation]));
  const lacking = parcelServerColumns.filter(({ name }) => !collations.has(name)).map(({ name }) => name);
  if (lacking.length > 0) throw schemaError(`The table parcels on the server lacks ${lacking.join(', ')}.`);
  const other = parcelServerColumns.find(({ name, type }) => type === 'text' && collations.get(name) !== 'C');
  if (other)
    throw schemaError(
      `The column ${other.name} on the server has the collation ${collations.get(other.name) ?? 'of its database'}, not "C": it would sort otherwise than Platbook.`,
    );
}

/** For readers: nothing is made. @throws EngineError postgis_unfit, postgis_schema */
export async function expectSchema(server: ServerConnection): Promise<void> {
  const found = await checkServer(server);
  const missing = found.postgis === null ? 'postgis' : found.trigrams === null ? 'pg_trgm' : null;
  if (missing) throw unfit(`Expected the extension ${missing} in the database.`);
  const standing = await standingOf(server);
  if (standing.version === null)
    throw schemaError(`The database ${server.address.words} holds no land of Platbook; "platbook push" puts it there.`);
  expectNoFuture(standing);
  if (standing.version < serverVersion || (standing.land_version ?? 0) < landVersion)
    throw schemaError(
      'The tables on the server are of an older Platbook; a push by their owner brings them up to date.',
    );
  await expectColumns(server);
}

interface County {
  readonly fips: string;
  readonly state: string;
  readonly name: string;
  readonly superseded_by: string | null;
}

interface MigrationOptions {
  /** All counties that the home knows. */
  readonly counties: readonly County[];
  /** Version of this program. */
  readonly platbook: string;
}

/** One number for all that change the tables; the letters PLBM. */
const migrationLock = 0x504c424d;

/**
 * Makes or updates the tables where the role owns them.
 * @returns sentences about what an administrator still has to do
 * @throws EngineError postgis_unfit, postgis_rights, postgis_schema
 */
export async function migrateServer(server: ServerConnection, options: MigrationOptions): Promise<string[]> {
  const found = await checkServer(server);
  const standing = await standingOf(server);
  expectNoFuture(standing);
  if (standing.version === serverVersion && standing.land_version === landVersion) {
    await expectSchema(server);
    return [];
  }
  return server.transaction(async () => {
    await server.rows('SELECT pg_advisory_xact_lock($1)', [migrationLock]);
    for (const name of extensions)
      await addExtension(server, name, name === 'postgis' ? found.postgis : found.trigrams);
    await server.run(`CREATE SCHEMA IF NOT EXISTS ${schemaName}`);
    // Another program may have made them while this one waited for the lock.
    const { version } = await standingOf(server);
    const states = [...new Set(options.counties.map(({ fips }) => fips.slice(0, 2)))]
      .filter((state) => /^[0-7]\d$/.test(state))
      .sort();
    for (const statements of serverMigrations(states).slice(version ?? 0))
      for (const statement of statements) await server.run(statement);
    await addLaterColumns(server);
    if (version !== null && version < orderedSince) await orderOlderParts(server);
    await countOlderCounties(server);
    await seedCounties(server, options.counties);
    await server.rows(
      `INSERT INTO schema_version (version, land_version, platbook) VALUES ($1, $2, $3)
       ON CONFLICT (version) DO UPDATE SET land_version = excluded.land_version, platbook = excluded.platbook, applied_at = now()`,
      [serverVersion, landVersion, options.platbook],
    );
    return grantRoles(server);
  });
}

async function addExtension(server: ServerConnection, name: string, standing: string | null): Promise<void> {
  if (standing !== null) return;
  try {
    await server.run(`CREATE EXTENSION IF NOT EXISTS ${name}`);
  } catch (error) {
    const why =
      error instanceof EngineError && error.code === 'postgis_rights'
        ? 'this role may not make it'
        : 'the server does not have it';
    throw unfit(
      `Expected the extension ${name} in the database, and ${why}: an administrator installs it and runs CREATE EXTENSION ${name}.`,
    );
  }
}

async function addLaterColumns(server: ServerConnection): Promise<void> {
  for (const column of parcelServerColumns)
    await server.run(
      `ALTER TABLE parcels ADD COLUMN IF NOT EXISTS ${columnDefinition({ ...column, isRequired: false })}`,
    );
}

async function seedCounties(server: ServerConnection, counties: readonly County[]): Promise<void> {
  const columns = ['fips', 'state', 'name', 'superseded_by'] as const;
  await server.rows(
    `INSERT INTO counties (${columns.join(', ')}) SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[])
     ON CONFLICT (fips) DO UPDATE SET state = excluded.state, name = excluded.name, superseded_by = excluded.superseded_by`,
    columns.map((name) => counties.map((county) => county[name])),
  );
}

/** Roles belong to the whole server, and only some owners may make them. */
async function grantRoles(server: ServerConnection): Promise<string[]> {
  const names = Object.values(roles);
  const [may] = await server.rows<{ may: boolean }>(
    'SELECT rolsuper OR rolcreaterole AS may FROM pg_roles WHERE rolname = current_user',
  );
  const standing = await server.rows<{ name: string }>('SELECT rolname AS name FROM pg_roles WHERE rolname = ANY($1)', [
    names,
  ]);
  const missing = names.filter((name) => !standing.some((row) => row.name === name));
  if (missing.length > 0 && !may?.may)
    return [
      `The roles ${missing.join(' and ')} are missing, and this role may not make them: an administrator runs ${missing.map((name) => `CREATE ROLE ${name}`).join('; ')}, and the owner pushes again.`,
    ];
  for (const name of missing) await server.run(`CREATE ROLE ${name} NOLOGIN`);
  await server.run(`GRANT USAGE ON SCHEMA ${schemaName} TO ${names.join(', ')};
    GRANT SELECT ON ALL TABLES IN SCHEMA ${schemaName} TO ${names.join(', ')};
    GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schemaName} TO ${roles.writer};
    REVOKE INSERT, UPDATE, DELETE ON ${schemaName}.schema_version FROM ${roles.writer}`);
  return [];
}
