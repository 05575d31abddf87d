/** Our ST_Intersects against GEOS (in mod_spatialite), on parcels that really exist, with all the faults they really have. */
import Database from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { type Bounds, boundsOfMultiPolygon, boundsOverlap, type MultiPolygon } from '../../engine/geo/geometry.ts';
import { prepareGeometry } from '../../engine/geo/intersects.ts';
import { encodeMultiPolygon } from '../../engine/geo/spatialite-blob.ts';
import { parseWkt } from '../../engine/geo/wkt.ts';
import { requireOrSkip } from '../support/require.ts';
import {
  box,
  type Position,
  positionsOf,
  readRealParcels,
  realParcelsExist,
  reversed,
  ring,
  seededRandom,
  star,
} from './shapes.ts';

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

/** Real data is absent outside this machine; that is never a failure (design/architecture.md, section 5). */
function realParcelsAvailable(): boolean {
  if (!realParcelsExist()) console.warn('SKIPPED: real parcels: ../shared/data is absent');
  return realParcelsExist();
}

const ringText = (path: Float64Array): string =>
  `(${positionsOf(path)
    .map(([x, y]) => `${x} ${y}`)
    .join(', ')})`;
const polygonText = (polygon: readonly Float64Array[]): string => `(${polygon.map(ringText).join(', ')})`;
const multiPolygonText = (polygons: MultiPolygon): string => `MULTIPOLYGON(${polygons.map(polygonText).join(', ')})`;
const pointsText = (points: readonly Position[]): string =>
  `MULTIPOINT(${points.map(([x, y]) => `${x} ${y}`).join(', ')})`;

/** Queries of every kind, most of them made of the parcels' own corners, so that touching is the rule. */
function buildQueries(parcels: readonly MultiPolygon[], seed: number): string[] {
  const random = seededRandom(seed);
  const county = boundsOfMultiPolygon(parcels.flat());
  const width = county.maxX - county.minX;
  const height = county.maxY - county.minY;
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const place = (): Position => [county.minX + random() * width, county.minY + random() * height];
  const exterior = (): Float64Array => pick(pick(parcels))[0] as Float64Array;
  const corner = (): Position => pick(positionsOf(exterior()));
  const edge = (): [Position, Position] => {
    const positions = positionsOf(exterior());
    const index = Math.floor(random() * (positions.length - 1));
    return [positions[index] as Position, positions[index + 1] as Position];
  };
  const someStar = (share: number, vertexCount: number): Float64Array =>
    star(random, ...place(), width * share, vertexCount);
  const triangleOn = ([a, b]: [Position, Position], [x, y]: Position): Float64Array => ring(a, b, [x, y], a);

  const kinds: (() => string)[] = [
    () => multiPolygonText([[someStar(0.05, 5)]]),
    () => multiPolygonText([[someStar(0.2, 40)]]),
    () => multiPolygonText([[reversed(someStar(0.4, 200))]]),
    () => {
      const [x, y] = place();
      const size = width * 10 ** (-1 - 5 * random());
      return multiPolygonText([[box(x, y, x + size, y + size)]]);
    },
    // tiny, on a corner
    () => {
      const [x, y] = corner();
      return multiPolygonText([[box(x, y, x + 1e-7, y + 1e-7)]]);
    },
    // a parcel itself: shares edges with every neighbour
    () => multiPolygonText(pick(parcels)),
    // its box: shares corners
    () => {
      const { minX, minY, maxX, maxY } = boundsOfMultiPolygon(pick(parcels));
      return multiPolygonText([[box(minX, minY, maxX, maxY)]]);
    },
    // a parcel as the hole of a larger box, so that the parcel only touches and what lies in it does not
    () => {
      const hole = exterior();
      const { minX, minY, maxX, maxY } = boundsOfMultiPolygon([[hole]]);
      const margin = (maxX - minX) * random();
      return multiPolygonText([
        [box(minX - margin - 1e-9, minY - margin - 1e-9, maxX + margin + 1e-9, maxY + margin + 1e-9), hole],
      ]);
    },
    () => multiPolygonText([[triangleOn(edge(), corner())]]),
    () => multiPolygonText([[triangleOn(edge(), place())]]),
    // a donut and an island in it
    () => {
      const [x, y] = place();
      const size = width * 0.1 * random() + 1e-5;
      const around = (part: number): Float64Array =>
        box(x - size * part, y - size * part, x + size * part, y + size * part);
      return multiPolygonText([[around(1), around(0.6)], [around(0.2)]]);
    },
    () => pointsText([corner(), place(), place()]),
    () => pointsText([corner()]),
    () => {
      const [[ax, ay], [bx, by]] = edge();
      return `POINT(${(ax + bx) / 2} ${(ay + by) / 2})`;
    },
    () => `LINESTRING${ringText(ring(corner(), corner(), place()))}`,
    () => `LINESTRING${ringText(ring(...edge()))}`,
    () => `MULTILINESTRING(${ringText(ring(...edge()))}, ${ringText(ring(place(), place(), corner()))})`,
  ];
  const whole = box(county.minX, county.minY, county.maxX, county.maxY);
  const queries = [multiPolygonText([[whole]]), multiPolygonText([[someStar(0.45, 3000)]])];
  for (let index = 0; index < 238; index++) queries.push((kinds[index % kinds.length] as () => string)());
  return queries;
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

/** One query against all parcels whose box it meets; for the others GEOS is not asked, because it would take minutes. */
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
