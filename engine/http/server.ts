/**
 * The HTTP door: a listener on 127.0.0.1 and nothing else. Fastify routes and writes; its own ideas of validation,
 * unknown paths, wrong methods and errors are switched off, because the contract has others.
 */
import { randomUUID } from 'node:crypto';
import { type IncomingMessage, METHODS } from 'node:http';
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
import { buildOpenApi } from './openapi.ts';
import { splitTarget } from './query-string.ts';
import { type Rate, RateLimit, standardRate } from './rate-limit.ts';
import { headerValues, isVisibleText } from './raw-headers.ts';
import { formatOf } from './request-input.ts';
import { documentRoute, free, MethodError, operationRoutes, originalUrl, type Reply, type Route } from './routes.ts';

export interface ServerOptions {
  /** 0: any free port. */
  readonly port: number;
  readonly rate?: Rate;
  /** One line per request, when it is answered. It holds no path, query or key: names of owners stand in those. */
  readonly log?: (line: RequestLine) => void;
  /** Milliseconds of a steady clock, for the rate limit; for tests. */
  readonly steadyNow?: () => number;
  /** Milliseconds after which a silent connection is given up; for tests. */
  readonly silence?: number;
  /** Present: the app is served too, beside the public API. */
  readonly app?: AppDoor;
}

export interface RequestLine {
  readonly requestId: string;
  readonly method: string;
  readonly operation: string | null;
  readonly status: number;
  readonly tokens: number;
  /** What went wrong inside Platbook, beside a status 500. */
  readonly error?: unknown;
}

export interface RunningServer {
  readonly port: number;
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly baseUrl: string;
  /** Requests under way get half a second; idle connections are closed at once. */
  close(): Promise<void>;
}

const graceMilliseconds = 500;

/** @throws EngineError validation_error when the port cannot be had, usage when it is none */
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

/** A port that cannot be had. What to do about it depends on where the port was chosen: each door says it itself. */
export class PortError extends EngineError {
  /** What is wrong, a whole sentence. */
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

type Log = (line: RequestLine) => void;

function buildApp(engine: Engine, rate: RateLimit, options: ServerOptions): FastifyInstance {
  const connections = new ConnectionGuard(rate);
  const silence = options.silence ?? timeouts.silence;
  const app = fastify({
    // Fastify sets these three itself, over whatever `http` says.
    connectionTimeout: silence,
    keepAliveTimeout: timeouts.keepAlive,
    requestTimeout: timeouts.request,
    http: {
      headersTimeout: timeouts.headers,
      connectionsCheckingInterval: timeouts.checking,
      maxHeaderSize: maximumHeaderBytes,
      // Java's client asks for HTTP/2 on every first request; that offer may be passed over (RFC 9110, 7.8). Node before
      // 24.9 does not know this option and refuses such a request, as it refuses every other upgrade.
      shouldUpgradeCallback: (request) => request.headers.upgrade?.toLowerCase() !== 'h2c',
      // The guard answers requests without Host itself, in the envelope.
      requireHostHeader: false,
    },
    clientErrorHandler: (error, socket) => connections.refuseBroken(error, socket),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    exposeHeadRoutes: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: maximumHeaderBytes, querystringParser: () => ({}) },
    rewriteUrl: (request) => routableUrl(request.url ?? '/'),
    frameworkErrors: (_error, request, reply) => void respond(request, reply, notFoundRoute),
  });
  connections.watch(app.server);
  const respond = responder(rate, silence, options.log ?? (() => {}));
  // Every method reaches the routes (for the 405) and none has its body read by Fastify (for the order of checks).
  const methods = METHODS.filter((method) => method !== 'CONNECT');
  for (const method of methods) app.addHttpMethod(method, { overrideExisting: true });
  const document = JSON.stringify(buildOpenApi(packageVersion));
  const routes = [
    ...operationRoutes(engine, rate),
    documentRoute('openapi.json', document),
    feedRoute(engine),
    ...(options.app ? appRoutes(engine, options.app) : []),
  ];
  for (const route of routes) {
    app.route({ method: methods, url: route.path, handler: (request, reply) => respond(request, reply, route) });
  }
  app.setNotFoundHandler((request, reply) => respond(request, reply, notFoundRoute));
  app.setErrorHandler((error, request, reply) => respond(request, reply, failingRoute(error)));
  return app;
}

/**
 * A path that does not decode would be refused by the router before any check. Its percent signs are escaped instead,
 * so that it is looked up as it is written: an unknown path, or a parameter that is refused at the input step.
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

/** For errors of Fastify itself; none is known that comes here. */
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

/**
 * The one place where an answer or an error is written.
 * @param silence milliseconds after which a client that takes no answer has gone away
 */
function responder(rate: RateLimit, silence: number, log: Log): Respond {
  return async (request, reply, route) => {
    const requestId = requestIdOf(request.raw);
    const { socket } = request.raw;
    // While Platbook works (a backup of gigabytes, a large export), it is not the client who is silent. How slowly a request
    // may arrive is looked at apart.
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
    // Without a body no length is claimed: the answer to HEAD is not one of 0 bytes.
    return body === '' ? reply.send() : reply.send(body);
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
    // The router takes `properties//` for a parcel without an id.
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
