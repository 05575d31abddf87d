/** A client as scripts are, and a server that does nothing: the least that HTTP can cost. */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** @param body absent: a GET */
type Ask = (address: string, body?: string) => Promise<string>;

/** A client that keeps its one connection, as spreadsheets and scripts do. */
export function keptConnection(key: string): { readonly ask: Ask; readonly close: () => void } {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const authorization = `Bearer ${key}`;
  const ask: Ask = (address, body) =>
    new Promise((resolve, reject) => {
      let text = '';
      const headers = {
        authorization,
        ...(body === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
      };
      http
        .request(address, { agent, headers, method: body === undefined ? 'GET' : 'POST' }, (response) =>
          response
            .setEncoding('utf8')
            .on('data', (part: string) => {
              text += part;
            })
            .on('end', () => resolve(text)),
        )
        .on('error', reject)
        .end(body);
    });
  return { ask, close: () => agent.destroy() };
}

/** Node's own server, which gives the same text to every request. */
export async function plainServer(text: string): Promise<{ readonly address: string; readonly close: () => void }> {
  const server = http.createServer((request, response) => {
    request.resume().on('end', () => {
      response.setHeader('content-type', 'application/json');
      response.end(text);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}/`, close: () => server.close() };
}
