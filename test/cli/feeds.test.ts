/** `platbook feeds`: an address made, listed, renewed and revoked at the command line, read over HTTP. */
import { expect, test } from 'vitest';
import { startServer } from '../../engine/http/server.ts';
import { copyOfHome, engineOn, sampleHome } from '../support/homes.ts';
import { platbook } from '../support/platbook.ts';

const search = '{"county":"99001","acres_min":100}';

/** Reads an address on the port of a listener over the same home. */
async function read(home: string, address: string): Promise<Response> {
  const engine = engineOn(home);
  const server = await startServer(engine, { port: 0 });
  try {
    return await fetch(`${server.baseUrl}${new URL(address).pathname}`);
  } finally {
    await server.close();
  }
}

test('a feed is made, read, listed, renewed and revoked', async () => {
  const home = copyOfHome(sampleHome());
  const made = await platbook(
    home,
    'feeds',
    'make',
    'search',
    search,
    '--name',
    'Large lots',
    '--columns',
    'apn,acres',
  );
  expect(made.code).toBe(0);
  const [csv = '', geojson] = made.out.split('\n');
  expect([csv, geojson]).toEqual([
    expect.stringMatching(/^http:\/\/127\.0\.0\.1:4780\/feeds\/[0-9a-f]{32}\/large-lots\.csv$/),
    expect.stringMatching(/\.geojson$/),
  ]);
  const answer = await read(home, csv);
  expect([answer.status, (await answer.text()).split('\r\n')[0]?.replace('\uFEFF', '')]).toEqual([200, 'apn,acres']);
  expect((await platbook(home, 'feeds')).out).toMatch(/1 +search +Large lots/);

  const renewed = await platbook(home, 'feeds', 'renew', '1', '--json');
  const { paths, addresses } = JSON.parse(renewed.out) as { paths: string[]; addresses: string[] };
  expect(addresses).toEqual(paths.map((path) => `http://127.0.0.1:4780${path}`));
  expect((await read(home, csv)).status).toBe(404);
  const address = `http://localhost${paths[0]}`;
  expect((await read(home, address)).status).toBe(200);
  expect((await platbook(home, 'feeds', 'revoke', '1')).out).toBe('Feed 1 is revoked.');
  expect((await read(home, address)).status).toBe(404);
});

test('refuses what a feed cannot answer, by its field', async () => {
  const home = copyOfHome(sampleHome());
  const refused = async (...args: string[]) => (await platbook(home, 'feeds', 'make', ...args, '--name', 'x')).err;
  expect(await refused('search', '{"county":"99001","acers_min":1}')).toContain('did you mean acres_min?');
  expect(await refused('values', '{}')).toContain('expected search, comps or value');
  expect(await refused('value', '{"field":"price"}')).toContain('mean_adjusted_price');
  expect(await refused('search', '{')).toContain('not JSON');
  expect((await platbook(home, 'feeds', 'revoke', '7')).err).toContain('There is no feed 7');
  expect((await platbook(home, 'feeds', 'list', '--json')).out).toBe('[]');
});
