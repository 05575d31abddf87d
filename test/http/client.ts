/** An independent client: node:http for requests, node:net for bytes. Nothing of the server's own code is in it. */
import http from 'node:http';
import net from 'node:net';
import { onTestFinished } from 'vitest';
import { createKey, type KeyScope, keyScopes } from '../../engine/account/api-keys.ts';
import type { Engine, EngineOptions, LogLine } from '../../engine/engine.ts';
import { type RequestLine, type RunningServer, type ServerOptions, startServer } from '../../engine/http/server.ts';
import { openFixtureHome } from '../support/fixture-home.ts';

export const base = '/api/public/v1/';

export interface Response {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  /** The body as JSON; undefined if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers whose shape they check
  readonly json: any;
}

export interface RequestOptions {
  readonly method?: string;
  /** Below the base, or from the root when it begins with a slash. */
  readonly path: string;
  /** `null` leaves out the header that would be sent otherwise. */
  readonly headers?: Readonly<Record<string, string | string[] | null>>;
  /** Objects are sent as JSON. */
  readonly body?: unknown;
  /** Null: no Authorization header. */
  readonly key?: string | null;
}

export interface Serving {
  readonly engine: Engine;
  readonly server: RunningServer;
  /** A key with every scope. */
  readonly key: string;
  readonly faults: LogLine[];
  readonly lines: RequestLine[];
  readonly send: (options: RequestOptions) => Promise<Response>;
  readonly sendRaw: (bytes: string | Buffer, more?: RawOptions) => Promise<string>;
  readonly makeKey: (scopes: readonly KeyScope[]) => string;
  /** Tokens of all ledger rows. */
  readonly charged: () => number;
  readonly stop: () => Promise<void>;
}

/** A server on a fixture home. */
export async function startServing(
  options: Partial<ServerOptions> & Partial<Pick<EngineOptions, 'now'>> = {},
): Promise<Serving> {
  const { now, ...serverOptions } = options;
  const faults: LogLine[] = [];
  const lines: RequestLine[] = [];
  const home = openFixtureHome({ log: (line) => faults.push(line), ...(now ? { now } : {}) });
  const { engine } = home;
  const server = await startServer(engine, { port: 0, log: (line) => lines.push(line), ...serverOptions });
  const agent = new http.Agent({ keepAlive: true, maxSockets: 32 });
  const makeKey = (scopes: readonly KeyScope[]) => createKey(engine.account, 'test', scopes, engine.now()).key;
  const key = makeKey(keyScopes);
  return {
    engine,
    server,
    key,
    faults,
    lines,
    makeKey,
    send: (request) => send(server.port, agent, { key, ...request }),
    sendRaw: (bytes, more) => sendRaw(server.port, bytes, more),
    charged: () => engine.account.file.get<{ sum: number | null }>('SELECT sum(tokens) AS sum FROM ledger')?.sum ?? 0,
    stop: async () => {
      agent.destroy();
      await server.close();
      home.close();
    },
  };
}

/** The same, stopped when the test is over. */
export async function serving(options: Parameters<typeof startServing>[0] = {}): Promise<Serving> {
  const started = await startServing(options);
  onTestFinished(() => started.stop());
  return started;
}

export function send(port: number, agent: http.Agent, options: RequestOptions): Promise<Response> {
  const { method = 'GET', path, body, key } = options;
  const bytes =
    body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? (body ?? null) : JSON.stringify(body);
  const headers: Record<string, string | string[] | null> = {
    ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
    ...(bytes === null
      ? {}
      : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(bytes)) }),
    ...options.headers,
  };
  for (const [name, value] of Object.entries(headers)) if (value === null) delete headers[name];
  return new Promise((resolve, reject) => {
    const request = http.request(
      {
        host: '127.0.0.1',
        port,
        agent,
        method,
        path: path.startsWith('/') ? path : `${base}${path}`,
        headers: headers as http.OutgoingHttpHeaders,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: jsonOf(text) });
        });
      },
    );
    request.on('error', reject);
    request.end(bytes);
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface RawOptions {
  /** Whether to close our side once all is sent; a server that waits for more would wait for its time limit. */
  readonly half?: boolean;
}

/** Sends bytes and returns everything received until the server closes, or is silent after a complete answer. */
export function sendRaw(port: number, bytes: string | Buffer, { half = true }: RawOptions = {}): Promise<string> {
  return new Promise((resolve) => {
    const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const chunks: Buffer[] = [];
    const finish = () => {
      socket.destroy();
      resolve(Buffer.concat(chunks).toString('latin1'));
    };
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('end', finish);
    socket.on('close', finish);
    socket.on('error', finish);
    if (half) socket.end(bytes);
    else socket.write(bytes);
  });
}

export interface RawResponse {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** The answers in a socket's output, by their Content-Length. */
export function splitAnswers(text: string): RawResponse[] {
  const answers: RawResponse[] = [];
  for (let rest = text; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) throw new Error(`expected an HTTP answer, found ${JSON.stringify(rest.slice(0, 200))}`);
    const head = rest.slice(0, end);
    const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
    answers.push({ status, head, body: rest.slice(end + 4, end + 4 + length) });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}
