/** `geom_intersects` through the whole engine (R-tree, exact test, points) against SpatiaLite's ST_Intersects. */
import path from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { decodeMultiPolygon } from '../../engine/geo/spatialite-blob.ts';
import type { Engine } from '../../engine/index.ts';
import { buildQueries } from '../geo/area-queries.ts';
import { engineOn, realHome, sampleHome } from '../support/homes.ts';
import { requireOrSkip } from '../support/require.ts';
import { realDataOrSkip } from '../support/shared-data.ts';

function loadable(): boolean {
  const database = new Database(':memory:');
  try {
    database.loadExtension('mod_spatialite');
    return true;
  } catch {
    return false;
  } finally {
    database.close();
  }
}

const spatialite = requireOrSkip(
  'mod_spatialite',
  loadable(),
  'the Debian package libsqlite3-mod-spatialite is not installed',
);

async function idsInside(engine: Engine, wkt: string): Promise<number[]> {
  const ids: number[] = [];
  for await (const parcel of engine.each('filter_properties', { geom_intersects: wkt, page_size: 500 }))
    ids.push(parcel.property_id);
  return ids;
}

const homes: [string, () => string | null][] = [
  ['the sample county', sampleHome],
  ['two real counties', realHome],
];

describe.runIf(spatialite).each(homes)('on %s', (name, home) => {
  const folder = home();

  test.runIf(folder !== null || realDataOrSkip(`areas on ${name}`))(
    '240 random areas hold the parcels that GEOS finds',
    async () => {
      const engine = engineOn(folder ?? '');
      const oracle = new Database(path.join(engine.home, 'land.sqlite'), { readonly: true });
      oracle.loadExtension('mod_spatialite');
      // GEOS promises nothing for rings that cross themselves; both sides leave them out.
      const valid = new Set(
        oracle.prepare('SELECT property_id FROM parcels WHERE ST_IsValid(geom) = 1').pluck().all() as number[],
      );
      const shapes = oracle.prepare('SELECT geom FROM parcels WHERE ST_IsValid(geom) = 1').pluck().all() as Buffer[];
      const inside = oracle
        .prepare(`
      SELECT property_id FROM parcels, (SELECT GeomFromText(?, 4326) AS area)
      WHERE geom IS NOT NULL AND MbrIntersects(geom, area) AND ST_Intersects(geom, area) = 1 ORDER BY property_id`)
        .pluck();
      const differences: string[] = [];
      let found = 0;
      for (const wkt of buildQueries(shapes.map(decodeMultiPolygon), 20261120)) {
        const theirs = (inside.all(wkt) as number[]).filter((id) => valid.has(id));
        const ours = (await idsInside(engine, wkt)).filter((id) => valid.has(id));
        found += theirs.length;
        if (ours.join() !== theirs.join())
          differences.push(`${ours.length} against ${theirs.length}: ${wkt.slice(0, 200)}`);
      }
      oracle.close();
      expect(differences).toEqual([]);
      expect(found).toBeGreaterThan(10_000);
    },
  );
});

test('a parcel that has only a point matches by its point, and one without either never', async () => {
  const engine = engineOn(sampleHome());
  const { file } = engine.land;
  file.run(
    "INSERT INTO parcels (property_id, fips, apn, point_lon, point_lat) VALUES (900001, '99001', 'POINT-1', -71.5, 44.5)",
  );
  file.run("INSERT INTO parcels (property_id, fips, apn) VALUES (900002, '99001', 'NOWHERE-1')");
  expect(await idsInside(engine, 'POLYGON((-71.6 44.4, -71.4 44.4, -71.4 44.6, -71.6 44.6, -71.6 44.4))')).toEqual([
    900001,
  ]);
  expect(await idsInside(engine, 'POINT(-71.5 44.5)')).toEqual([900001]);
  expect(await idsInside(engine, 'POINT(-71.5 44.500001)')).toEqual([]);
  expect(await idsInside(engine, 'POLYGON((-180 -90, 180 -90, 180 90, -180 90, -180 -90))')).not.toContain(900002);
});

test('an area that takes too long is refused as too broad, not charged, and the engine goes on', async () => {
  let time = 0;
  // Every look at the clock is 50 ms later: the deadline of 2 s is met within 40 looks.
  const engine = engineOn(sampleHome(), { steadyNow: () => (time += 50) });
  // Lines through the county: every parcel along them needs the exact test.
  await expect(
    engine.call('filter_properties', { geom_intersects: 'LINESTRING(-72 44, -71.65 44.2, -72 44.2, -71.65 44)' }),
  ).rejects.toMatchObject({
    code: 'validation_error',
    message: expect.stringContaining('too broad'),
  });
  expect((await engine.call('get_property', { id: 1 })).tokens).toBe(10);
  expect((await engine.call('get_usage', {})).data.tokens_used).toBe(10);
});
