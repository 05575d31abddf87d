/** The engine over a MessagePort, with Node's own. */
import { MessageChannel } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import type { Engine } from '../../engine/index.ts';
import type { MessagePortLike } from '../../engine/rpc/messages.ts';
import { servePort } from '../../engine/rpc/serve-port.ts';
import type { EngineClient } from '../../renderer/client/engine-client.ts';
import { portClient } from '../../renderer/client/port-client.ts';
import { engineOn, sampleHome } from '../support/homes.ts';
import { makeJpeg } from '../support/make-photo.ts';

function connected(): { engine: Engine; client: EngineClient; close: () => void; sent: unknown[] } {
  const engine = engineOn(sampleHome());
  const { port1, port2 } = new MessageChannel();
  const sent: unknown[] = [];
  port1.on('message', (message) => sent.push(message));
  servePort(engine, port1 as unknown as MessagePortLike);
  const client = portClient(port2 as unknown as MessagePortLike);
  onTestFinished(() => port1.close());
  return { engine, client, close: () => port1.close(), sent };
}

const ledger = (engine: Engine) => engine.account.file.all('SELECT endpoint, mode, tokens FROM ledger');

test('a call is charged once for an action, however often it is sent, and in mode app', async () => {
  const { engine, client } = connected();
  const first = await client.call('filter_properties', { county: '99001', acres_min: 40 }, { action: 'press-1' });
  expect(first.tokens).toBe(30);
  expect(first.data.count).toBeGreaterThan(0);
  const again = await client.call('filter_properties', { county: '99001', acres_min: 40 }, { action: 'press-1' });
  expect(again.tokens).toBe(0);
  expect(again.data).toEqual(first.data);
  expect(ledger(engine)).toEqual([{ endpoint: 'public_parcel_filter', mode: 'app', tokens: 30 }]);
});

test('reads are free, and errors come with code, message, details and request id', async () => {
  const { engine, client } = connected();
  const { count } = await client.read('count_properties', { filter: { county: '99001' } });
  expect(count).toBe(engine.land.parcelCount);
  const failed = await client.read('count_properties', { filter: { acres_min: 1 } }).catch((error) => error);
  expect(failed).toMatchObject({ name: 'ClientError', code: 'validation_error' });
  expect(failed.requestId).toMatch(/^[0-9a-f-]{36}$/);
  expect(failed.details.non_field_errors[0]).toMatch(/at least one scope is needed/);
  expect(ledger(engine)).toEqual([]);
});

test('a read that is taken back before it begins is not run, and the others are answered', async () => {
  const { client, sent } = connected();
  const abort = new AbortController();
  const old = client.read('count_properties', { filter: { county: '99001' } }, { signal: abort.signal });
  const next = client.read('count_properties', { filter: { county: '99001', acres_min: 5 } });
  abort.abort();
  await expect(old).rejects.toMatchObject({ name: 'AbortError' });
  expect((await next).count).toBeGreaterThan(0);
  // The order in which the other side saw them: read, read, cancel; and it answered the second read alone.
  expect(sent.map((message) => (message as { kind: string }).kind)).toEqual(['read', 'read', 'cancel']);
});

test('what is under way when the port closes fails with a name', async () => {
  const { client, close } = connected();
  const pending = client.read('home', {});
  close();
  await expect(pending).rejects.toMatchObject({ name: 'ClientError', code: 'port_closed' });
  await expect(client.read('home', {})).rejects.toMatchObject({ code: 'port_closed' });
});

test('messages that are no requests are passed over', async () => {
  const engine = engineOn(sampleHome());
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port1.close());
  servePort(engine, port1 as unknown as MessagePortLike);
  for (const nonsense of [
    null,
    7,
    'read',
    {},
    { id: 1 },
    { id: 'x', kind: 'read', name: 'home' },
    { id: 2, kind: 'do' },
  ])
    port2.postMessage(nonsense);
  const answers: unknown[] = [];
  port2.on('message', (message) => answers.push(message));
  const last = new Promise((resolve) => port2.once('message', resolve));
  port2.postMessage({ id: 9, kind: 'read', name: 'nothing', input: {} });
  await last;
  expect(answers).toMatchObject([{ id: 9, ok: false, error: { code: 'not_found' } }]);
});

test('a photo comes as a picture to be shown', async () => {
  const { client } = connected();
  const original = makeJpeg({ place: [-100, 40] });
  const { data } = await client.change('add_photo', { name: 'pin.jpg', bytes: original.toString('base64') });
  const shown = await client.photo(data.photo_id);
  expect(shown.type).toBe('image/jpeg');
  expect(Buffer.from(await shown.arrayBuffer()).equals(original)).toBe(true);
  await expect(client.photo(99)).rejects.toMatchObject({ code: 'not_found' });
});
