/**
 * The HTTP door: a listener on 127.0.0.1 only. Fastify routes and writes; its validation and its answers to unknown paths,
 * wrong methods and errors are switched off, because docs/contract.md defines others.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, METHODS, type RequestListener, type Server } from 'node:http';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { Engine } from '../engine.ts';
import { apiBase } from '../operations/operation.ts';
import { packageVersion } from '../package-root.ts';
import { EngineError } from '../spec/errors.ts';
import { commonHeaders, errorAnswer, type Format, isFault } from './answer.ts';
import { type AppDoor, appRoutes } from './app-routes.ts';
import { ConnectionGuard, maximumHeaderBytes, timeouts } from './connections.ts';
import { feedRoute } from './feed-routes.ts';
import { refuseForeignHosts, refuseForeignPages, refuseWebPages } from './guard.ts';
import { OneAtATime, type WaitingLimits } from './one-at-a-time.ts';
import { buildOpenApi } from './openapi.ts';
import { splitTarget } from './query-string.ts';
import { type Rate, RateLimit, standardRate } from './rate-limit.ts';
import { headerValues, isVisibleText } from './raw-headers.ts';
import { formatOf } from './request-input.ts';
import {
  documentRoute,
  free,
  MethodError,
  operationRoutes,
  originalUrl,
  type Reply,
  type Route,
  textRoute,
} from './routes.ts';

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
  const app = buildApp(engine, rate, options);
  try {
    await app.listen({ port: options.port, host: '127.0.0.1' });
  } catch (error) {
    await app.close();
    throw portError(error, options.port);
  }
  const address = app.server.address();
  const port = typeof address === 'object' && address ? address.port : options.port;
  return { port, baseUrl: `http://127.0.0.1:${port}`, close: () => close(app) };
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

async function close(app: FastifyInstance): Promise<void> {
  const force = setTimeout(() => app.server.closeAllConnections(), graceMilliseconds);
  try {
    await app.close();
  } finally {
    clearTimeout(force);
  }
}

function buildApp(engine: Engine, rate: RateLimit, options: ServerOptions): FastifyInstance {
  const connections = new ConnectionGuard(rate);
  const silence = options.silence ?? timeouts.silence;
  const turns = new OneAtATime(options.waiting);
  const app = fastify({
    serverFactory: (answer) => makeServer(turns.listener(answer), silence),
    clientErrorHandler: (error, socket) => connections.refuseBroken(error, socket),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    exposeHeadRoutes: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: maximumHeaderBytes, querystringParser: () => ({}) },
    rewriteUrl: (request) => routableUrl(request.url ?? '/'),
    frameworkErrors: (_error, request, reply) => void respond(request, reply, notFoundRoute),
  });
  connections.watch(app.server);
  turns.watch(app.server);
  const respond = responder({ rate, silence, turns, log: options.log ?? (() => {}) });
  // Every method reaches the routes (for 405), and Fastify reads no body (for the order of checks).
  const methods = METHODS.filter((method) => method !== 'CONNECT');
  for (const method of methods) app.addHttpMethod(method, { overrideExisting: true });
  const document = JSON.stringify(buildOpenApi(packageVersion));
  const routes = [
    ...operationRoutes(engine, rate),
    documentRoute('openapi.json', document),
    options.insteadOfApp === undefined ? feedRoute(engine) : textRoute('/', options.insteadOfApp),
    ...(options.app ? appRoutes(engine, options.app) : []),
  ];
  for (const route of routes) {
    app.route({ method: methods, url: route.path, handler: (request, reply) => respond(request, reply, route) });
  }
  app.setNotFoundHandler((request, reply) => respond(request, reply, notFoundRoute));
  app.setErrorHandler((error, request, reply) => respond(request, reply, failingRoute(error)));
  return app;
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
  server.setTimeout(silence);
  // Else a client that closes its side after its last request (`nc`) loses every answer that is not out by then. Node's
  // documentation and types leave it out.
  Object.assign(server, { httpAllowHalfOpen: true });
  return server;
}

/**
 * The router would refuse a path that does not decode before any check. Escaping its percent signs lets it be looked up as
 * written: an unknown path, or a parameter that the input step refuses.
 */
function routableUrl(url: string): string {
  const { path, query } = splitTarget(url);
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return `${path.replaceAll('%', '%25')}${url.length > path.length ? `?${query}` : ''}`;
  }
}

/** For errors of Fastify itself; no known request leads here. */
const failingRoute = (error: unknown): Route => ({ path: '*', reply: () => Promise.reject(error) });

const notFoundRoute: Route = {
  path: '*',
  reply: async () => {
    throw new EngineError(
      'not_found',
      `There is nothing at this path. ${apiBase}openapi.json lists the paths of the API.`,
    );
  },
};

type Respond = (request: FastifyRequest, reply: FastifyReply, route: Route) => Promise<FastifyReply>;

interface Responding {
  readonly rate: RateLimit;
  /** Milliseconds after which the connection of a client that reads nothing is closed. */
  readonly silence: number;
  readonly turns: OneAtATime;
  readonly log: (line: RequestLine) => void;
}

/** Writes every answer and error. */
function responder({ rate, silence, turns, log }: Responding): Respond {
  return async (request, reply, route) => {
    const requestId = requestIdOf(request.raw);
    const { socket } = request.raw;
    // No timeout while Platbook works (a large backup or export): the client's silence is then expected. Slow requests have
    // their own limit.
    socket.setTimeout(0);
    const { answer, tokens, error } = await outcome(request, requestId, route);
    socket.setTimeout(silence);
    const { status, headers, body } = answer;
    void reply.code(status).headers({ ...commonHeaders(requestId, tokens, rate), ...headers });
    log({
      requestId,
      method: request.method,
      operation: route.operationName?.(request.method) ?? null,
      status,
      tokens,
      ...(error === undefined ? {} : { error }),
    });
    // Without a body no Content-Length is sent: a HEAD answer must not declare 0 bytes.
    const sent = body === '' ? reply.send() : reply.send(body);
    turns.sent(reply.raw);
    return sent;
  };
}

async function outcome(
  request: FastifyRequest,
  requestId: string,
  route: Route,
): Promise<Reply & { readonly error?: unknown }> {
  const { raw } = request;
  let format: Format = 'json';
  try {
    refuseForeignHosts(raw);
    refuseAtDoor(raw, route);
    format = formatOf(splitTarget(originalUrl(raw)).query, raw);
    const pathValues = request.params as Record<string, string>;
    // The router matches `properties//` with an empty id.
    const found = Object.values(pathValues).includes('') ? notFoundRoute : route;
    return await found.reply({ request: raw, requestId, format, pathValues });
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
