/** SpatiaLite (GEOS and PROJ) beside the engine: the oracle of areas, lengths and points. */
import Database from 'better-sqlite3';
import type { MultiPolygon } from '../../engine/geo/geometry.ts';
import { encodeMultiPolygon } from '../../engine/geo/spatialite-blob.ts';
import { requireOrSkip } from '../support/require.ts';

/** Conus Albers: equal-area, metres. */
export const equalArea = 5070;

export class Spatialite {
  readonly database: Database.Database;

  constructor(database: Database.Database) {
    this.database = database;
    database.exec('SELECT InitSpatialMetaData(1)');
  }

  /** The one value of a statement. */
  value<Value>(sql: string, ...values: unknown[]): Value {
    return this.database
      .prepare<unknown[], unknown>(sql)
      .pluck()
      .get(...values) as Value;
  }

  /** Made valid and projected. */
  project(polygons: MultiPolygon, srid: number): Buffer {
    return this.value<Buffer>(`SELECT ST_Transform(ST_MakeValid(?), ${srid})`, encodeMultiPolygon(polygons));
  }

  isValid(polygons: MultiPolygon): boolean {
    return this.value<number>('SELECT ST_IsValid(?)', encodeMultiPolygon(polygons)) === 1;
  }

  close(): void {
    this.database.close();
  }
}

/** Null, with a line, where the machine has none. */
export function openSpatialite(): Spatialite | null {
  const database = new Database(':memory:');
  try {
    database.loadExtension('mod_spatialite');
  } catch {
    database.close();
    requireOrSkip('mod_spatialite', false, 'install libsqlite3-mod-spatialite to compare with GEOS');
    return null;
  }
  return new Spatialite(database);
}

/** The promise of the project: within half a percent, or within 0.01. */
export const isClose = (ours: number, theirs: number): boolean =>
  Math.abs(ours - theirs) <= Math.max(0.01, 0.005 * Math.abs(theirs));
