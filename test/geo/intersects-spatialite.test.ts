/** Our ST_Intersects against GEOS (in mod_spatialite), on parcels that really exist, with all the faults they really have. */
import Database from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { type Bounds, boundsOfMultiPolygon, boundsOverlap } from '../../engine/geo/geometry.ts';
import { prepareGeometry } from '../../engine/geo/intersects.ts';
import { encodeMultiPolygon } from '../../engine/geo/spatialite-blob.ts';
import { parseWkt } from '../../engine/geo/wkt.ts';
import { requireOrSkip } from '../support/require.ts';
import { buildQueries } from './area-queries.ts';
import { readRealParcels, realParcelsExist } from './shapes.ts';

function openSpatialite(): Database.Database | null {
  const database = new Database(':memory:');
  try {
    database.loadExtension('mod_spatialite');
    return database;
  } catch {
    database.close();
    return null;
  }
}

const spatialite = openSpatialite();
const canRun =
  requireOrSkip('mod_spatialite', spatialite !== null, 'install libsqlite3-mod-spatialite to compare with GEOS') &&
  realParcelsAvailable();

/** Real data is absent outside this machine; that is never a failure (docs/reliability.md, "Without real data"). */
function realParcelsAvailable(): boolean {
  if (!realParcelsExist()) console.warn('SKIPPED: real parcels: ../shared/data is absent');
  return realParcelsExist();
}

interface Stored {
  readonly blob: Buffer;
  readonly bounds: Bounds;
  readonly isValid: boolean;
}

interface Tally {
  hits: number;
  misses: number;
  readonly differences: string[];
}

/** One query against all parcels whose box it meets; GEOS skips the others, because they would take minutes. */
function compare(text: string, parcels: readonly Stored[], database: Database.Database, tally: Tally): void {
  const result = parseWkt(text);
  if (!result.ok) throw new Error(`${result.problem} ${text.slice(0, 200)}`);
  const queryBlob = database.prepare<[string], Buffer>('SELECT GeomFromText(?, 4326)').pluck().get(text);
  const oracle = database.prepare<[Buffer | undefined, Buffer], number | null>('SELECT ST_Intersects(?, ?)').pluck();
  const prepared = prepareGeometry(result.geometry);
  for (const [index, { blob, bounds, isValid }] of parcels.entries()) {
    const overlaps = boundsOverlap(bounds, result.geometry.bounds);
    const theirs = overlaps ? oracle.get(queryBlob, blob) : 0;
    if (overlaps) tally[theirs === 1 ? 'hits' : 'misses']++;
    // -1 and null, GEOS's errors, are differences
    if (isValid && theirs !== Number(prepared.intersectsBlob(blob))) {
      tally.differences.push(`parcel ${index}: GEOS ${theirs}: ${text.slice(0, 300)}`);
    }
  }
}

describe.runIf(canRun)('intersecting real parcels', () => {
  const places = ['washington_nh', 'three_forks_mt'] as const;

  afterAll(() => {
    spatialite?.close();
  });

  it.each(places)('answers as GEOS does for 240 queries over %s', (name) => {
    const database = spatialite as Database.Database;
    // GEOS promises nothing for rings that cross themselves: 7 parcels in Washington, none in Three Forks
    const isValid = database.prepare<[Buffer], number>('SELECT ST_IsValid(?) = 1').pluck();
    const shapes = readRealParcels(name);
    const parcels = shapes.map((shape) => {
      const blob = encodeMultiPolygon(shape);
      return { blob, bounds: boundsOfMultiPolygon(shape), isValid: isValid.get(blob) === 1 };
    });
    expect(parcels.filter((parcel) => !parcel.isValid).length).toBeLessThan(10);
    const valid = shapes.filter((_, index) => parcels[index]?.isValid);
    const tally: Tally = { hits: 0, misses: 0, differences: [] };
    for (const text of buildQueries(valid, 33_019)) compare(text, parcels, database, tally);
    expect(tally.differences).toEqual([]);
    expect(tally.hits).toBeGreaterThan(10_000);
    expect(tally.misses).toBeGreaterThan(10_000);
  });
});
