/** The address of the HTTP API: in a browser the page's own listener, in the desktop app one that can be off. */
import { standardPort } from '../../engine/spec/standard-port.ts';
import type { EngineClient } from '../client/engine-client.ts';

/** `http://127.0.0.1:4780`; null while it is off. @throws ClientError */
const apiAddress = async (client: EngineClient): Promise<string | null> => (await client.read('listener', {})).url;

/** The default port, for a request written down while it is off. */
const usualAddress = `http://127.0.0.1:${standardPort}`;

/** @throws ClientError */
export const apiAddressToBe = async (client: EngineClient): Promise<string> =>
  (await apiAddress(client)) ?? usualAddress;
