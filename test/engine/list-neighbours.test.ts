/**
 * Neighbors of parcels of the sample against GEOS (in mod_spatialite): the length of common boundary, and who lies within a
 * distance of the boundary, measured in the plane of the parcel.
 */
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Engine } from '../../engine/engine.ts';
import { localMetric, metersPerFoot } from '../../engine/geo/local-metric.ts';
import { encodeMultiPolygon } from '../../engine/geo/spatialite-blob.ts';
import { findStaleNeighbours } from '../../engine/query/find-neighbours.ts';
import type { Neighbour } from '../../engine/query/neighbours.ts';
import { createRandom } from '../sample-maker/random.ts';
import { openHomeCopy, removeHome, sampleHome } from '../support/homes.ts';
import { requireOrSkip } from '../support/require.ts';
import { runs } from '../support/runs.ts';

let engine: Engine;
beforeAll(() => {
  engine = openHomeCopy(sampleHome());
});
afterAll(() => removeHome(engine));

async function neighboursOf(id: number, within?: number): Promise<Neighbour[]> {
  const found: Neighbour[] = [];
  for (let page = 1; ; page++) {
    const input = { id, page, page_size: 500, ...(within === undefined ? {} : { within_feet: within }) };
    const { data } = await engine.call('list_neighbours', input);
    found.push(...data.results);
    if (data.next === null) return found;
  }
}

interface Shape {
  readonly property_id: number;
  readonly geom: Buffer;
  readonly w: number;
  readonly e: number;
  readonly s: number;
  readonly n: number;
}

const shapes = (): Shape[] =>
  engine.land.file.all<Shape>(
    `SELECT property_id, geom, MbrMinX(geom) AS w, MbrMaxX(geom) AS e, MbrMinY(geom) AS s, MbrMaxY(geom) AS n
     FROM parcels WHERE geom IS NOT NULL AND status = 'current' ORDER BY property_id`,
  );

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

const geos = openSpatialite();
const canRun = requireOrSkip('mod_spatialite', geos !== null, 'install libsqlite3-mod-spatialite to compare with GEOS');

const near = (a: Shape, b: Shape, degrees: number): boolean =>
  a.property_id !== b.property_id &&
  a.w - degrees <= b.e &&
  a.e + degrees >= b.w &&
  a.s - degrees <= b.n &&
  a.n + degrees >= b.s;

const subjects = (all: readonly Shape[], count: number): Shape[] => createRandom(33).shuffle(all).slice(0, count);

/** Both shapes in meters of the plane of the first. */
function planar(question: string) {
  const statement = geos
    ?.prepare<unknown[], number | null>(`SELECT ${question} FROM (
    SELECT ScaleCoords(?, ?, ?) AS a, ScaleCoords(?, ?, ?) AS b)`)
    .pluck();
  return (one: Shape, other: Shape): number => {
    const { x, y } = localMetric((one.s + one.n) / 2);
    return statement?.get(one.geom, x, y, other.geom, x, y) ?? Number.NaN;
  };
}

describe.skipIf(!canRun)('against GEOS', () => {
  test('the common boundary is as long, and who has none does not abut', async () => {
    const all = shapes();
    // A corner in the middle of another's side lies off it by the last digit of its degrees. Around each end a buffer is
    // too long in proportion to its width, so twice the narrower less the wider is the length without either.
    const beside = (one: string, other: string, meters: number) =>
      `coalesce(ST_Length(ST_Intersection(ST_Boundary(${one}), ST_Buffer(${other}, ${meters}))), 0)`;
    const along = (one: string, other: string) => `2 * ${beside(one, other, 0.015)} - ${beside(one, other, 0.03)}`;
    const length = planar(`max(${along('a', 'b')}, ${along('b', 'a')})`);
    const pairs: (readonly [ours: number, theirs: number, which: string])[] = [];
    for (const subject of subjects(all, runs(100, 300))) {
      const ours = new Map((await neighboursOf(subject.property_id)).map((one) => [one.property_id, one]));
      for (const other of all.filter((one) => near(subject, one, 0.0001))) {
        const found = ours.get(other.property_id);
        const feet = found?.relation === 'abutting' ? found.shared_feet : 0;
        pairs.push([feet * metersPerFoot, length(subject, other), `${subject.property_id} ${other.property_id}`]);
      }
    }
    // Below two meters it is a corner.
    // The buffers round each of a hundred bends: over kilometers, a ten thousandth.
    const different = pairs.filter(
      ([ours, theirs]) => (ours > 0 || theirs > 2.1) && Math.abs(ours - theirs) > Math.max(0.1, theirs * 1e-4),
    );
    expect(different).toEqual([]);
    expect(pairs.filter(([ours]) => ours > 0).length).toBeGreaterThan(300);
  }, 300_000);

  test.each([0, 50, 250, 1000])(
    'within %i feet lie the same parcels',
    async (feet) => {
      const all = shapes();
      const distance = planar('ST_Distance(a, b)');
      const most = feet * metersPerFoot;
      const pairs: (readonly [found: Neighbour | undefined, meters: number, which: string])[] = [];
      for (const subject of subjects(all, runs(feet === 1000 ? 6 : 25, feet === 1000 ? 20 : 100))) {
        const ours = new Map((await neighboursOf(subject.property_id, feet)).map((one) => [one.property_id, one]));
        for (const other of all.filter((one) => near(subject, one, (most + 30) / 70_000)))
          pairs.push([
            ours.get(other.property_id),
            distance(subject, other),
            `${subject.property_id} ${other.property_id}`,
          ]);
      }
      // On the very edge both are right: GEOS measures in one plane.
      const isWrong = ([found, meters]: (typeof pairs)[number]) =>
        (found === undefined && meters < most - 0.02) || (found?.relation === 'within' && meters > most + 0.02);
      expect(pairs.filter(isWrong)).toEqual([]);
      const isFar = ([found, meters]: (typeof pairs)[number]) =>
        found !== undefined && Math.abs(found.distance_feet * metersPerFoot - meters) > 0.1;
      expect(pairs.filter(isFar)).toEqual([]);
      expect(pairs.filter(([, meters]) => meters <= most).length).toBeGreaterThan(20);
    },
    600_000,
  );
});

describe('what is listed', () => {
  test('each relation clockwise from north, with the parcel’s own summary', async () => {
    const first = shapes()[0]?.property_id as number;
    const list = await neighboursOf(first, 300);
    const order = ['abutting', 'across', 'within'];
    const kinds = list.map(({ relation }) => order.indexOf(relation));
    expect(kinds).toEqual(kinds.toSorted());
    const compass = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW', 'N'];
    for (const relation of order) {
      const directions = list.filter((one) => one.relation === relation).map(({ direction }) => direction ?? 'N');
      let at = 0;
      // N stands at both ends of the round.
      for (const direction of directions) {
        const next = compass.indexOf(direction, at);
        expect(next, directions.join(' ')).toBeGreaterThanOrEqual(at);
        at = next;
      }
    }
    expect(list.filter(({ relation }) => relation === 'abutting').length).toBeGreaterThan(1);
    for (const one of list) expect(one.url).toBe(`platbook://parcel/${one.property_id}`);
  });

  test('accounts that are stacked on a lot come with it, whole, and each knows its lot', async () => {
    const { file } = engine.land;
    const lot = shapes()[0]?.property_id as number;
    // Forty parcels far away become units of a condominium on the first lot.
    const units = file.column<number>(
      'SELECT property_id FROM parcels WHERE geom IS NOT NULL ORDER BY property_id DESC LIMIT 40',
    );
    const kept = file.all(
      'SELECT * FROM parcels WHERE property_id IN (SELECT value FROM json_each(?))',
      JSON.stringify(units),
    );
    expect(kept.length).toBe(40);
    for (const id of units)
      file.run(
        `UPDATE parcels SET (point_lon, point_lat, dataset_id, stacked_on) =
           (SELECT point_lon, point_lat, dataset_id, apn FROM parcels WHERE property_id = ?), geom = NULL WHERE property_id = ?`,
        ...[lot, id],
      );
    const around = (await neighboursOf(lot)).find(({ relation, direction }) => relation === 'abutting' && direction);
    const seen = (await neighboursOf(around?.property_id as number)).filter(({ stacked_on: on }) => on === lot);
    expect(seen.map(({ property_id: id }) => id).sort()).toEqual(units.toSorted());
    expect(new Set(seen.map(({ direction, relation }) => `${direction} ${relation}`)).size).toBe(1);
    // From within the stack: the lot itself, all its other accounts, and what lies around.
    const fromWithin = await neighboursOf(units[0] as number);
    const same = fromWithin.filter(({ direction }) => direction === null).map(({ property_id: id }) => id);
    expect(same.sort()).toEqual([lot, ...units.slice(1)].sort());
    expect(fromWithin.map(({ property_id: id }) => id)).toContain(around?.property_id);
    expect((await engine.call('list_neighbours', { id: lot })).notices).toEqual([
      '40 parcels lie on the same ground as this one.',
    ]);
  });

  test('the whole list against the stored pairs of the county', async () => {
    findStaleNeighbours(engine.land.file);
    const ids = createRandom(7)
      .shuffle(shapes())
      .slice(0, runs(60, 300))
      .map(({ property_id: id }) => id);
    for (const id of ids) {
      const list = (await neighboursOf(id)).filter(
        ({ stacked_on: on, direction }) => on === null && direction !== null,
      );
      const stored = engine.land.file.rawRows(
        `SELECT other_id, CASE WHEN shared_m > 0 THEN 'abutting' ELSE 'across' END,
           round(iif(shared_m > 0, shared_m, across_m) / 0.3048, 1) FROM parcel_neighbours WHERE property_id = ?`,
        id,
      );
      const live = list.map((one) => [one.property_id, one.relation, one.shared_feet]);
      expect(live.sort(), String(id)).toEqual(stored.sort());
    }
  });
});

describe('bad input', () => {
  const refused = (input: object) => expect(engine.callUnchecked('list_neighbours', input, { mode: 'script' })).rejects;

  test('a distance that is none, or beyond five miles', async () => {
    for (const within of [-1, 26_401, Number.NaN, 'near', null])
      await refused({ id: 1, within_feet: within }).toMatchObject({
        code: 'validation_error',
        details: { within_feet: [expect.any(String)] },
      });
  });

  test('no such parcel, and a page past the end', async () => {
    await refused({ id: 999_999_999 }).toMatchObject({ code: 'not_found' });
    await refused({ id: shapes()[0]?.property_id, page: 99 }).toMatchObject({ code: 'not_found' });
  });

  test('a parcel without a shape costs nothing and says why', async () => {
    const home = openHomeCopy(sampleHome());
    home.land.file.run('UPDATE parcels SET geom = NULL WHERE property_id = 100');
    const { data, tokens, notices } = await home.call('list_neighbours', { id: 100 });
    removeHome(home);
    expect([data.count, tokens]).toEqual([0, 0]);
    expect(notices).toEqual([expect.stringContaining('need shapes')]);
  });

  test('lots that overlap are listed, and the overlap is said', async () => {
    const home = openHomeCopy(sampleHome());
    const subject = shapes()[0] as Shape;
    const { w, e, s, n } = subject;
    const half = encodeMultiPolygon([[Float64Array.of(w, s, e, s, e, n, w, n, w, s)]]);
    home.land.file.run(
      `INSERT INTO parcels (apn, fips, status, dataset_id, point_lon, point_lat, geom)
       SELECT 'over', fips, 'current', dataset_id, ?, ?, ? FROM parcels WHERE property_id = ?`,
      ...[(w + e) / 2, (s + n) / 2 + 1e-6, half, subject.property_id],
    );
    const { data, notices } = await home.call('list_neighbours', { id: subject.property_id, within_feet: 0 });
    removeHome(home);
    expect(data.results.map(({ apn }) => apn)).toContain('over');
    expect(notices.join()).toContain('drawn over');
  });
});
