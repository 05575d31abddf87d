/** Which index answers which query; a changed plan here is a changed speed. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Engine } from '../../engine/index.ts';
import { parseFilterRequest } from '../../engine/query/filter-request.ts';
import { nothingLookedUp } from '../../engine/query/looked-up.ts';
import { matchQuery } from '../../engine/query/sql-filters/count-and-page.ts';
import { filterTerms } from '../../engine/query/sqlite-dialect.ts';
import { loadedCountiesSql } from '../../engine/store/land-store.ts';
import { openHomeCopy, removeHome, sampleHome } from '../support/homes.ts';

/** Twenty counties with many ZIPs: with one county in the file, reading all of it is the right plan for a county. */
function manyCounties(): Engine {
  const engine = openHomeCopy(sampleHome());
  const { file } = engine.land;
  for (let county = 1; county <= 20; county++) {
    file.run(
      `INSERT INTO parcels (property_id, fips, apn, apn_key, acres, calculated_acres, situs_zip, mailing_key, status)
       SELECT property_id + ${county * 10_000}, ?, apn, apn_key, acres, calculated_acres, ? || substr(situs_zip, 4), mailing_key || ?, status FROM parcels WHERE property_id < 10000`,
      String(20_000 + county),
      String(200 + county),
      String(county),
    );
  }
  file.exec('ANALYZE');
  return engine;
}

let shared: Engine;
beforeAll(() => {
  shared = manyCounties();
});

afterAll(() => removeHome(shared));

function planOf(body: Record<string, unknown>, mailingKey: string | null = null): string {
  const { sql, parameters } = matchQuery(
    filterTerms(parseFilterRequest(body), { ...nothingLookedUp, mailingKey }),
    null,
  );
  const steps = shared.land.file.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...parameters);
  return steps.map(({ detail }) => detail).join('\n');
}

const square = 'POLYGON((-71.83 44.10, -71.82 44.10, -71.82 44.11, -71.83 44.11, -71.83 44.10))';

describe('the plan of', () => {
  test.each<[string, Record<string, unknown>, RegExp]>([
    [
      'a county with an acreage range',
      { county: '99001', acres_min: 5, acres_max: 80 },
      /SEARCH parcels USING INDEX parcels_fips_acres \(fips=\? AND <expr>>\? AND <expr><\?\)/,
    ],
    ['a county', { county: '99001', vacant_only: true }, /SEARCH parcels USING INDEX parcels_fips_acres \(fips=\?\)/],
    ['several counties', { counties: ['99001', '33019'], acres_min: 5 }, /parcels_fips_acres \(fips=\?/],
    ['a ZIP code', { zips_include: ['00142'] }, /USING INDEX parcels_situs_zip \(situs_zip=\?\)/],
    ['an APN', { county: '99001', apn: '12-201' }, /USING INDEX parcels_apn_key \(apn_key=\? AND fips=\?\)/],
    ['an area', { geom_intersects: square }, /SCAN idx_parcels_geom VIRTUAL TABLE INDEX 2:[\s\S]*parcels_point_only/],
  ])('%s uses its index', (_name, body, expected) => {
    expect(planOf(body)).toMatch(expected);
  });

  test('the loaded counties use the index of counties', () => {
    const steps = shared.land.file.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${loadedCountiesSql}`);
    expect(steps.map(({ detail }) => detail)).toEqual([
      'SCAN c',
      'SEARCH p EXISTS USING INDEX parcels_fips_acres (fips=?)',
    ]);
    expect(shared.land.loadedCounties.map(({ fips }) => fips)).toContain('99001');
  });

  test('an owner portfolio uses its index', () => {
    expect(planOf({ owner_parcel_id: 1 }, 'SOME KEY')).toMatch(/USING INDEX parcels_mailing_key \(mailing_key=\?\)/);
  });

  test('an area looks parcels up by their id, and not all of them', () => {
    expect(planOf({ geom_intersects: square })).toMatch(/SEARCH parcels USING INTEGER PRIMARY KEY \(rowid=\?\)/);
  });
});
