/** Pushes a home to the server of the given address, for a parent that kills it in the middle. */
import { serverAccess } from '../../engine/cli/land-server.ts';
import { ServerConnection } from '../../engine/postgis/connect.ts';
import { pushLand } from '../../engine/postgis/push.ts';
import { parseServerAddress } from '../../engine/postgis/server-address.ts';

const [home = '', address = ''] = process.argv.slice(2);
const server = new ServerConnection(parseServerAddress(address), serverAccess({}));
await server.open();
process.send?.('open');
await pushLand(server, home, {
  platbook: '0.0.0',
  onPhase: (_fips, phase) => process.send?.(phase),
  onCounty: () => process.send?.('committed'),
});
await server.close();
process.send?.('done');
process.disconnect?.();
