/** The server that a command names: opens a connection for it, and closes it. */
import { ServerConnection } from '../postgis/connect.ts';
import { parseServerAddress } from '../postgis/server-address.ts';
import { parseFips } from './arguments.ts';

/** @throws EngineError usage, postgis_… */
export async function withServer<Result>(
  address: string,
  work: (server: ServerConnection) => Promise<Result>,
): Promise<Result> {
  const server = new ServerConnection(parseServerAddress(address));
  try {
    await server.open();
    return await work(server);
  } finally {
    await server.close();
  }
}

export const countiesOf = (text: string): string[] => text.split(',').map((fips) => parseFips(fips.trim()));
