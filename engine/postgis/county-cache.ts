/**
 * Counties of a server in memory: the column index that a home keeps in its file. The one that stands on the server comes
 * once its county is asked for; without one it is built of the server's rows once the county is asked for again. Each
 * question compares its version within the snapshot; areas, portfolios and APNs stay questions for the server's indexes.
 */
import { setTimeout as after } from 'node:timers/promises';
import { sql } from 'kysely';
import { CountyReading, readingsOf } from '../columns/build-county.ts';
import { CountyColumns } from '../columns/county-columns.ts';
import type { CountyDirectory } from '../columns/county-directory.ts';
import { CountySegments } from '../columns/county-segments.ts';
import { type ParcelTests, withAllMatches } from '../columns/evaluate.ts';
import type { CountyMatches, TextOrders } from '../columns/pages.ts';
import type { Step } from '../columns/steps.ts';
import { columnSteps, countiesOf } from '../query/column-steps.ts';
import { ColumnCache } from '../query/county-index.ts';
import { type FilterRequest, namesParcels } from '../query/filter-request.ts';
import { holdColumns, noParcels } from '../query/find-parcels.ts';
import { nothingLookedUp } from '../query/looked-up.ts';
import type { Ordering } from '../query/parcel-query.ts';
import type { Row, ServerConnection } from './connect.ts';
import { countCurrent, fetchIndex, hasIndexSql, unpack } from './county-index.ts';
import { columnSql, compiled } from './postgres-dialect.ts';
import { parcelServerColumns } from './server-columns.ts';
import type { ServerPool } from './server-pool.ts';
import type { SnapshotRows } from './snapshot-rows.ts';

/** For all counties; about two million parcels. */
export const usualKeptBytes = 2 ** 30;

/** A parcel takes about so many in the index. */
const bytesPerParcel = 400;

/** Collected at once; what is beyond it is read in another pass. */
const mostCollected = 128 * 1024 * 1024;

/** In one piece of work, between which questions are answered. */
const rowsPerFetch = 500;

/** A steady stream of questions holds the building up for no longer. */
const patienceMilliseconds = 50;

/** A table that somebody locks holds up neither the counties after this one nor the end. */
const building = "ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL lock_timeout = '2s'";

type PushedCounty = Row & {
  readonly fips: string;
  readonly version: number;
  readonly parcels: number;
  readonly has_index: boolean;
};

/**
 * The version rises with each push of the county, in the same transaction, and with what any program writes into the
 * partition of its state, once PostgreSQL counts that: some seconds later at most.
 */
const pushedCounties = sql`SELECT fips, parcels, ${sql.raw(hasIndexSql)} AS has_index, generation + pg_stat_get_tuples_inserted(part) +
    pg_stat_get_tuples_updated(part) + pg_stat_get_tuples_deleted(part) AS version
  FROM (SELECT *, coalesce(to_regclass('parcels_' || left(fips, 2)), 'parcels_other'::regclass) AS part
    FROM pushed_counties) p WHERE fips`;

/** Whether columns alone answer a request. */
const isOfColumns = (request: FilterRequest): boolean =>
  request.area === null && !namesParcels(request) && request.criteria.every(({ row }) => row.kind !== 'apn');

const ofServer = (): never => {
  throw new TypeError('the server has to answer');
};

const noTests: ParcelTests = { meetArea: ofServer };
export const noTexts: TextOrders = { sortedRows: ofServer, values: ofServer };

/** Whether no text has to be read to sort by a column. */
function canSort(counties: readonly CountyColumns[], ordering: Ordering | null): boolean {
  if (ordering === null || ordering.column === 'property_id') return true;
  const { column } = ordering;
  if (counties.every((county) => county.isCoded(column))) return true;
  return counties.length === 1 && counties[0]?.order(column) !== null;
}

/** Segments of a county that it has not read yet; each is read once. */
class Segments {
  byteLength = 0;
  readonly #unread = new Map<string, Uint8Array>();
  readonly #unpack: (bytes: Uint8Array) => Uint8Array;

  /** @param unpackBytes of a segment that is read */
  constructor(unpackBytes: (bytes: Uint8Array) => Uint8Array = (bytes) => bytes) {
    this.#unpack = unpackBytes;
  }

  keep(name: string, bytes: Uint8Array): void {
    this.#unread.set(name, bytes);
    this.byteLength += bytes.byteLength;
  }

  take(name: string): Uint8Array {
    const bytes = this.#unread.get(name);
    if (!bytes) throw new Error(`the index has no segment ${name}`);
    this.#unread.delete(name);
    this.byteLength -= bytes.byteLength;
    return this.#unpack(bytes);
  }
}

class HeldCounty extends CountyColumns {
  readonly #segments: Segments;

  constructor(fips: string, directory: CountyDirectory, segments: Segments, hasRoom: (bytes: number) => boolean) {
    super(fips, directory, (name) => segments.take(name), hasRoom);
    this.#segments = segments;
  }

  override get byteLength(): number {
    return super.byteLength + this.#segments.byteLength;
  }
}

const serverTypes = new Map(parcelServerColumns.map(({ name, type }) => [name, type]));

/** A value as land.sqlite stores it, which the index is built of. */
function storedSql(name: string): string {
  const { sql: value } = compiled(sql`${columnSql(name)}`);
  const type = serverTypes.get(name);
  if (type === 'boolean') return `${value}::int`;
  return type === 'doubles' ? `array_to_json(${value})::text` : value;
}

export class KeptCounties {
  readonly #pool: ServerPool;
  readonly #cache: ColumnCache;
  /** Counties that are not held and were asked for. */
  readonly #asked = new Set<string>();
  readonly #coming = new Set<string>();
  #building = Promise.resolve();
  #isStopped = false;

  constructor(pool: ServerPool, bytes: number) {
    this.#pool = pool;
    this.#cache = new ColumnCache(bytes);
  }

  /** What matches, while `use` runs. Null where the server has to answer. */
  async withMatches<Result>(
    rows: SnapshotRows,
    request: FilterRequest,
    ordering: Ordering | null,
    use: (matches: readonly CountyMatches[], steps: readonly Step[]) => Result,
  ): Promise<Result | null> {
    const codes = countiesOf(request);
    if (codes === null || !isOfColumns(request)) return null;
    const counties = await this.#find(rows, codes);
    if (!counties) return null;
    const steps = columnSteps(request, nothingLookedUp, null, noParcels);
    if (!holdColumns(counties, steps) || !canSort(counties, ordering)) return null;
    try {
      return withAllMatches(counties, steps, noTests, (matches) => use(matches, steps));
    } finally {
      this.#cache.shrink();
    }
  }

  /** How many are in memory. */
  get counties(): number {
    return this.#cache.counties;
  }

  get byteLength(): number {
    return this.#cache.byteLength;
  }

  /** Once the counties that were asked for again are held, or could not be. */
  async settle(): Promise<void> {
    for (let last = null; last !== this.#building; ) {
      last = this.#building;
      await last;
    }
  }

  stop(): Promise<void> {
    this.#isStopped = true;
    return this.settle();
  }

  async #find(rows: SnapshotRows, codes: readonly string[]): Promise<CountyColumns[] | null> {
    const pushed = await rows.all<PushedCounty>(sql`${pushedCounties} = ANY(${[...codes]}::text[])`);
    const parcels = pushed.reduce((sum, county) => sum + county.parcels, 0);
    if (pushed.length < codes.length || parcels * bytesPerParcel > this.#cache.budgetBytes) return null;
    const held = pushed.map(
      ({ fips, version, has_index }) => this.#cache.find(fips, version) ?? this.#miss(fips, has_index),
    );
    return held.every((county) => county !== null) ? held : null;
  }

  #miss(fips: string, hasIndex: boolean): null {
    if (this.#coming.has(fips)) return null;
    if (!hasIndex && !this.#asked.has(fips)) {
      this.#asked.add(fips);
      return null;
    }
    this.#coming.add(fips);
    this.#building = this.#building
      .then(() => this.#build(fips))
      // the server goes on answering, and says itself what is wrong with it
      .catch(() => {})
      .finally(() => {
        this.#coming.delete(fips);
        this.#asked.delete(fips);
      });
    return null;
  }

  #build(fips: string): Promise<void> {
    return this.#pool.use(async (server) => {
      // Before the snapshot: what is counted later makes the county stale at worst.
      const [pushed] = await server.rows<PushedCounty>(`${compiled(pushedCounties).sql} = $1`, [fips]);
      const read = async () => (await this.#receive(server, fips)) ?? this.#read(server, fips);
      const held = await server.transaction(read, building);
      this.#cache.put(fips, pushed?.version ?? 0, held);
      this.#cache.shrink();
    });
  }

  async #receive(server: ServerConnection, fips: string): Promise<CountyColumns | null> {
    const segments = new Segments(unpack);
    const directory = await fetchIndex(server, fips, (name, packed) => {
      this.#expectOpen();
      segments.keep(name, packed);
    });
    return directory && this.#held(fips, directory, segments);
  }

  #held(fips: string, directory: CountyDirectory, segments: Segments): CountyColumns {
    return new HeldCounty(fips, directory, segments, (bytes) => this.#cache.hasRoom(bytes));
  }

  async #read(server: ServerConnection, fips: string): Promise<CountyColumns> {
    const n = await countCurrent(server, fips);
    const segments = new Segments();
    const county = new CountySegments(n, (name, bytes) => segments.keep(name, bytes));
    for (const [index, columns] of readingsOf(n, mostCollected).entries()) {
      const reading = new CountyReading(county, columns, index === 0);
      const values = [...reading.names.map(storedSql), 'property_id', 'NULL', 'point_lon', 'point_lat'];
      await server.rows(
        `DECLARE county NO SCROLL CURSOR FOR SELECT ${values.join(', ')} FROM parcels
         WHERE fips = $1 AND status = 'current' ORDER BY property_id`,
        [fips],
      );
      for (let batch = await this.#nextRows(server); batch.length > 0; batch = await this.#nextRows(server))
        reading.add(batch);
      await server.run('CLOSE county');
      for (const _ of reading.finish()) await this.#giveWay();
    }
    return this.#held(fips, county.finish(), segments);
  }

  #expectOpen(): void {
    if (this.#isStopped) throw new Error('the land is closed');
  }

  async #giveWay(): Promise<void> {
    this.#expectOpen();
    for (let waited = 0; waited < patienceMilliseconds && this.#pool.inUse > 1; waited++) await after(1);
  }

  async #nextRows(server: ServerConnection): Promise<unknown[][]> {
    await this.#giveWay();
    const { rows } = await server.guard(() =>
      server.client.query<unknown[]>({ text: `FETCH ${rowsPerFetch} FROM county`, rowMode: 'array' }),
    );
    return rows;
  }
}
