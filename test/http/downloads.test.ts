/** Files made for the app can be downloaded only by the window that requested them. */
import { expect, test } from 'vitest';
import { AppSessions, cookieName } from '../../engine/http/app-sessions.ts';
import type { MadeFile } from '../../engine/reads/export-parcels.ts';
import { runRead } from '../../engine/reads/index.ts';
import { serving } from './client.ts';

async function withFile() {
  const sessions = new AppSessions(() => 0);
  const server = await serving({ app: { sessions, rendererFolder: '/nowhere' } });
  const value = sessions.redeem(sessions.issueLink()) ?? '';
  const data = await runRead(server.engine, 'make_export', {
    what: { ids: [1, 2] },
    format: 'csv',
    title: 'Ñandú "lots"',
  });
  const own = { Cookie: `${cookieName(server.server.port)}=${value}`, 'Sec-Fetch-Site': 'same-origin' };
  const get = (headers: Record<string, string>, id = (data as MadeFile).id, method = 'GET') =>
    server.send({ path: `/app/download/${id}`, key: null, headers, method });
  return { server, get, own };
}

test('a window of this listener saves it, under its name, as often as it likes', async () => {
  const { get, own } = await withFile();
  for (let i = 0; i < 2; i++) {
    const answer = await get(own);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="Nandu lots.csv"; filename*=UTF-8\'\'%C3%91and%C3%BA%20lots.csv',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(answer.text.split('\r\n')).toHaveLength(4);
    expect(Number(answer.headers['content-length'])).toBe(Buffer.byteLength(answer.text));
  }
});

test('the download needs the cookie: a key, another site and another method are refused', async () => {
  const { server, get, own } = await withFile();
  expect((await get({ 'Sec-Fetch-Site': 'same-origin' })).status).toBe(401);
  expect((await get({ ...own, 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
  expect((await get({ ...own, Origin: 'http://evil.example' })).status).toBe(403);
  expect((await get({ Authorization: `Bearer ${server.key}`, 'Sec-Fetch-Site': 'same-origin' })).status).toBe(401);
  expect((await get(own, undefined, 'POST')).status).toBe(405);
});

test.each(['00000000000000000000000000000000', 'x', '..%2faccount.sqlite', '%2e%2e'])(
  'there is no file %s',
  async (id) => {
    const { get, own } = await withFile();
    expect((await get(own, id)).status).toBe(404);
  },
);
