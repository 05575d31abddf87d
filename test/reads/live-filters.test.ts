/** Count, effects, lists of values and histograms of the panel, each against plain JavaScript over plain rows. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { indexStaleCounties } from '../../engine/columns/update-index.ts';
import type { Engine, InputOf } from '../../engine/index.ts';
import { unknownableFilters } from '../../engine/query/filter-request.ts';
import { onlyUnknownFilters, parseLiveRequest } from '../../engine/query/live-request.ts';
import { edgesOf, liveFacet } from '../../engine/query/live-values.ts';
import { sortedList, valuesBySql } from '../../engine/query/sql-filters/live-by-sql.ts';
import { type ReadInputOf, type ReadName, type ReadOutputOf, runRead } from '../../engine/reads/index.ts';
import { filterKinds } from '../../engine/spec/filter-kinds.ts';
import { filters } from '../../engine/spec/filters.ts';
import { filterArbitraries } from '../support/filter-bodies.ts';
import { type FilterBody, isUnknownTo, type TwinParcel, twinFilter } from '../support/filter-twin.ts';
import { openHomeCopy, plainParcels, removeHome, sampleHome } from '../support/homes.ts';

let engine: Engine;
let parcels: TwinParcel[];
beforeAll(() => {
  engine = openHomeCopy(sampleHome());
  parcels = plainParcels(engine);
});
afterAll(() => removeHome(engine));

const read = <Name extends ReadName>(name: Name, input: ReadInputOf<Name>): ReadOutputOf<Name> =>
  runRead(engine, name, input) as ReadOutputOf<Name>;

const county: FilterBody = { counties: ['99001'] };

/** A body of up to five filters, some of which unknown values pass. */
function bodies(): fc.Arbitrary<FilterBody> {
  const { state: _state, zips_include: _zips, ...each } = filterArbitraries(parcels);
  return fc
    .tuple(fc.subarray(Object.values(each), { minLength: 1, maxLength: 5 }), fc.nat(3))
    .chain(([some, keep]) => fc.tuple(fc.tuple(...some), fc.constant(keep)))
    .map(([parts, keep]) => {
      const body: FilterBody = Object.assign({}, county, ...parts);
      const kept = namesIn(body).filter((name, i) => unknownableFilters.includes(name) && i % 4 === keep);
      return kept.length > 0 ? { ...body, include_unknown: kept } : body;
    });
}

const fieldsOf = (name: string): string[] => {
  const row = filters.find((one) => one.name === name);
  return row ? Object.keys(filterKinds[row.kind].fields(row)) : [];
};

const namesIn = (body: FilterBody): string[] =>
  filters.map(({ name }) => name).filter((name) => fieldsOf(name).some((field) => field in body));

const without = (body: FilterBody, name: string): FilterBody => {
  const kept = Object.fromEntries(Object.entries(body).filter(([field]) => !fieldsOf(name).includes(field)));
  return withUnknown(kept, (names) => names.filter((one) => one !== name));
};

function withUnknown(body: FilterBody, change: (names: string[]) => string[]): FilterBody {
  const { include_unknown: given, ...rest } = body;
  const names = change((given as string[] | undefined) ?? []);
  return names.length > 0 ? { ...rest, include_unknown: names } : rest;
}

/** Parcels that pass all other filters and whose value for this one is unknown, whether it drops or keeps them. */
function unknownOf(body: FilterBody, name: string): number[] {
  const others = twinIds(without(body, name));
  const fields = fieldsOf(name).filter((field) => field in body);
  return parcels
    .filter((parcel) => others.has(parcel.property_id) && fields.some((field) => isUnknownTo(field, parcel, body)))
    .map((parcel) => parcel.property_id);
}

const twinIds = (body: FilterBody): Set<number> => new Set(twinFilter(body, parcels));

test('count, parcels without a shape, and what each filter removes and cannot tell agree with the twin', () => {
  const shapeless = new Set(parcels.filter(({ geom }) => geom === null).map(({ property_id: id }) => id));
  fc.assert(
    fc.property(bodies(), (body) => {
      const matches = twinIds(body);
      const found = read('count_properties', { filter: body });
      expect(found.count).toBe(matches.size);
      expect(found.without_shape).toBe([...matches].filter((id) => shapeless.has(id)).length);
      for (const { name, removes, unknown } of found.filters) {
        expect(removes, `removed by ${name}`).toBe(twinIds(without(body, name)).size - matches.size);
        expect(unknown, `unknown to ${name}`).toBe(unknownOf(body, name).length);
      }
    }),
    { numRuns: 60, seed: 6 },
  );
});

test('only the unknown of a filter are exactly what keeping them adds', () => {
  fc.assert(
    fc.property(bodies(), (body) => {
      // `exclude_…: false` is no filter, so nothing is unknown to it.
      const isOn = (one: string) => !one.startsWith('exclude_') || body[one] === true;
      const name = namesIn(body).find((one) => onlyUnknownFilters.includes(one) && isOn(one));
      if (name === undefined) return;
      const { count, rows } = read('result_page', {
        filter: { ...body, only_unknown: [name] },
        columns: ['apn'],
        limit: 1000,
      });
      const expected = unknownOf(body, name);
      expect(count).toBe(expected.length);
      expect(rows.map((row) => row.property_id)).toEqual(expected.sort((a, b) => a - b).slice(0, 1000));
    }),
    { numRuns: 40, seed: 16 },
  );
});

test('the panel counts what the public API counts', async () => {
  for (const body of fc.sample(bodies(), { numRuns: 40, seed: 26 })) {
    const { data } = await engine.call('filter_properties', { ...body, page_size: 1 } as InputOf<'filter_properties'>);
    expect(read('count_properties', { filter: body }).count, JSON.stringify(body)).toBe(data.count);
  }
});

test('rows come in every order with unknown values last, and pages put together are the whole', () => {
  const filter = { county: '99001', acres_min: 40 };
  const all = read('result_page', {
    filter,
    columns: ['market_total_value'],
    ordering: '-market_value_per_acre',
    limit: 1000,
  });
  const pages = [0, 1, 2].flatMap(
    (page) =>
      read('result_page', {
        filter,
        columns: ['market_total_value'],
        ordering: '-market_value_per_acre',
        offset: page * 50,
        limit: 50,
      }).rows,
  );
  expect(pages).toEqual(all.rows.slice(0, 150));
  const expected = twinFilter(filter, parcels)
    .flatMap((id) => parcels.filter((parcel) => parcel.property_id === id))
    .map((parcel) => {
      const value = parcel.market_total_value as number | null;
      const acres = (parcel.acres ?? parcel.calculated_acres) as number | null;
      return { id: parcel.property_id, perAcre: value === null || acres === null ? null : value / acres };
    })
    .sort((a, b) => (b.perAcre ?? -1) - (a.perAcre ?? -1) || a.id - b.id);
  expect(all.rows.map((row) => row.property_id)).toEqual(expected.map(({ id }) => id).slice(0, 1000));
  const last = expected.at(-1)?.id ?? 0;
  expect(read('result_page', { filter, columns: ['apn'], ordering: '-market_value_per_acre', find: last }).index).toBe(
    expected.length - 1,
  );
});

test('a result is scanned again after the file is written', () => {
  const filter = { county: '99001', apn: '12-201' };
  const before = read('result_page', { filter, columns: ['apn'] });
  expect(before.count).toBeGreaterThan(0);
  const id = before.rows[0]?.property_id as number;
  engine.land.file.run("UPDATE parcels SET status = 'retired' WHERE property_id = ?", id);
  expect(read('result_page', { filter, columns: ['apn'] }).count).toBe(before.count - 1);
  engine.land.file.run("UPDATE parcels SET status = 'current' WHERE property_id = ?", id);
  expect(read('result_page', { filter, columns: ['apn'] }).count).toBe(before.count);
});

describe('lists of values', () => {
  test('the choices of land use are the values of the file with their counts, other filters applied', () => {
    const filter = { county: '99001', acres_min: 5, land_use_codes: ['NOTHING'] };
    const { values, distinct, unknown } = read('facet', { filter, name: 'land_use_codes' });
    const matching = twinIds({ county: '99001', acres_min: 5 });
    const counts = new Map<string | null, number>();
    for (const parcel of parcels) {
      if (!matching.has(parcel.property_id)) continue;
      const code = parcel.land_use_code as string | null;
      counts.set(code, (counts.get(code) ?? 0) + 1);
    }
    expect(unknown).toBe(counts.get(null) ?? 0);
    counts.delete(null);
    expect(distinct).toBe(counts.size);
    expect(new Map(values.map(({ value, count }) => [value, count]))).toEqual(counts);
    expect(values.map(({ count }) => count)).toEqual([...counts.values()].sort((a, b) => b - a));
  });

  test('a land use is called what most of its parcels are called, by the index and without it', () => {
    const filter = { county: '99001' };
    const uses = () =>
      read('facet', { filter, name: 'land_use_codes' }).values.map(({ value, label }) => [value, label]);
    const before = uses();
    const code = String(before[0]?.[0]);
    const { file } = engine.land;
    const some = 'WHERE property_id IN (SELECT property_id FROM parcels WHERE land_use_code = ? LIMIT 3)';
    // Later in the alphabet than every other.
    file.run(`UPDATE parcels SET land_use_description = 'ZZZ WOODS' ${some}`, code);
    indexStaleCounties(file);
    expect(uses()).toEqual(before);
    expect(
      liveFacet(engine.land, parseLiveRequest(filter), 'land_use_code', 200, valuesBySql).values.map(
        ({ value, label }) => [value, label],
      ),
    ).toEqual(before);
    file.run(`UPDATE parcels SET land_use_description = ? ${some}`, String(before[0]?.[1]), code);
  });

  test('coverage counts the known values of each filter, and the sample says nothing of HOA mailing ids it lacks', () => {
    const { parcels: total, filters: known } = read('coverage', { filter: { county: '99001' } });
    const current = parcels.filter(({ status }) => status === 'current');
    expect(total).toBe(current.length);
    const flood = known.find(({ name }) => name === 'flood_zone_percent')?.known;
    expect(flood).toBe(current.filter((parcel) => parcel.flood_zone_percent !== null).length);
    expect(known.map(({ name }) => name)).toEqual(filters.map(({ name }) => name));
  });
});

describe('histograms', () => {
  test('every known value of the place is in one bar, and matching ones are those of the other filters', () => {
    const filter = { county: '99001', acres_min: 500, out_of_state_owner: true };
    const { all, matching, edges, scale, unknown } = read('histogram', { filter, name: 'acres' });
    const current = parcels.filter(({ status }) => status === 'current');
    const known = current.filter((parcel) => (parcel.acres ?? parcel.calculated_acres) !== null);
    const sum = (counts: readonly number[]) => counts.reduce((a, b) => a + b, 0);
    expect(sum(all)).toBe(known.length);
    expect(unknown).toBe(current.length - known.length);
    const outOfState = twinIds({ county: '99001', out_of_state_owner: true });
    expect(sum(matching)).toBe(known.filter(({ property_id: id }) => outOfState.has(id)).length);
    expect(edges).toEqual([...edges].sort((a, b) => a - b));
    expect(edges.length).toBe(all.length + 1);
    expect(scale).toBe('log');
  });

  test('even numbers get even steps of 1, 2 or 5, wide ones even ratios', () => {
    // 0 to 99 in at most 12 bars: 99 / 12 = 8.25, the next round step is 10.
    const even = Array.from({ length: 100 }, (_, i) => i);
    expect(edgesOf(sortedList(even), 12)).toEqual({
      scale: 'linear',
      edges: [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100],
    });
    // 1, 10, … 100,000, five of each: even steps would put most of it into one bar; five ratios of 10.
    const wide = [1, 10, 100, 1000, 10_000, 100_000].flatMap((value) => new Array<number>(5).fill(value));
    expect(edgesOf(sortedList(wide), 5)).toEqual({ scale: 'log', edges: [1, 10, 100, 1000, 10_000, 100_000] });
    expect(edgesOf(sortedList([]), 5)).toEqual({ scale: 'linear', edges: [] });
    expect(edgesOf(sortedList([7]), 5).edges).toEqual([7, 14]);
  });
});
