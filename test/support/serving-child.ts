/**
 * Serves a fixture home and an asset in a process of its own, so that its memory can be measured. Argument: the folder of
 * the pages. Sends its port; asked anything, the most megabytes that were resident.
 */
import { AppSessions } from '../../engine/http/app-sessions.ts';
import { startServer } from '../../engine/http/server.ts';
import { openFixtureHome } from './fixture-home.ts';
import { peakBytes } from './peak-memory.ts';

const home = openFixtureHome({ keepsIndexes: false });
const sessions = new AppSessions(() => 0);
const server = await startServer(home.engine, { port: 0, app: { sessions, rendererFolder: process.argv[2] ?? '' } });
process.on('message', () => process.send?.(peakBytes() / 1024 / 1024));
process.on('disconnect', () => {
  home.close();
  process.exit();
});
process.send?.(server.port);
