import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Engine, InputOf } from '../../engine/index.ts';
import { unknownableFilters } from '../../engine/query/filter-request.ts';
import { wireFields } from '../../engine/spec/filter-kinds.ts';
import { filters } from '../../engine/spec/filters.ts';
import { filterArbitraries, scopeOf } from '../support/filter-bodies.ts';
import { type FilterBody, type TwinParcel, twinFields, twinFilter } from '../support/filter-twin.ts';
import { engineOn, plainParcels, realHome, sampleHome } from '../support/homes.ts';
import { realDataOrSkip } from '../support/shared-data.ts';

const pageSize = 500;

/** The count, the first page and the last page; pages between are the business of the paging tests. */
async function engineFilter(
  engine: Engine,
  body: FilterBody,
): Promise<{ count: number; first: number[]; last: number[] }> {
  const ask = async (page: number) =>
    (await engine.call('filter_properties', { ...body, page, page_size: pageSize } as InputOf<'filter_properties'>))
      .data;
  const ids = ({ results }: { results: { property_id: number }[] }) => results.map(({ property_id }) => property_id);
  const first = await ask(1);
  const pages = Math.max(1, Math.ceil(first.count / pageSize));
  return { count: first.count, first: ids(first), last: pages === 1 ? ids(first) : ids(await ask(pages)) };
}

const noCap = (engine: Engine) => engine.account.file.run('UPDATE plan SET cap_tokens = NULL');

async function agreesOn(engine: Engine, parcels: readonly TwinParcel[], body: FilterBody): Promise<number> {
  const expected = twinFilter(body, parcels);
  const lastPage = Math.max(0, Math.ceil(expected.length / pageSize) - 1) * pageSize;
  expect(await engineFilter(engine, body), JSON.stringify(body)).toEqual({
    count: expected.length,
    first: expected.slice(0, pageSize),
    last: expected.slice(lastPage),
  });
  return expected.length;
}

/** By shapes, which the twin has not: `neighbour-filter.test.ts` asks them. */
const ofNeighbours = ['neighbour_of', 'within_feet'];

test('the twin knows every wire field of the filter table', () => {
  expect([...wireFields(filters).keys()].filter((field) => !twinFields.has(field))).toEqual(ofNeighbours);
});

const homes: [string, () => string | null][] = [
  ['the sample county', sampleHome],
  ['two real counties', realHome],
];

describe.each(homes)('on %s', (name, home) => {
  const folder = home();
  const available = folder !== null || realDataOrSkip(`filters on ${name}`);

  test.runIf(available)(
    'each filter alone agrees with its brute-force twin, unknown values dropped and kept',
    async () => {
      const engine = engineOn(folder ?? '');
      noCap(engine);
      const parcels = plainParcels(engine);
      const scope = scopeOf(parcels);
      for (const [filter, arbitrary] of Object.entries(filterArbitraries(parcels))) {
        const matches: number[] = [];
        for (const body of fc.sample(arbitrary, { numRuns: 8, seed: 20261120 })) {
          matches.push(await agreesOn(engine, parcels, { ...scope, ...body }));
          if (unknownableFilters.includes(filter))
            matches.push(await agreesOn(engine, parcels, { ...scope, ...body, include_unknown: [filter] }));
        }
        // A filter that never matches anything on the sample would prove nothing.
        if (folder === sampleHome()) expect(Math.max(...matches), filter).toBeGreaterThan(0);
      }
    },
  );

  test.runIf(available)('combinations of filters agree with their brute-force twin', async () => {
    const engine = engineOn(folder ?? '');
    noCap(engine);
    const parcels = plainParcels(engine);
    const some = fc
      .tuple(
        fc.subarray(Object.values(filterArbitraries(parcels)), { minLength: 2, maxLength: 5 }),
        fc.subarray([...unknownableFilters], { minLength: 1 }),
        fc.boolean(),
      )
      .chain(([chosen, unknown, include]) =>
        fc
          .tuple(...chosen)
          .map((bodies) => ({ ...Object.assign({}, ...bodies), ...(include ? { include_unknown: unknown } : {}) })),
      );
    const scope = scopeOf(parcels);
    for (const body of fc.sample(some, { numRuns: 250, seed: 20261121 })) {
      const given = body as Record<string, number>;
      if ((given.road_frontage_min ?? 0) > (given.road_frontage_max ?? Number.POSITIVE_INFINITY)) continue;
      await agreesOn(engine, parcels, { ...scope, ...body });
    }
  });
});
