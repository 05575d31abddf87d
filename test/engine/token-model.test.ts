/** Every operation against a model of the price table of engine/API.md, "Operations", over one random walk: usage = model. */
import { expect, test } from 'vitest';
import { changePlan } from '../../engine/account/plan.ts';
import { checkHome } from '../../engine/check.ts';
import { EngineError } from '../../engine/index.ts';
import { operations } from '../../engine/operations/index.ts';
import { createRandom } from '../sample-maker/random.ts';
import { engineOn, sampleHome } from '../support/homes.ts';
import { fullSize, measured, runs } from '../support/runs.ts';

type Random = ReturnType<typeof createRandom>;
type Answer = Record<string, unknown>;

/** The price of an answer, written independently; errors cost nothing. */
const model: Record<string, (answer: Answer) => number> = {
  filter_properties: ({ count }) => (count === 0 ? 0 : 30),
  search_properties: ({ count }) => (count === 0 ? 0 : 10),
  get_property: () => 10,
  get_owner: () => 10,
  judge_owners: () => 0,
  list_deals: () => 0,
  update_deal: () => 0,
  list_neighbours: ({ count }) => (count === 0 ? 0 : 10),
  list_comps: ({ results }) => (results as unknown[]).length,
  get_property_ai_comp_value: () => 10,
  get_ai_comp_values: ({ results }) =>
    10 * new Set((results as Answer[]).flatMap((row) => (row.error === null ? [row.property_id] : []))).size,
  skip_trace_owner: ({ matched }) => (matched ? 20 : 0),
  skip_trace_property_owner: ({ matched }) => (matched ? 20 : 0),
  get_market_stats: () => 10,
  list_regions: () => 0,
  save_market: () => 0,
  list_saved_markets: () => 0,
  update_saved_market: () => 0,
  unsave_market: () => 0,
  get_usage: () => 0,
  get_usage_breakdown: () => 0,
  list_datasets: () => 0,
  list_values: () => 0,
  make_feed: () => 0,
  list_feeds: () => 0,
  renew_feed: () => 0,
  revoke_feed: () => 0,
};

const inputs: Record<string, (random: Random, regions: readonly string[]) => unknown> = {
  filter_properties: (random) => ({
    county: random.pick(['99001', '99001', '33019']),
    acres_min: random.integer(1, 900),
    page: random.integer(1, 3),
  }),
  search_properties: (random) => ({
    fips: '99001',
    owner_name: random.pick(['town', 'smith', 'nobody at all', 'llc']),
  }),
  get_property: (random) => ({ id: random.integer(1, 7000) }),
  get_owner: (random) => ({ id: random.integer(1, 7000) }),
  judge_owners: (random) => ({
    property_id: random.integer(1, 7000),
    other_ids: [random.integer(1, 7000)],
    verdict: random.pick(['same', 'different', 'shares', 'none']),
  }),
  list_deals: (random) => ({ due: [random.pick(['overdue', 'later', 'none', 'soon'])], page: random.integer(1, 2) }),
  update_deal: (random) => ({
    ids: [random.integer(1, 7000)],
    stage: random.pick(['mailed', 'closed', 'nowhere']),
    offer: random.integer(1, 90_000),
  }),
  list_neighbours: (random) => ({ id: random.integer(1, 7000), within_feet: random.pick([0, 300, -1]) }),
  list_comps: (random) => ({
    fips: '99001',
    status: [random.pick(['SOLD', 'ACTIVE', 'PENDING', 'sold'])],
    acres_min: random.integer(1, 200),
    page_size: 7,
  }),
  get_property_ai_comp_value: (random) => ({ id: random.integer(1, 7000) }),
  get_ai_comp_values: (random) => {
    const [id, other] = [random.integer(1, 7000), random.integer(1, 12_000)];
    return { property_ids: random.pick([[id, other, id], [other], []]) };
  },
  skip_trace_owner: (random) => ({
    first_name: 'Mei',
    last_name: random.pick(['Lavallee', 'Nobody']),
    zip: random.pick(['00142', '00144', '1']),
  }),
  skip_trace_property_owner: (random) => ({ id: random.integer(1, 7000) }),
  get_market_stats: (random) => ({ fips: random.pick(['99001', '33019', '00000']) }),
  list_regions: (random) => ({ search: random.pick(['alder', '00142', 'zzz']) }),
  save_market: (random, regions) => ({
    region_id: random.pick([...regions, 'no-region']),
    status: random.pick(['Backlog', 'Watching']),
  }),
  list_saved_markets: () => ({}),
  update_saved_market: (random) => ({ id: random.integer(1, 5), status: 'Active' }),
  unsave_market: (random) => ({ id: random.integer(1, 5) }),
  get_usage: () => ({}),
  get_usage_breakdown: (random) => random.pick([{}, { unknown: 1 }]),
  list_datasets: () => ({}),
  list_values: (random) => ({ fips: random.pick(['99001', '33019']), column: random.pick(['zoning', 'acres']) }),
  make_feed: (random) => ({
    name: 'lots',
    kind: 'search',
    input: random.pick([{ county: '99001' }, { acres_min: 1 }]),
  }),
  list_feeds: () => ({}),
  renew_feed: (random) => ({ feed_id: random.integer(1, 5) }),
  revoke_feed: (random) => ({ feed_id: random.integer(1, 9) }),
};

test('the model and the inputs know every operation', () => {
  const names = operations.map(({ name }) => name).sort();
  expect(Object.keys(model).sort()).toEqual(names);
  expect(Object.keys(inputs).sort()).toEqual(names);
});

const calls = runs(600, 600, 10_000);

test('random calls of all operations cost what the contract says, each and together', {
  timeout: fullSize(60_000, 900_000),
}, async () => {
  let time = Date.parse('2026-11-10T00:00:00Z');
  // Ten seconds a call: the limit of skip traces is met now and then, and its refusals are free as well.
  const engine = engineOn(sampleHome(), { now: () => new Date(time) });
  const random = createRandom('token model');
  const { data } = await engine.call('list_regions', { search: 'alder' });
  const regions = data.results.map(({ id }) => id);
  const outcomes = new Map<string, number>();
  let used = 0;
  for (let n = 0; n < calls; n++) {
    time += random.pick([100, 10_000]);
    // Toward the end the cap is reached: refused calls are free, and free calls still pass.
    if (n === Math.floor((calls * 5) / 6)) changePlan(engine.account, { cap_tokens: used + 35 });
    const { name } = random.pick(operations);
    const outcome = await engine.callUnchecked(name, inputs[name]?.(random, regions), { mode: 'script' }).then(
      (answer) => {
        expect(answer.tokens, name).toBe(model[name]?.(answer.data as Answer));
        used += answer.tokens;
        return `${name}: ${answer.tokens > 0 ? 'charged' : 'free'}`;
      },
      (error: unknown) => {
        if (!(error instanceof EngineError)) throw error;
        expect(error.code, `${name}: ${error.message}`).not.toBe('internal_error');
        return error.code;
      },
    );
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    expect((await engine.call('get_usage', {})).data.tokens_used).toBe(used);
  }
  // The walk went everywhere: each priced operation was charged, and each kind of refusal was met.
  const priced = [
    'filter_properties',
    'search_properties',
    'get_property',
    'get_owner',
    'list_comps',
    'get_property_ai_comp_value',
    'skip_trace_property_owner',
    'get_market_stats',
  ];
  expect(priced.filter((name) => !outcomes.has(`${name}: charged`))).toEqual([]);
  expect([...outcomes.keys()]).toEqual(
    expect.arrayContaining(['validation_error', 'not_found', 'usage_limit_exceeded']),
  );
  expect(checkHome(engine).filter(({ ok }) => !ok)).toEqual([]);
  measured(`${calls} random calls: usage = model after each, ${used} tokens`);
});
