/**
 * One county of a home into PostgreSQL: only what differs travels, in one transaction, and is checked there by the hashes
 * of its rows before the commit.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { EngineError } from '../spec/errors.ts';
import { foldSpaces } from '../spec/text-fold.ts';
import { type DatasetRow, datasetFacts, replaceFactsSql } from '../store/dataset-row.ts';
import type { LandStore } from '../store/land-store.ts';
import { linkFromBeyond } from './comp-links.ts';
import type { ServerConnection } from './connect.ts';
import { countPush } from './county-counts.ts';
import { pushIndex, trustedDirectory } from './county-index.ts';
import { encodeCounty, isWrongSql, sentRowsSql } from './home-county.ts';
import { registryOfCounty } from './home-registry.ts';
import { type IdBlock, type MatchedRegistry, matchRegistry, type RegistryRow } from './match-registry.ts';
import { pushBeside } from './push-beside.ts';
import { pushComps } from './push-comps.ts';
import { parcelServerColumns, rawColumns, registryColumns } from './server-columns.ts';
import { pushSetting } from './server-schema.ts';
import { Spool } from './spool.ts';

export interface CountyPush {
  readonly fips: string;
  /** Parcels of the county on the server, of all its datasets. */
  readonly parcels: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly unchanged: number;
  /** Of those changed and removed: rows that another program had written since they were sent. */
  readonly mended: number;
  readonly comps: number;
  /** Comps that were written or removed. */
  readonly comps_changed: number;
  /** Comps on parcels of other counties that are not on the server. */
  readonly comps_without_parcel: number;
  /** Parcels whose number on the server is not the one in this home. */
  readonly renumbered: number;
  /** Datasets of the county on the server that this home does not have; they stay. */
  readonly kept_datasets: number;
  readonly is_changed: boolean;
}

interface PushCountyOptions {
  readonly fips: string;
  readonly renumber: boolean;
  /** Computes the hash of every row on the server, also where no trigger noted another program's writes. */
  readonly verify: boolean;
  /** Numbers of datasets that this push has given to counties. */
  readonly taken: Set<number>;
  /** Once those before it are committed: a county links its comps on their parcels, and theirs on its own. */
  readonly before: Promise<unknown>;
  readonly onPhase?: (phase: string) => void;
}

/** The letters PLBC; beside it stands the county. */
export const countyLock = 0x504c4243;

/** A connection whose program was killed may hold it for a moment. @throws EngineError postgis_busy after ten seconds */
async function lockCounty(server: ServerConnection, fips: string): Promise<void> {
  await server.run("SET lock_timeout = '10s'");
  try {
    await server.rows('SELECT pg_advisory_lock($1, $2)', [countyLock, Number(fips)]);
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'postgis_busy') throw error;
    throw new EngineError(
      'postgis_busy',
      `Another program is pushing ${fips}; nothing was changed. Try again after it.`,
    );
  }
}

/** @throws EngineError push_refused, postgis_busy, postgis_…; the county is then as it was */
export async function pushCounty(
  server: ServerConnection,
  land: LandStore,
  options: PushCountyOptions,
): Promise<CountyPush> {
  const { fips } = options;
  await lockCounty(server, fips);
  // One state of the home, whatever is imported meanwhile.
  land.file.exec('BEGIN');
  try {
    const registry = await reserveIds(server, land, options);
    return await server.transaction(() => writeCounty(server, land, registry, options));
  } finally {
    land.file.exec('COMMIT');
    await server.rows('SELECT pg_advisory_unlock($1, $2)', [countyLock, Number(fips)]).catch(() => {});
  }
}

const datasetSql = `SELECT dataset_id, jurisdiction, ${datasetFacts.join(', ')} FROM datasets WHERE fips`;

/** In a transaction of its own: what is reserved stays the county's, and no other push waits for the rows. */
function reserveIds(
  server: ServerConnection,
  land: LandStore,
  { fips, renumber }: PushCountyOptions,
): Promise<MatchedRegistry> {
  return server.transaction(async () => {
    await server.run('LOCK TABLE id_blocks IN SHARE ROW EXCLUSIVE MODE');
    const matched = matchRegistry({
      ...{ fips, renumber },
      home: await registryOfCounty(server, land.file, fips),
      server: await server.rows<RegistryRow & Record<string, unknown>>(
        'SELECT property_id, jurisdiction, apn, sequence, geometry_hash FROM parcel_registry WHERE fips = $1',
        [fips],
      ),
      blocks: await server.rows<IdBlock & Record<string, unknown>>('SELECT first_id, last_id, fips FROM id_blocks'),
    });
    await writeBlocks(server, fips, matched.blocks);
    return matched;
  });
}

async function writeBlocks(server: ServerConnection, fips: string, blocks: readonly IdBlock[]): Promise<void> {
  const standing = await server.rows<{ first_id: number; last_id: number }>(
    'SELECT first_id, last_id FROM id_blocks WHERE fips = $1 ORDER BY first_id',
    [fips],
  );
  const isSame =
    standing.length === blocks.length &&
    standing.every(
      ({ first_id: first, last_id: last }, index) =>
        first === blocks[index]?.first_id && last === blocks[index]?.last_id,
    );
  if (isSame) return;
  await server.rows('DELETE FROM id_blocks WHERE fips = $1', [fips]);
  await server.rows(
    'INSERT INTO id_blocks (first_id, last_id, fips) SELECT *, $3 FROM unnest($1::bigint[], $2::bigint[])',
    [blocks.map(({ first_id: first }) => first), blocks.map(({ last_id: last }) => last), fips],
  );
}

/** For the transaction of a push. */
const settings = [
  // The rows are encoded between two statements.
  ['idle_in_transaction_session_timeout', 0],
  ['statement_timeout', 0],
  // The index of names takes many rows at once in less time.
  ['gin_pending_list_limit', "'64MB'"],
  // A push keeps the index itself (county-index.ts).
  [pushSetting, 'on'],
  // Without statistics of the new rows, the check of their hashes would be planned for one process.
  ['parallel_setup_cost', 0],
  ['min_parallel_table_scan_size', 0],
  ['min_parallel_index_scan_size', 0],
] as const;

async function writeCounty(
  server: ServerConnection,
  land: LandStore,
  registry: MatchedRegistry,
  { fips, verify, taken, before, onPhase = () => {} }: PushCountyOptions,
): Promise<CountyPush> {
  await server.run(settings.map(([name, value]) => `SET LOCAL ${name} = ${value}`).join('; '));
  const trusted = await trustedDirectory(server, fips);
  const datasets = await pushDatasets(server, land, fips, taken);
  const parcels = await pushParcels(server, land, fips, {
    ...{ registry, datasets, onPhase },
    isDoubted: verify || trusted === null,
  });
  await redraw(server, fips, registry);
  const { added, changed, removed } = parcels;
  await pushIndex(server, land.file, {
    ...{ fips, isChanged: added + changed + removed > 0, trusted },
    isRenumbered: registry.identities.size > 0,
  });
  await before;
  onPhase('comps');
  const comps = await pushComps(server, land.file, fips, registry.identities);
  const linked = await linkFromBeyond(server, land.file, fips, registry.identities);
  const isBesideChanged = await pushBeside(server, land.file, fips);
  const isChanged =
    added + changed + removed + comps.changed + linked + registry.added.length + registry.redrawn.length > 0 ||
    datasets.isChanged ||
    isBesideChanged;
  if (isChanged) await countPush(server, fips);
  const { n: total } = (
    await server.rows<{ n: number }>('SELECT parcels AS n FROM pushed_counties WHERE fips = $1', [fips])
  )[0] ?? { n: 0 };
  return {
    fips,
    parcels: total,
    ...parcels,
    comps: comps.count,
    comps_changed: comps.changed,
    comps_without_parcel: comps.lost,
    renumbered: registry.renumbered,
    kept_datasets: datasets.kept,
    is_changed: isChanged,
  };
}

interface PushedDatasets {
  /** By the id in the home. */
  readonly ids: ReadonlyMap<number, number>;
  readonly kept: number;
  readonly isChanged: boolean;
}

/** A dataset keeps its number on the server; a new one keeps that of the home, if it is free. */
async function pushDatasets(
  server: ServerConnection,
  land: LandStore,
  fips: string,
  taken: Set<number>,
): Promise<PushedDatasets> {
  const standing = await server.rows<DatasetRow & Record<string, unknown>>(`${datasetSql} = $1`, [fips]);
  const home = land.file.all<DatasetRow>(`${datasetSql} = ?`, fips);
  for (const { id } of await server.rows<{ id: number }>('SELECT dataset_id AS id FROM datasets')) taken.add(id);
  const ids = new Map<number, number>();
  let isChanged = false;
  for (const row of home) {
    const same = standing.find(({ jurisdiction }) => foldSpaces(jurisdiction) === foldSpaces(row.jurisdiction));
    const id = same?.dataset_id ?? (taken.has(row.dataset_id) ? Math.max(0, ...taken) + 1 : row.dataset_id);
    taken.add(id);
    ids.set(row.dataset_id, id);
    if (same && datasetFacts.every((name) => same[name] === row[name])) continue;
    isChanged = true;
    await server.rows(
      `INSERT INTO datasets (fips, dataset_id, jurisdiction, ${datasetFacts.join(', ')}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT (fips, dataset_id) ${replaceFactsSql}`,
      [fips, id, same?.jurisdiction ?? row.jurisdiction, ...datasetFacts.map((name) => row[name])],
    );
  }
  const own = new Set(ids.values());
  return { ids, kept: standing.filter(({ dataset_id: id }) => !own.has(id)).length, isChanged };
}

interface PushParcels {
  readonly registry: MatchedRegistry;
  readonly datasets: PushedDatasets;
  /** Whether rows may differ from what was sent while their hash does not. */
  readonly isDoubted: boolean;
  readonly onPhase: (phase: string) => void;
}

/** The server's rows of this home's datasets: other towns of the county stay. */
const ownRows = 'p.fips = $1 AND (p.dataset_id IS NULL OR p.dataset_id = ANY($2))';

/** Each row's id and hash; null: another program wrote it. */
const standingSql = (isDoubted: boolean): string =>
  isDoubted
    ? `SELECT p.property_id, CASE WHEN NOT ${isWrongSql} THEN p.row_hash END FROM ${sentRowsSql} WHERE ${ownRows}`
    : `SELECT p.property_id, p.row_hash FROM parcels p WHERE ${ownRows}`;

async function pushParcels(
  server: ServerConnection,
  land: LandStore,
  fips: string,
  { registry, datasets, isDoubted, onPhase }: PushParcels,
): Promise<Pick<CountyPush, 'added' | 'changed' | 'removed' | 'unchanged' | 'mended'>> {
  const own = [...datasets.ids.values()];
  const found = await server.guard(() =>
    server.client.query<[number, number | null]>({
      text: standingSql(isDoubted),
      values: [fips, own],
      rowMode: 'array',
    }),
  );
  const standing = new Map(found.rows);
  const [spool, raws, registered] = [
    new Spool('parcels', parcelServerColumns),
    new Spool('raw_columns', rawColumns),
    new Spool('parcel_registry', registryColumns),
  ];
  try {
    const mended = found.rows.filter(([, hash]) => hash === null).length;
    const counts = { added: 0, changed: 0, removed: 0, unchanged: 0, mended };
    const [added, replaced]: [number[], number[]] = [[], []];
    let sum = 0n;
    const steps = encodeCounty(
      land.file,
      fips,
      spool.writer,
      { identities: registry.identities, datasets: datasets.ids },
      (row) => {
        const before = standing.get(row.id);
        standing.delete(row.id);
        sum += BigInt(row.hash);
        if (before === row.hash) {
          counts.unchanged++;
          return spool.writer.drop();
        }
        if (before === undefined) {
          counts.added++;
          added.push(row.id);
        } else {
          counts.changed++;
          replaced.push(row.id);
        }
        spool.keep();
        if (row.raw !== null) raws.add([fips, row.id, row.raw]);
      },
    );
    if (standing.size === 0) {
      await spool.sendMade(server, steps, (share) => onPhase(shareWords('sending', share)));
    } else {
      for (const share of steps) onPhase(shareWords('comparing', share));
      counts.removed = standing.size;
      await removeRows(server, fips, [...replaced, ...standing.keys()]);
      await spool.send(server, (share) => onPhase(shareWords('sending', share)));
    }
    await removeLeftRaws(server, fips, added);
    await raws.send(server);
    onPhase('checking');
    const rows = counts.added + counts.changed + counts.unchanged;
    const arrived = expectArrived(server, fips, own, { sent: spool.rows, rows, sum });
    // It is heard below; meanwhile both computers work.
    arrived.catch(() => {});
    await addRegistered(registered, fips, registry);
    await arrived;
    await registered.send(server);
    return counts;
  } finally {
    for (const each of [spool, raws, registered]) each.close();
  }
}

const shareWords = (phase: string, share: number): string => `${phase}: ${Math.floor(share * 100)} %`;

async function removeRows(server: ServerConnection, fips: string, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  for (const table of ['raw_columns', 'parcels'])
    await server.rows(`DELETE FROM ${table} WHERE fips = $1 AND property_id = ANY($2)`, [fips, ids]);
}

/** Another program that deletes parcels leaves their unmapped columns. */
async function removeLeftRaws(server: ServerConnection, fips: string, ids: readonly number[]): Promise<void> {
  const [some] = ids.length > 0 ? await server.rows('SELECT 1 FROM raw_columns WHERE fips = $1 LIMIT 1', [fips]) : [];
  if (some) await server.rows('DELETE FROM raw_columns WHERE fips = $1 AND property_id = ANY($2)', [fips, ids]);
}

interface Expected {
  readonly sent: number;
  readonly rows: number;
  readonly sum: bigint;
}

/** The server computes the hash of every row that came, from the values that it stored. */
async function expectArrived(
  server: ServerConnection,
  fips: string,
  own: readonly number[],
  expected: Expected,
): Promise<void> {
  const [all] = await server.rows<{ n: number; sum: string }>(
    `SELECT count(*) AS n, coalesce(sum(row_hash), 0)::text AS sum FROM parcels p WHERE ${ownRows}`,
    [fips, own],
  );
  // As a value: the function itself would keep the rows from being read by several processes.
  const [transaction = { xid: '' }] = await server.rows<{ xid: string }>(
    'SELECT pg_current_xact_id()::xid::text AS xid',
  );
  const [sent] = await server.rows<{ n: number; wrong: number; first: number | null }>(
    `SELECT count(*) AS n, count(*) FILTER (WHERE is_wrong) AS wrong, min(property_id) FILTER (WHERE is_wrong) AS first
     FROM (SELECT p.property_id, ${isWrongSql} AS is_wrong FROM ${sentRowsSql}
       WHERE p.fips = $1 AND p.xmin = $2::xid) checked`,
    [fips, transaction.xid],
  );
  const isWhole =
    all?.n === expected.rows && all.sum === String(expected.sum) && sent?.n === expected.sent && sent.wrong === 0;
  if (isWhole) return;
  throw new EngineError(
    'push_refused',
    `What arrived is not what was sent: ${all?.n} of ${expected.rows} rows, ${sent?.wrong} of ${sent?.n} with other values${sent?.first === null ? '' : `, the first of parcel ${sent?.first}`}. The county on the server is as it was.`,
  );
}

/** Between two answers of the server. */
const registeredAtOnce = 2000;

async function addRegistered(spool: Spool, fips: string, { added }: MatchedRegistry): Promise<void> {
  for (const [place, row] of added.entries()) {
    spool.add([fips, row.property_id, row.jurisdiction, row.apn, row.sequence, row.geometry_hash]);
    if (place % registeredAtOnce === 0) await turn();
  }
}

async function redraw(server: ServerConnection, fips: string, { redrawn }: MatchedRegistry): Promise<void> {
  if (redrawn.length === 0) return;
  await server.rows(
    `UPDATE parcel_registry r SET geometry_hash = n.hash FROM unnest($2::bigint[], $3::bigint[]) AS n (id, hash)
     WHERE r.fips = $1 AND r.property_id = n.id`,
    [fips, redrawn.map(({ property_id: id }) => id), redrawn.map(({ geometry_hash: hash }) => hash)],
  );
}
