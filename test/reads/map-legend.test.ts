/** The map's legend: exact counts by the column index and by SQL, against every parcel read one by one. */
import { describe, expect, test } from 'vitest';
import type { Engine } from '../../engine/engine.ts';
import { type LegendNumber, legendNumbers, readable } from '../../engine/query/live-legend.ts';
import { parseLiveRequest } from '../../engine/query/live-request.ts';
import { boundsBySql, numbersBySql, textsBySql } from '../../engine/query/sql-filters/live-by-sql.ts';
import { type ReadOutputOf, runRead } from '../../engine/reads/index.ts';
import { engineOn, sampleHome } from '../support/homes.ts';

type Legend = ReadOutputOf<'map_legend'>;

const filter = { county: '99001', acres_min: 5 };

interface Row {
  readonly acres: number | null;
  readonly calculated_acres: number | null;
  readonly market_total_value: number | null;
  readonly assessed_total_value: number | null;
  readonly owner_type: string | null;
}

/** Parcels of the filter with a shape, by a query of the test's own. */
const rowsOf = (engine: Engine): Row[] =>
  engine.land.file
    .all<Row>("SELECT * FROM parcels WHERE fips = '99001' AND status = 'current' AND geom IS NOT NULL")
    .filter((row) => (row.acres ?? row.calculated_acres ?? 0) >= 5);

function numberOf(row: Row, column: LegendNumber): number | null {
  const acres = row.acres ?? row.calculated_acres;
  if (column === 'acres') return acres;
  const value = row.market_total_value ?? row.assessed_total_value;
  return value === null || !acres ? null : Math.round(value / acres);
}

const legend = (engine: Engine, input: object): Legend => runRead(engine, 'map_legend', { filter, ...input }) as Legend;

describe('the map legend', () => {
  test.each(['value_per_acre', 'acres'] as const)('counts every class of %s as a count one by one does', (column) => {
    const engine = engineOn(sampleHome());
    const values = rowsOf(engine).map((row) => numberOf(row, column));
    const known = values.filter((value) => value !== null);
    const { limits, counts, unknown } = legend(engine, { column });
    expect(limits.length).toBe(4);
    expect(limits).toEqual(limits.toSorted((a, b) => a - b));
    const edges = [Number.NEGATIVE_INFINITY, ...limits, Number.POSITIVE_INFINITY];
    const expected = edges
      .slice(1)
      .map((to, i) => known.filter((one) => one >= (edges[i] as number) && one < to).length);
    expect(counts).toEqual(expected);
    expect(unknown).toBe(values.length - known.length);
    // Quantiles, rounded: no class is empty, and none holds half of all.
    for (const count of counts) expect(count).toBeGreaterThan(0);
    for (const count of counts) expect(count).toBeLessThan(known.length / 2);
    // SQL gives the same values, which the column index has counted here.
    const bySql = numbersBySql(engine.land, parseLiveRequest(filter), legendNumbers[column]);
    expect([...bySql].filter((one) => !Number.isNaN(one)).sort()).toEqual(known.toSorted());
  });

  test('keeps to limits that are given, and counts a value on a limit above it', () => {
    const engine = engineOn(sampleHome());
    const values = rowsOf(engine).map((row) => numberOf(row, 'acres') as number);
    const { limits, counts } = legend(engine, { column: 'acres', limits: [10, 40] });
    expect(limits).toEqual([10, 40]);
    expect(counts).toEqual([
      values.filter((acres) => acres < 10).length,
      values.filter((acres) => acres >= 10 && acres < 40).length,
      values.filter((acres) => acres >= 40).length,
    ]);
  });

  test('counts kinds of owners in the order asked, the others as unknown', () => {
    const engine = engineOn(sampleHome());
    const rows = rowsOf(engine);
    const of = (value: string) => rows.filter(({ owner_type: type }) => type === value).length;
    const { counts, unknown } = legend(engine, { column: 'owner_type', values: ['company', 'individual'] });
    expect(counts).toEqual([of('company'), of('individual')]);
    expect(unknown).toBe(rows.length - of('company') - of('individual'));
    const bySql = textsBySql(engine.land, parseLiveRequest(filter), 'owner_type');
    expect(bySql.get('company')).toBe(of('company'));
  });

  test('rounds limits to numbers that people read', () => {
    // Two digits, the second 0 or 5: 4,260 → 4.5 thousand, 6,180 → 6, 0.137 → 0.15, 96 → 95 (9.6 is nearer to 9.5 than to 10).
    expect([4260, 6180, 0.137, 96, 0].map(readable)).toEqual([4500, 6000, 0.15, 95, 0]);
  });

  test('shows all results in a box around them, which while an index is made is that of their points', () => {
    const engine = engineOn(sampleHome());
    const places = engine.land.file
      .all<{ acres: number | null; calculated_acres: number | null; w: number; e: number; s: number; n: number }>(
        `SELECT acres, calculated_acres, coalesce(xmin, point_lon) AS w, coalesce(xmax, point_lon) AS e,
           coalesce(ymin, point_lat) AS s, coalesce(ymax, point_lat) AS n
         FROM parcels LEFT JOIN idx_parcels_geom ON pkid = property_id
         WHERE fips = '99001' AND status = 'current' AND point_lon IS NOT NULL`,
      )
      .filter((row) => (row.acres ?? row.calculated_acres ?? 0) >= 5);
    const world = [-180, -90, 180, 90] as const;
    const { bounds } = runRead(engine, 'result_bounds', { filter, view: world }) as { bounds: number[] | null };
    const around = [
      Math.min(...places.map(({ w }) => w)),
      Math.min(...places.map(({ s }) => s)),
      Math.max(...places.map(({ e }) => e)),
      Math.max(...places.map(({ n }) => n)),
    ];
    // Both are 32-bit floats rounded outwards.
    for (const [side, degrees] of around.entries()) expect(bounds?.[side]).toBeCloseTo(degrees, 5);
    const points = boundsBySql(engine.land, parseLiveRequest(filter), world).bounds ?? [];
    expect(points).toHaveLength(4);
    for (const side of [0, 1]) expect(points[side]).toBeGreaterThanOrEqual(bounds?.[side] as number);
    for (const side of [2, 3]) expect(points[side]).toBeLessThanOrEqual(bounds?.[side] as number);
  });

  test('says which share of the results a view shows, with an index and without', () => {
    const engine = engineOn(sampleHome());
    const wanted = "fips = '99001' AND status = 'current' AND coalesce(acres, calculated_acres) >= 5";
    const { x, y } = engine.land.file.get(
      `SELECT avg(point_lon) AS x, avg(point_lat) AS y FROM parcels WHERE ${wanted}`,
    ) as { x: number; y: number };
    const west = [x - 1, y - 1, x, y + 1] as const;
    const { n, all } = engine.land.file.get(
      `SELECT count(*) FILTER (WHERE point_lon <= ?) AS n, count(point_lon) AS "all" FROM parcels WHERE ${wanted}`,
      x,
    ) as { n: number; all: number };
    const request = parseLiveRequest(filter);
    expect(boundsBySql(engine.land, request, west).share).toBe(n / all);
    const share = (view: readonly number[]) =>
      (runRead(engine, 'result_bounds', { filter, view }) as { share: number }).share;
    // By the middle of their boxes, which is not always the point.
    expect(share(west)).toBeCloseTo(n / all, 1);
    expect(share([0, 0, 1, 1])).toBe(0);
  });
});
