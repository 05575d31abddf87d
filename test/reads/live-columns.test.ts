/** The reads of the app answered by the column index, against the same answered by SQL. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine } from '../../engine/index.ts';
import { byColumns, countByColumns, orderedIds, valuesByColumns } from '../../engine/query/live-by-columns.ts';
import { liveCount, liveCountBySql } from '../../engine/query/live-count.ts';
import { liveFacet, liveFacetBySql } from '../../engine/query/live-facet.ts';
import { histogramBySql, liveHistogram } from '../../engine/query/live-histogram.ts';
import {
  type LiveFilter,
  onlyUnknownFilters,
  parseLiveRequest,
  scopeOf,
  withoutFilter,
} from '../../engine/query/live-request.ts';
import { rowOrderings, scanIdsBySql } from '../../engine/query/live-rows.ts';
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
      fc.subarray([...onlyUnknownFilters]),
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
    if (request.ownerParcelId !== undefined) continue;
    expect(byColumns(engine.land, request, countByColumns), 'the index answers').not.toBeNull();
    expect(liveCount(engine.land, request)).toEqual(liveCountBySql(engine.land, request));
  }
  expect(asked.length).toBeGreaterThan(200);
});

test('values of text columns with their counts and labels agree', () => {
  const columns = filters.flatMap((row) => (row.kind === 'list' || row.kind === 'zips' ? [row.column] : []));
  for (const request of requests(40)) {
    if (request.ownerParcelId !== undefined) continue;
    for (const column of columns) {
      expect(byColumns(engine.land, request, (land, steps) => valuesByColumns(land, steps, column))).not.toBeNull();
      const { values, ...rest } = liveFacet(engine.land, request, column, 20);
      const { values: expected, ...others } = liveFacetBySql(engine.land, request, column, 20);
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
    if (request.ownerParcelId !== undefined) continue;
    for (const { name, column } of ranges) {
      const place = scopeOf(request);
      const others = withoutFilter(request, name);
      expect(liveHistogram(engine.land, request, { name, column }, 24)).toEqual(
        histogramBySql(engine.land, place, others, column, 24),
      );
    }
  }
});

test('whole results agree in every order', () => {
  const asked = requests(rowOrderings.length * 2).filter(({ ownerParcelId }) => ownerParcelId === undefined);
  let byIndex = 0;
  for (const [i, request] of asked.entries()) {
    const ordering = { column: rowOrderings[i % rowOrderings.length] ?? 'acres', descending: i % 3 === 0 };
    const found = byColumns(engine.land, request, (land, steps) => orderedIds(land, steps, ordering));
    if (!found) continue;
    byIndex++;
    expect([...found], JSON.stringify(ordering)).toEqual([...scanIdsBySql(engine.land, request, ordering)]);
  }
  expect(byIndex).toBeGreaterThan(asked.length / 2);
});
