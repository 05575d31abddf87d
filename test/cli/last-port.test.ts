/** A home is served on the port it had, so that its feeds and bookmarks go on working after the next start. */
import net from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { keptPort } from '../../engine/account/last-port.ts';
import { openKeptWindow } from '../../engine/cli/app-window.ts';
import { engineOn, sampleHome } from '../support/homes.ts';

const quiet = { print: () => {}, note: () => {}, progress: () => {} };

/** A port that is taken until the test is over. */
async function takenPort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as net.AddressInfo).port;
}

test('a home keeps the first free port, also for its next start, until another program has it', async () => {
  const engine = engineOn(sampleHome());
  const taken = await takenPort();
  const notes: string[] = [];
  const output = { ...quiet, note: (text: string) => notes.push(text) };
  expect(keptPort(engine.account)).toBe(null);

  const first = await openKeptWindow(engine, [taken, taken], output);
  const { port } = first.server;
  expect([port === taken, keptPort(engine.account)]).toEqual([false, port]);
  expect(notes).toEqual([`Port ${taken} is in use by another program. Taking another one.`]);
  await first.close();

  const again = await openKeptWindow(engine, [keptPort(engine.account) ?? 0, taken], quiet);
  expect(again.server.port).toBe(port);

  // The other home of the same window has a port of its own, and finds it again as well.
  const other = engineOn(sampleHome());
  const beside = await openKeptWindow(other, [port], quiet);
  expect(beside.server.port).not.toBe(port);
  expect(keptPort(other.account)).toBe(beside.server.port);
  await Promise.all([again.close(), beside.close()]);
});
