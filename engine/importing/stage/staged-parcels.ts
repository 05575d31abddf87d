/**
 * An import first writes what it reads to a temporary file beside the land file: memory stays small, the land file
 * stays unlocked, and SQL can match identities.
 */
import fs from 'node:fs';
import path from 'node:path';
import { boundsOfMultiPolygon, type MultiPolygon } from '../../geo/geometry.ts';
import { geometryHash } from '../../geo/geometry-hash.ts';
import { hilbertIndex } from '../../geo/hilbert.ts';
import { pointOnSurface } from '../../geo/point-on-surface.ts';
import { encodeMultiPolygon } from '../../geo/spatialite-blob.ts';
import { columnTypes, importColumns, type ParcelColumn } from '../../spec/parcel-columns.ts';
import { type RecordValue, RecordWriter } from '../../store/record-writer.ts';
import type { SqliteFile } from '../../store/sqlite.ts';
import {
  finishTables,
  LeafWriter,
  newPageSpace,
  type PageSpace,
  type TablePage,
  type WrittenTable,
} from '../../store/table-pages.ts';
import { temporaryFolder } from '../formats/zip/zip-archive.ts';
import type { StoredValue } from '../values/convert-value.ts';
import type { DerivedKeys } from './derive-values.ts';

/** Columns of the parcels table outside the dictionary, derived on import. */
export const keyColumns = ['apn_key', 'mailing_key', 'tax_delinquent_years', 'point_lon', 'point_lat'] as const;

const keyTypes = 'apn_key TEXT, mailing_key TEXT, tax_delinquent_years INTEGER, point_lon REAL, point_lat REAL';

const columnDefinition = ({ name, type }: ParcelColumn): string => `${name} ${columnTypes[type].sql ?? 'TEXT'}`;

/**
 * Keys and small numbers first: SQLite reads the columns before the polygon without touching its pages.
 *
 * Tables of one county's parcels. A statewide file fills those of every county at once, under names with its code.
 */
const countyTables = {
  parcels: (name: string) => `CREATE TABLE ${name} (stage_id INTEGER PRIMARY KEY,
    identity TEXT NOT NULL, lot TEXT, geometry_hash INTEGER, hilbert INTEGER,
    min_x REAL, max_x REAL, min_y REAL, max_y REAL,
    ${importColumns.map(columnDefinition).join(', ')}, ${keyTypes}, geom BLOB)`,
  raw: (name: string) => `CREATE TABLE ${name} (stage_id INTEGER PRIMARY KEY, json TEXT NOT NULL)`,
  refusals: (name: string) =>
    `CREATE TABLE ${name} (stage_id INTEGER PRIMARY KEY, identity TEXT, geometry_hash INTEGER)`,
} as const;
type CountyTable = keyof typeof countyTables;
const tableNames = Object.keys(countyTables) as readonly CountyTable[];
/**
 * Page cache of the land file while an import writes it, instead of the 64 MiB for queries: a million parcels read by
 * two threads take as long with it (142 s of CPU with 16 or 32 MiB), and peak memory is 494 MB (525 MB with 32).
 */
const writingCacheKibibytes = 16_384;

/** Filled by SQL, in the connection's own temporary file. */
const temporaryTables = ['staged_joins', 'staged_ids', 'staged_zips'] as const;

/** The output for one county: the leaves of its tables. */
export type StagedLeaves = Readonly<Record<CountyTable, readonly TablePage[]>>;

/**
 * The file of an import's staged rows: written page by page, without SQLite, then read as the connection's database
 * `staging`. It is unlinked from the start, where the system allows that: a kill leaves nothing behind.
 */
export class StagingFile {
  readonly space: PageSpace;
  readonly #file: SqliteFile;
  readonly #folder = temporaryFolder();
  readonly #cacheSize: unknown;
  readonly #tables: WrittenTable[] = [];

  constructor(file: SqliteFile) {
    this.#file = file;
    this.#cacheSize = file.pragma('main.cache_size');
    const filePath = path.join(this.#folder, 'staging.sqlite');
    this.space = newPageSpace(fs.openSync(filePath, 'wx+'));
    try {
      file.run('ATTACH ? AS staging', filePath);
      if (process.platform !== 'win32') fs.rmSync(this.#folder, { recursive: true });
      // It never outlives the import; only a rollback must find it whole.
      file.exec('PRAGMA staging.journal_mode = MEMORY; PRAGMA staging.synchronous = OFF;');
      file.exec('PRAGMA staging.cache_size = -16384; PRAGMA temp.cache_size = -16384;');
      file.pragma(`main.cache_size = -${writingCacheKibibytes}`);
      dropTemporaryTables(file);
      file.exec(`
        CREATE TEMP TABLE staged_zips (zip TEXT PRIMARY KEY) WITHOUT ROWID;
        CREATE TEMP TABLE staged_joins (id INTEGER PRIMARY KEY, place INTEGER NOT NULL, row INTEGER NOT NULL,
          key TEXT NOT NULL, folded TEXT NOT NULL, "values" TEXT NOT NULL, raw TEXT NOT NULL);
        CREATE TEMP TABLE staged_ids (property_id INTEGER PRIMARY KEY, stage_id INTEGER NOT NULL UNIQUE,
          sequence INTEGER NOT NULL, is_registered INTEGER NOT NULL, state TEXT, standing_hash INTEGER);
      `);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** @param county its code, if several are staged at once; take such tables with `takeCounty` */
  addCounty(leaves: StagedLeaves, county = ''): void {
    for (const table of tableNames) {
      const name = `staged_${table}${county}`;
      this.#tables.push({ name, sql: countyTables[table](name), leaves: leaves[table] });
    }
  }

  /** From here on SQL can read the staged rows; no county may be added. */
  finish(): void {
    finishTables(this.space, this.#tables);
  }

  /** Replaces the previous county's tables with this county's. */
  takeCounty(county: string, zips: Iterable<StoredValue>): void {
    const file = this.#file;
    for (const table of tableNames) {
      file.exec(`DROP TABLE IF EXISTS staging.staged_${table};
        ALTER TABLE staging.staged_${table}${county} RENAME TO staged_${table};`);
    }
    file.exec('DELETE FROM temp.staged_ids; DELETE FROM temp.staged_zips;');
    this.addZips(zips);
  }

  /** The county's ZIPs: a few dozen. */
  addZips(zips: Iterable<StoredValue>): void {
    for (const zip of zips) this.#file.run('INSERT INTO temp.staged_zips (zip) VALUES (?)', zip);
  }

  close(): void {
    this.#file.pragma(`main.cache_size = ${String(this.#cacheSize)}`);
    dropTemporaryTables(this.#file);
    if (this.#file.get("SELECT 1 FROM pragma_database_list WHERE name = 'staging'")) this.#file.exec('DETACH staging');
    fs.closeSync(this.space.descriptor);
    fs.rmSync(this.#folder, { recursive: true, force: true });
  }
}

function dropTemporaryTables(file: SqliteFile): void {
  for (const table of temporaryTables) file.exec(`DROP TABLE IF EXISTS temp.${table}`);
}

interface StagedParcel {
  /** The parcel's identity between imports; empty without an APN. */
  readonly identity: string;
  /** What the mapping says that accounts have in common with their lot. */
  readonly lot: string | null;
  readonly values: readonly StoredValue[];
  readonly keys: DerivedKeys;
  readonly polygons: MultiPolygon | null;
  /** The shape in the file, where `polygons` were repaired: identifies the parcel. */
  readonly asDrawn?: MultiPolygon;
  readonly point: readonly [number, number] | null;
  /** Unmapped columns, as JSON. */
  readonly raw: string | null;
}

const pagesOfOne = 32;
const pagesOfMany = 4;

const examplesKept = 3;

/** Writes parcels one by one, as rows of the staging file. */
export class StagingWriter {
  /** Parcels with a value, for each of `importColumns`. */
  readonly known: number[] = importColumns.map(() => 0);
  /** Up to three different values of each. */
  readonly examples: (string | number)[][] = importColumns.map(() => []);
  readonly #record = new RecordWriter();
  readonly #leaves: Readonly<Record<CountyTable, LeafWriter>>;

  /** @param isOneOfMany if many counties' tables grow at once: each buffers less then */
  constructor(space: PageSpace, isOneOfMany = false) {
    const pages = isOneOfMany ? pagesOfMany : pagesOfOne;
    this.#leaves = {
      parcels: new LeafWriter(space, pages),
      raw: new LeafWriter(space, pagesOfMany),
      refusals: new LeafWriter(space, 1),
    };
  }

  /**
   * @param stageId rises from parcel to parcel
   * @returns the parcel's point
   */
  write(stageId: number, parcel: StagedParcel): readonly [number, number] | null {
    const { values, keys, polygons, raw } = parcel;
    const place = polygons ? pointOnSurface(polygons) : parcel.point;
    const record = this.#record;
    record.begin();
    // A row's number is stored beside it.
    record.add(null);
    record.add(parcel.identity);
    record.add(parcel.lot);
    record.add(polygons ? geometryHash(parcel.asDrawn ?? polygons) : place ? pointHash(place) : null);
    record.add(place ? hilbertIndex(place[0], place[1]) : null);
    for (const side of boxOf(polygons)) record.add(side);
    this.#addValues(values);
    record.add(keys.apn_key);
    record.add(keys.mailing_key);
    record.add(keys.tax_delinquent_years);
    for (const ordinate of place ?? noPlace) record.add(ordinate);
    record.add(polygons ? encodeMultiPolygon(polygons) : null);
    record.finish();
    this.#leaves.parcels.add(stageId, record);
    if (raw !== null) this.#add('raw', stageId, [null, raw]);
    return place;
  }

  #addValues(values: readonly StoredValue[]): void {
    const { known, examples } = this;
    for (let position = 0; position < values.length; position++) {
      const value = values[position] as StoredValue;
      if (value !== null) {
        known[position] = (known[position] as number) + 1;
        const shown = examples[position] as (string | number)[];
        if (shown.length < examplesKept && !shown.includes(value)) shown.push(value);
      }
      this.#record.add(value);
    }
  }

  /** Notes a refused feature, so that its parcel does not count as missing. */
  writeRefusal(stageId: number, identity: string | null, hash: number | null): void {
    this.#add('refusals', stageId, [null, identity, hash]);
  }

  #add(table: CountyTable, stageId: number, values: readonly RecordValue[]): void {
    const record = this.#record;
    record.begin();
    for (const value of values) record.add(value);
    record.finish();
    this.#leaves[table].add(stageId, record);
  }

  /** Nothing may be written after it. */
  finish(): StagedLeaves {
    const { parcels, raw, refusals } = this.#leaves;
    return { parcels: parcels.finish(), raw: raw.finish(), refusals: refusals.finish() };
  }
}

const noPlace = [null, null] as const;

/**
 * Identifies a parcel by its point if that is all there is, rounded like shapes: hashes the ring to a place without
 * parcels and back, so that it equals no shape's hash.
 */
const pointHash = ([longitude, latitude]: readonly [number, number]): number =>
  geometryHash([[Float64Array.of(longitude, latitude, 999, 999, longitude, latitude)]]);

function boxOf(polygons: MultiPolygon | null): readonly (number | null)[] {
  if (!polygons) return [null, null, null, null];
  const { minX, maxX, minY, maxY } = boundsOfMultiPolygon(polygons);
  return [minX, maxX, minY, maxY];
}
