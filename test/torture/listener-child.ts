/**
 * Serves a home in a process of its own, without a limit of requests a second. Arguments: the home, and how many times too
 * fast its steady clock runs (1), which shortens the time limit of queries. Sends its port and a key; asked anything, the megabytes that it holds after a garbage collection
 * (`--expose-gc`): of its heap and resident.
 */
import { createKey } from '../../engine/account/api-keys.ts';
import { openEngine } from '../../engine/engine.ts';
import { startServer } from '../../engine/http/server.ts';

const [, , home = '', pace = '1'] = process.argv;
const engine = openEngine({ home, steadyNow: () => performance.now() * Number(pace) });
const server = await startServer(engine, { port: 0, rate: { burst: 1e9, perSecond: 1e9 } });
const { key } = createKey(engine.account, 'torture', ['read'], engine.now());
const megabyte = 1024 * 1024;
process.on('message', () => {
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  process.send?.({ heap: (heapUsed + external) / megabyte, resident: rss / megabyte });
});
process.on('disconnect', async () => {
  await server.close();
  engine.close();
  process.exit();
});
process.send?.({ port: server.port, key });
