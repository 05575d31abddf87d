/**
 * The HTTP door: a listener on 127.0.0.1 only. It finds the route of a request and writes every answer, as docs/contract.md
 * defines them.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import type { Engine } from '../engine.ts';
import { apiBase } from '../operations/operation.ts';
import { EngineError } from '../spec/errors.ts';
import { commonHeaders, errorAnswer, type Format, type HttpAnswer, isFault } from './answer.ts';
import { type AppDoor, appRoutes } from './app-routes.ts';
import { ConnectionGuard, maximumHeaderBytes, timeouts } from './connections.ts';
import { docsRoutes } from './docs-routes.ts';
import { feedRoute } from './feed-routes.ts';
import { type FoundRoute, routeFinder } from './find-route.ts';
import { refuseForeignHosts, refuseForeignPages, refuseWebPages } from './guard.ts';
import { OneAtATime, type WaitingLimits } from './one-at-a-time.ts';
import { splitTarget, type Target } from './query-string.ts';
import { type Rate, RateLimit, standardRate } from './rate-limit.ts';
import { headerValues, isVisibleText } from './raw-headers.ts';
import { formatOf } from './request-input.ts';
import { free, MethodError, mcpRoute, operationRoutes, type Reply, type Route, textRoute } from './routes.ts';
import { listStaticFiles } from './static-files.ts';

export interface ServerOptions {
  /** 0: any free port. */
  readonly port: number;
  readonly rate?: Rate;
  /** Receives one line per answered request, without path, query or key: those may hold owner names and secrets. */
  readonly log?: (line: RequestLine) => void;
  /** Milliseconds of a monotonic clock, for the rate limit; for tests. */
  readonly steadyNow?: () => number;
  /** Milliseconds after which a silent connection is closed; for tests. */
  readonly silence?: number;
  /** For tests. */
  readonly waiting?: WaitingLimits;
  /** If present, the app is served too. */
  readonly app?: AppDoor;
  /** Why there is no app, for who opens its page; feeds, which read the land of the home, are not served then. */
  readonly insteadOfApp?: string;
}

export interface RequestLine {
  readonly requestId: string;
  readonly method: string;
  readonly operation: string | null;
  readonly status: number;
  readonly tokens: number;
  /** The fault behind a status 500. */
  readonly error?: unknown;
}

export interface RunningServer {
  readonly port: number;
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly baseUrl: string;
  /** Closes idle connections at once and running requests after half a second. */
  close(): Promise<void>;
}

const graceMilliseconds = 500;

/** @throws PortError if the port is taken or reserved; EngineError usage if it is not a port */
export async function startServer(engine: Engine, options: ServerOptions): Promise<RunningServer> {
  const rate = new RateLimit(options.rate ?? standardRate, options.steadyNow ?? (() => performance.now()));
  const server = buildServer(engine, rate, options);
  try {
    await once(server.listen(options.port, '127.0.0.1'), 'listening');
  } catch (error) {
    throw portError(error, options.port);
  }
  const { port } = server.address() as AddressInfo;
  return { port, baseUrl: `http://127.0.0.1:${port}`, close: () => close(server) };
}

/** The port is taken or reserved. Each door adds its own advice to `sentence`, since the port is chosen there. */
export class PortError extends EngineError {
  /** The problem as a full sentence. */
  readonly sentence: string;

  constructor(port: number, why: string, cause: unknown) {
    const sentence = `Port ${port} ${why}.`;
    super('validation_error', `${sentence} Choose another one with --port (0 takes a free one).`, { cause });
    this.sentence = sentence;
  }
}

function portError(error: unknown, port: number): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'EADDRINUSE') return new PortError(port, 'is in use by another program', error);
  if (code === 'EACCES') return new PortError(port, 'is reserved by the system', error);
  if (code === 'ERR_SOCKET_BAD_PORT')
    return new EngineError('usage', `Expected a port from 0 to 65535, found ${port}.`, { cause: error });
  return error;
}

function close(server: Server): Promise<void> {
  const force = setTimeout(() => server.closeAllConnections(), graceMilliseconds);
  return new Promise((resolve) => {
    server.close(() => {
      clearTimeout(force);
      resolve();
    });
  });
}

function buildServer(engine: Engine, rate: RateLimit, options: ServerOptions): Server {
  const connections = new ConnectionGuard(rate);
  const silence = options.silence ?? timeouts.silence;
  const turns = new OneAtATime(options.waiting);
  const api = operationRoutes(engine, rate);
  const files = options.app ? listStaticFiles(options.app.rendererFolder) : [];
  const find = routeFinder([
    ...api,
    ...docsRoutes(api, files),
    mcpRoute(engine, rate),
    options.insteadOfApp === undefined ? feedRoute(engine) : textRoute('/', options.insteadOfApp),
    ...(options.app ? appRoutes(engine, options.app, files) : []),
  ]);
  const respond = responder({ rate, silence, find, turns, log: options.log ?? (() => {}) });
  const server = makeServer(
    // An answer that cannot be written ends its connection.
    turns.listener((request, response) => void respond(request, response).catch(() => response.destroy())),
    silence,
  );
  server.on('clientError', (error, socket) => connections.refuseBroken(error, socket as Socket));
  connections.watch(server);
  turns.watch(server);
  return server;
}

function makeServer(answer: RequestListener, silence: number): Server {
  const server = createServer(
    {
      keepAliveTimeout: timeouts.keepAlive,
      requestTimeout: timeouts.request,
      headersTimeout: timeouts.headers,
      connectionsCheckingInterval: timeouts.checking,
      maxHeaderSize: maximumHeaderBytes,
      // Java's client offers HTTP/2 on every first request; a server may ignore the offer (RFC 9110, 7.8). Node before
      // 24.9 lacks this option and refuses such a request like any other upgrade.
      shouldUpgradeCallback: (request) => request.headers.upgrade?.toLowerCase() !== 'h2c',
      // The guard answers requests without Host, in the error envelope.
      requireHostHeader: false,
    },
    answer,
  );
  // Not `setTimeout`: it would start the clock again with every request, only for the responder to stop it.
  server.on('connection', (socket) => socket.setTimeout(silence));
  // Else a client that closes its side after its last request (`nc`) loses every answer that is not out by then. Node's
  // documentation and types leave it out.
  Object.assign(server, { httpAllowHalfOpen: true });
  return server;
}

const notFoundRoute: Route = {
  path: '*',
  reply: () => {
    throw new EngineError(
      'not_found',
      `There is nothing at this path. ${apiBase}openapi.json lists the paths of the API.`,
    );
  },
};

interface Responding {
  readonly rate: RateLimit;
  /** Milliseconds after which the connection of a client that reads nothing is closed. */
  readonly silence: number;
  readonly find: (path: string) => FoundRoute | null;
  readonly turns: OneAtATime;
  readonly log: (line: RequestLine) => void;
}

type Respond = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Writes every answer and error. */
function responder({ rate, silence, find, turns, log }: Responding): Respond {
  return async (request, response) => {
    const { socket, method = '' } = request;
    const requestId = requestIdOf(request);
    const target = splitTarget(request.url ?? '/');
    const found = find(target.path) ?? { route: notFoundRoute, pathValues: {} };
    // No timeout while Platbook works (a large backup or export): the client's silence is then expected. Slow requests have
    // their own limit.
    if (socket.timeout) socket.setTimeout(0);
    const { answer, tokens, error } = await outcome(request, requestId, target, found);
    log({
      requestId,
      method,
      operation: found.route.operationName?.(method) ?? null,
      status: answer.status,
      tokens,
      ...(error === undefined ? {} : { error }),
    });
    write(response, answer, { ...commonHeaders(requestId, tokens, rate), ...answer.headers });
    if (!(answer.body instanceof Readable) && response.writableLength === 0) return;
    // The client has yet to take it.
    socket.setTimeout(silence);
    turns.sent(response);
  };
}

function write(response: ServerResponse, { status, body }: HttpAnswer, headers: Record<string, string>): void {
  if (body instanceof Readable) {
    response.writeHead(status, headers);
    // A file that cannot be read ends the connection before its announced length.
    pipeline(body, response, () => {});
    return;
  }
  // A HEAD answer without a body must not declare 0 bytes.
  if (body !== '' || (response.req.method !== 'HEAD' && status !== 204 && status !== 304))
    headers['Content-Length'] = String(Buffer.byteLength(body));
  response.writeHead(status, headers).end(body);
}

async function outcome(
  request: IncomingMessage,
  requestId: string,
  target: Target,
  { route, pathValues }: FoundRoute,
): Promise<Reply & { readonly error?: unknown }> {
  let format: Format = 'json';
  try {
    refuseForeignHosts(request);
    refuseAtDoor(request, route);
    format = formatOf(target.query, request);
    return await route.reply({ request, requestId, target, format, pathValues });
  } catch (error) {
    const answer = errorAnswer(error, requestId, format);
    const headers = error instanceof MethodError ? { ...answer.headers, Allow: error.allow } : answer.headers;
    return { ...free({ ...answer, headers }), ...(isFault(error) ? { error } : {}) };
  }
}

/** @throws EngineError forbidden */
function refuseAtDoor(request: IncomingMessage, { door = 'public' }: Route): void {
  if (door === 'public') refuseWebPages(request);
  else if (door !== 'anyone') refuseForeignPages(request, door === 'openable');
}

function requestIdOf(request: IncomingMessage): string {
  const given = headerValues(request, 'x-request-id');
  return given.length === 1 && isVisibleText(given[0] ?? '') ? (given[0] ?? '') : randomUUID();
}
