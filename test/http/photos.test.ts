/** Photos over the private routes: brought in base64, shown to the window of this listener alone. */
import { expect, test } from 'vitest';
import { AppSessions, cookieName } from '../../engine/http/app-sessions.ts';
import { makeJpeg } from '../support/make-photo.ts';
import { serving } from './client.ts';

async function withWindow() {
  const sessions = new AppSessions(() => 0);
  const server = await serving({ app: { sessions, rendererFolder: '/nowhere' } });
  const value = sessions.redeem(sessions.issueLink()) ?? '';
  const own = { Cookie: `${cookieName(server.server.port)}=${value}`, 'Sec-Fetch-Site': 'same-origin' };
  const change = (name: string, body: object, headers: Record<string, string> = own) =>
    server.send({ path: `/app/change/${name}`, key: null, headers, method: 'POST', body });
  const get = (id: number | string, headers: Record<string, string> = own, method = 'GET') =>
    server.send({ path: `/app/photo/${id}`, key: null, headers, method });
  return { server, own, change, get };
}

test('a photo of a phone’s size is brought, and shown as the picture that it is', async () => {
  const { change, get } = await withWindow();
  const original = makeJpeg({ place: [-72, 43], picture: 20 * 2 ** 20 });
  const added = await change('add_photo', { name: 'pin.html', bytes: original.toString('base64') });
  expect(added.status).toBe(200);
  expect(added.json.data).toMatchObject({ photo_id: 1, media_type: 'image/jpeg', bytes: original.length });
  const shown = await get(1);
  expect(shown.status).toBe(200);
  expect(shown.headers).toMatchObject({
    'content-type': 'image/jpeg',
    'content-length': String(original.length),
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
});

test('a photo needs the cookie; a key, another site and another method are refused', async () => {
  const { server, own, change, get } = await withWindow();
  await change('add_photo', { name: 'pin.jpg', bytes: makeJpeg({ place: [-72, 43] }).toString('base64') });
  expect((await get(1)).status).toBe(200);
  expect((await get(1, { 'Sec-Fetch-Site': 'same-origin' })).status).toBe(401);
  expect((await get(1, { ...own, 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
  expect((await get(1, { ...own, Origin: 'http://evil.example' })).status).toBe(403);
  expect((await get(1, { Authorization: `Bearer ${server.key}`, 'Sec-Fetch-Site': 'same-origin' })).status).toBe(401);
  expect((await get(1, own, 'POST')).status).toBe(405);
  for (const id of [0, 2, -1, 'x', '..%2faccount.sqlite', '1e0']) expect((await get(id)).status, `${id}`).toBe(404);
});

test('only a photo may be as large: other changes and larger photos are refused', async () => {
  const { change } = await withWindow();
  const text = 'x'.repeat(2 * 2 ** 20);
  expect((await change('add_note', { property_id: 1, text })).json.error.details.non_field_errors).toEqual([
    'expected a body of at most 1048576 bytes',
  ]);
  const tooLarge = await change('add_photo', { name: 'pin.jpg', bytes: 'A'.repeat(44 * 2 ** 20) });
  expect([tooLarge.status, tooLarge.json.error.code]).toEqual([400, 'validation_error']);
});
