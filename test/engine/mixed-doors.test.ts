/** One ledger behind every door: library, HTTP and command line at once, in several processes. */
import { expect, test } from 'vitest';
import { createKey } from '../../engine/account/api-keys.ts';
import { checkHome } from '../../engine/check.ts';
import { startServer } from '../../engine/http/server.ts';
import { createRandom } from '../sample-maker/random.ts';
import { engineOn, sampleHome } from '../support/homes.ts';
import { platbook } from '../support/platbook.ts';

interface Call {
  readonly operation: string;
  readonly input: Record<string, unknown>;
}

/** A third of the calls find nothing or are wrong, so that free outcomes are among them. */
function randomCall(random: ReturnType<typeof createRandom>): Call {
  const id = random.integer(1, 8000);
  return random.pick<() => Call>([
    () => ({
      operation: 'filter_properties',
      input: { county: '99001', acres_min: random.integer(1, 300), page_size: 2 },
    }),
    () => ({ operation: 'filter_properties', input: { county: '33019' } }),
    () => ({ operation: 'filter_properties', input: { acres_min: 1 } }),
    () => ({
      operation: 'search_properties',
      input: { fips: '99001', apn: `${random.integer(10, 16)}-${random.integer(100, 400)}` },
    }),
    () => ({ operation: 'get_property', input: { id } }),
    () => ({ operation: 'get_usage', input: {} }),
  ])();
}

test('1,000 random calls through library, HTTP and command line: the ledger, the usage and what was answered are one sum', async () => {
  const engine = engineOn(sampleHome());
  const server = await startServer(engine, { port: 0 });
  const { key } = createKey(engine.account, 'test', ['read'], engine.now());
  const random = createRandom('mixed doors');

  const byLibrary = async ({ operation, input }: Call) =>
    (await engine.callUnchecked(operation, input, { mode: 'script' }).catch(() => ({ tokens: 0 }))).tokens;
  const byHttp = async ({ operation, input }: Call) => {
    const { page_size, ...body } = input;
    const url = `${server.baseUrl}/api/public/v1/`;
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const query = new URLSearchParams(input as Record<string, string>);
    const paths: Record<string, () => Promise<Response>> = {
      filter_properties: () =>
        fetch(`${url}properties/filter/?page_size=${String(page_size ?? 1)}`, {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
        }),
      search_properties: () => fetch(`${url}properties/search/?${query.toString()}`, { headers }),
      get_property: () => fetch(`${url}properties/${String(input.id)}/`, { headers }),
      get_usage: () => fetch(`${url}usage/`, { headers }),
    };
    const response = await (paths[operation]?.() ?? Promise.reject(new Error(operation)));
    await response.arrayBuffer();
    return Number(response.headers.get('x-tokens-used'));
  };
  const byCommand = async ({ operation, input }: Call) => {
    const { code, err } = await platbook(engine.home, 'call', operation, JSON.stringify(input));
    // Below a notice, if there is one.
    return code === 0 ? Number.parseInt(err.split('\n').at(-1) ?? '', 10) : 0;
  };

  const counts = [0, 0, 0];
  let expected = 0;
  const doors = [byLibrary, byHttp, byCommand];
  // Some at once, as users do; the command line is the slow door, so it gets few.
  for (let round = 0; round < 40; round++) {
    const batch = Array.from({ length: 25 }, (_, i) => {
      const door = i === 0 && round % 2 === 0 ? 2 : random.integer(0, 1);
      counts[door] = (counts[door] ?? 0) + 1;
      return doors[door]?.(randomCall(random)) ?? 0;
    });
    expected += (await Promise.all(batch)).reduce((sum: number, tokens) => sum + tokens, 0);
  }
  await server.close();

  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1000);
  expect(expected).toBeGreaterThan(5000);
  expect((await engine.call('get_usage', {})).data.tokens_used).toBe(expected);
  expect(engine.account.file.get('SELECT sum(tokens) AS tokens FROM ledger')).toEqual({ tokens: expected });
  const { data } = await engine.call('get_usage_breakdown', {});
  expect(data.records.reduce((sum, record) => sum + record.tokens_used, 0)).toBe(expected);
  expect(checkHome(engine).filter(({ ok }) => !ok)).toEqual([]);
});
