/**
 * An import first writes what it reads to temporary tables of the same connection: memory stays small, the land file is not
 * locked meanwhile, and identities can be matched in SQL.
 */

import { boundsOfMultiPolygon, type MultiPolygon } from '../geo/geometry.ts';
import { geometryHash } from '../geo/geometry-hash.ts';
import { hilbertIndex } from '../geo/hilbert.ts';
import { pointOnSurface } from '../geo/point-on-surface.ts';
import { encodeMultiPolygon } from '../geo/spatialite-blob.ts';
import { columnTypes, importColumns, type ParcelColumn } from '../spec/parcel-columns.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import type { StoredValue } from './convert-value.ts';
import type { DerivedKeys } from './derive-values.ts';

/** Columns of the parcels table that are not of the dictionary, and are derived on import. */
export const keyColumns = ['apn_key', 'mailing_key', 'tax_delinquent_years', 'point_lon', 'point_lat'] as const;

const keyTypes = 'apn_key TEXT, mailing_key TEXT, tax_delinquent_years INTEGER, point_lon REAL, point_lat REAL';

/** Keys and small numbers first: SQLite reads the columns before the polygon without touching its pages. */
const ownColumns = ['identity', 'geometry_hash', 'hilbert', 'join_key', 'min_x', 'max_x', 'min_y', 'max_y'] as const;

const tables = ['staged_parcels', 'staged_joins', 'staged_refusals', 'staged_ids', 'staged_zips'] as const;

/** All but the parcels, whose columns come with the writer. */
export function createStagingTables(file: SqliteFile): void {
  dropStagingTables(file);
  // The page size that the land file has too: measured best for writing in file order and reading along the Hilbert curve.
  // It has no effect once the connection has made a temporary table.
  file.exec('PRAGMA temp.page_size = 8192; PRAGMA temp.cache_size = -16384;');
  file.exec(`
    CREATE TEMP TABLE staged_joins (key TEXT PRIMARY KEY, "values" TEXT NOT NULL) WITHOUT ROWID;
    CREATE TEMP TABLE staged_refusals (identity TEXT, geometry_hash INTEGER);
    CREATE TEMP TABLE staged_ids (property_id INTEGER PRIMARY KEY, stage_id INTEGER NOT NULL UNIQUE,
      sequence INTEGER NOT NULL, is_registered INTEGER NOT NULL, state TEXT, standing_hash INTEGER);
    CREATE TEMP TABLE staged_zips (zip TEXT PRIMARY KEY) WITHOUT ROWID;
  `);
}

export function dropStagingTables(file: SqliteFile): void {
  for (const table of tables) file.exec(`DROP TABLE IF EXISTS temp.${table}`);
}

export interface StagedParcel {
  /** What the parcel is compared by between imports; empty when it has no APN. */
  readonly identity: string;
  readonly joinKey: string | null;
  readonly values: readonly StoredValue[];
  readonly keys: DerivedKeys;
  readonly polygons: MultiPolygon | null;
  readonly point: readonly [number, number] | null;
}

/** Position among `importColumns` of columns that are written; the others are null in every row. */
type Written = readonly number[];

function statementFor(file: SqliteFile, written: Written) {
  const names = [...ownColumns, ...written.map((position) => importColumns[position]?.name), ...keyColumns, 'geom'];
  return file.statement(
    `INSERT INTO temp.staged_parcels (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
  );
}

const columnDefinition = ({ name, type }: ParcelColumn): string => `${name} ${columnTypes[type].sql ?? 'TEXT'}`;

/**
 * Writes parcels one by one. To bind a column costs an eighth of a microsecond, so that only those are bound which
 * ever held a value; a column is taken in when its first value comes.
 */
export class StagingWriter {
  readonly #file: SqliteFile;
  readonly #isWritten: boolean[] = importColumns.map(() => false);
  #written: Written = [];
  #insert: ReturnType<typeof statementFor>;

  constructor(file: SqliteFile) {
    this.#file = file;
    file.exec(`
      CREATE TEMP TABLE staged_parcels (stage_id INTEGER PRIMARY KEY,
        identity TEXT NOT NULL, geometry_hash INTEGER, hilbert INTEGER, join_key TEXT,
        min_x REAL, max_x REAL, min_y REAL, max_y REAL,
        ${importColumns.map(columnDefinition).join(', ')}, ${keyTypes}, geom BLOB)`);
    this.#insert = statementFor(file, []);
  }

  /** Answers the parcel's point. */
  write(parcel: StagedParcel): readonly [number, number] | null {
    const { values, keys, polygons } = parcel;
    this.#takeIn(values);
    const place = polygons ? pointOnSurface(polygons) : parcel.point;
    this.#insert.run(
      parcel.identity,
      polygons ? geometryHash(polygons) : place ? pointHash(place) : null,
      place ? hilbertIndex(place[0], place[1]) : null,
      parcel.joinKey,
      ...boxOf(polygons),
      ...this.#written.map((position) => values[position]),
      keys.apn_key,
      keys.mailing_key,
      keys.tax_delinquent_years,
      ...(place ?? noPlace),
      polygons ? encodeMultiPolygon(polygons) : null,
    );
    return place;
  }

  #takeIn(values: readonly StoredValue[]): void {
    let isMore = false;
    for (let position = 0; position < values.length; position++) {
      if (values[position] === null || this.#isWritten[position]) continue;
      this.#isWritten[position] = true;
      isMore = true;
    }
    if (!isMore) return;
    this.#written = importColumns.map((_, position) => position).filter((position) => this.#isWritten[position]);
    this.#insert = statementFor(this.#file, this.#written);
  }
}

const noPlace = [null, null] as const;

/**
 * A parcel of which only a point is known is known by that point, rounded as shapes are: as the ring to a place that no
 * parcel has and back, so that it equals the hash of no shape.
 */
const pointHash = ([longitude, latitude]: readonly [number, number]): number =>
  geometryHash([[Float64Array.of(longitude, latitude, 999, 999, longitude, latitude)]]);

function boxOf(polygons: MultiPolygon | null): readonly (number | null)[] {
  if (!polygons) return [null, null, null, null];
  const { minX, maxX, minY, maxY } = boundsOfMultiPolygon(polygons);
  return [minX, maxX, minY, maxY];
}
