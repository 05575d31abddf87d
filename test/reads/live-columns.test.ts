/** The reads of the app answered by the column index, against the same answered by SQL. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CountyColumns } from '../../engine/columns/county-columns.ts';
import { CountyMemory } from '../../engine/columns/county-memory.ts';
import { pageById } from '../../engine/columns/pages.ts';
import { indexStaleCounties } from '../../engine/columns/update-index.ts';
import type { Engine } from '../../engine/index.ts';
import { countyFacts } from '../../engine/query/county-facts.ts';
import { unknownableFilters } from '../../engine/query/filter-request.ts';
import { byColumns, countByColumns, orderedIds, valuesByColumns } from '../../engine/query/live-by-columns.ts';
import { type LiveFilter, onlyUnknownFilters, parseLiveRequest } from '../../engine/query/live-request.ts';
import { liveCount } from '../../engine/query/live-rows.ts';
import { liveFacet, liveHistogram } from '../../engine/query/live-values.ts';
import { ownerParcelOf } from '../../engine/query/looked-up.ts';
import { rowOrderings } from '../../engine/query/row-columns.ts';
import {
  countBySql,
  countyFactsBySql,
  orderedIdsBySql,
  sortedBySql,
  valuesBySql,
} from '../../engine/query/sql-filters/live-by-sql.ts';
import { type ReadOutputOf, runRead } from '../../engine/reads/index.ts';
import { filters } from '../../engine/spec/filters.ts';
import { filterArbitraries } from '../support/filter-bodies.ts';
import { openHomeCopy, plainParcels, removeHome, sampleHome } from '../support/homes.ts';

let engine: Engine;
beforeAll(() => {
  engine = openHomeCopy(sampleHome());
});
afterAll(() => removeHome(engine));

/** Bodies of the sample county of up to four filters, some of which keep their unknown values or want nothing else. */
function requests(count: number) {
  const each = filterArbitraries(plainParcels(engine));
  const bodies = fc
    .tuple(
      fc.subarray(Object.values(each), { maxLength: 4 }),
      fc.subarray([...unknownableFilters]),
      fc.subarray([...onlyUnknownFilters], { maxLength: 2 }),
    )
    .chain(([chosen, keep, only]) =>
      fc.tuple(...chosen).map((some) => ({
        counties: ['99001'],
        ...Object.assign({}, ...some),
        ...(keep.length > 0 ? { include_unknown: keep } : {}),
        ...(only.length > 0 ? { only_unknown: only } : {}),
      })),
    );
  return fc.sample(bodies, { numRuns: count, seed: 20261120 }).flatMap((body) => {
    try {
      return [parseLiveRequest(body as LiveFilter)];
    } catch {
      // Bounds of two filters that contradict one another.
      return [];
    }
  });
}

test('counts with the effect of each filter agree', () => {
  const asked = requests(300);
  for (const request of asked) {
    if (ownerParcelOf(request) !== undefined) continue;
    expect(byColumns(engine.land, request, countByColumns), 'the index answers').not.toBeNull();
    // Which values no parcel has, the index alone tells.
    expect({ ...liveCount(engine.land, request), absent: [] }).toEqual(countBySql(engine.land, request));
  }
  expect(asked.length).toBeGreaterThan(200);
});

test('values of text columns with their counts and labels agree', () => {
  const columns = filters.flatMap((row) => (row.kind === 'list' || row.kind === 'zips' ? [row.column] : []));
  for (const request of requests(40)) {
    if (ownerParcelOf(request) !== undefined) continue;
    for (const column of columns) {
      expect(byColumns(engine.land, request, (land, steps) => valuesByColumns(land, steps, column))).not.toBeNull();
      const { values, ...rest } = liveFacet(engine.land, request, column, 20);
      const { values: expected, ...others } = liveFacet(engine.land, request, column, 20, valuesBySql);
      expect([values.map(({ value, count }) => [value, count]), rest]).toEqual([
        expected.map(({ value, count }) => [value, count]),
        others,
      ]);
    }
  }
});

test('histograms agree', () => {
  const ranges = filters.flatMap((row) => (row.kind === 'range' ? [row] : []));
  for (const request of requests(40)) {
    if (ownerParcelOf(request) !== undefined) continue;
    for (const { name, column } of ranges) {
      expect(liveHistogram(engine.land, request, { name, column }, 24)).toEqual(
        liveHistogram(engine.land, request, { name, column }, 24, (land, place, of, use) =>
          use(sortedBySql(land, place, of)),
        ),
      );
    }
  }
});

test('whole results agree in every order', () => {
  const asked = requests(rowOrderings.length * 2).filter((request) => ownerParcelOf(request) === undefined);
  let byIndex = 0;
  for (const [i, request] of asked.entries()) {
    const ordering = { column: rowOrderings[i % rowOrderings.length] ?? 'acres', descending: i % 3 === 0 };
    const found = byColumns(engine.land, request, (land, steps) => orderedIds(land, steps, ordering));
    if (!found) continue;
    byIndex++;
    expect([...found], JSON.stringify(ordering)).toEqual([...orderedIdsBySql(engine.land, request, ordering)]);
  }
  expect(byIndex).toBeGreaterThan(asked.length / 2);
});

test('what is known of a county as a whole agrees, and the frame counts its current parcels', () => {
  const columns = ['structure_count', 'wetlands_percent', 'flood_zone_type', 'elevation_mean_ft', 'slope_area_percent'];
  engine.land.file.run("UPDATE parcels SET status = 'retired' WHERE property_id % 9 = 0");
  indexStaleCounties(engine.land.file);
  const [found, expected] = [countyFacts, countyFactsBySql].map((ask) => ask(engine.land, '99001', columns));
  expect(found?.parcels).toBe(expected?.parcels);
  expect(found?.known).toEqual(expected?.known);
  const [west, south, east, north] = found?.box ?? [];
  // Around shapes by the index, around their points by SQL.
  expect(expected?.box?.[0]).toBeGreaterThanOrEqual(west as number);
  expect(expected?.box?.[1]).toBeGreaterThanOrEqual(south as number);
  expect(expected?.box?.[2]).toBeLessThanOrEqual(east as number);
  expect(expected?.box?.[3]).toBeLessThanOrEqual(north as number);
  const counties = () => (runRead(engine, 'home', {}) as ReadOutputOf<'home'>).counties;
  expect(counties()).toEqual([{ fips: '99001', name: 'Alder County', state: 'ZZ', parcels: expected?.parcels }]);
  // By SQL, while the index is stale.
  engine.land.file.run("UPDATE parcels SET status = 'retired' WHERE property_id % 10 = 0");
  expect(counties()[0]?.parcels).toBe(countyFactsBySql(engine.land, '99001', []).parcels);
});

test('a page may be a whole result of more rows than a call has arguments', () => {
  const rows = 300_000;
  const memory = new CountyMemory(rows);
  const kernels = memory.kernels;
  const county = { memory, kernels, words: memory.words, rows, id: (row: number) => row + 1 };
  const ids = memory.withBitmap((bits) => {
    kernels.fillRows(bits, memory.words, rows);
    return pageById(
      [{ county: county as unknown as CountyColumns, bits, count: rows }],
      { offset: 0, size: rows },
      false,
    );
  });
  expect([ids.length, ids[0], ids.at(-1)]).toEqual([rows, 1, rows]);
});
