/**
 * Routes of the public API, one for each path of the operations. Every request passes these checks (docs/contract.md, "Order
 * of checks"): host/origin guard → unknown path 404 → key 401 → method 405 → (in the engine) plan 402 → scope 403 → rate 429 →
 * input 400 → run.
 */
import type { IncomingMessage } from 'node:http';
import type { Caller, Engine } from '../engine.ts';
import { type AnyOperation, operations } from '../operations/index.ts';
import { apiBase, statusOf, tableColumns } from '../operations/operation.ts';
import { EngineError } from '../spec/errors.ts';
import { type Format, type HttpAnswer, jsonAnswer, mediaTypes, noContent } from './answer.ts';
import { authenticate } from './authenticate.ts';
import { csvText } from './csv.ts';
import { parseJsonBody, readBody } from './json-body.ts';
import { pageUrl, type Target } from './query-string.ts';
import type { RateLimit } from './rate-limit.ts';
import { headerValues } from './raw-headers.ts';
import { bodyField, buildInput, takesBody } from './request-input.ts';

/** A request that has passed the guard and found its path. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly requestId: string;
  readonly target: Target;
  readonly format: Format;
  readonly pathValues: Readonly<Record<string, string>>;
}

export interface Reply {
  readonly answer: HttpAnswer;
  readonly tokens: number;
}

export interface Route {
  /** Path with `:name` for parameters; those of the public API end in a slash. */
  readonly path: string;
  readonly reply: (exchange: Exchange) => Promise<Reply> | Reply;
  /**
   * Who may use the route. `public` (default): programs, no web page. `own-pages`: pages of this listener. `openable`:
   * those, and the user who types the address. `anyone`: any page; the route checks a secret or cookie itself.
   */
  readonly door?: 'public' | 'own-pages' | 'openable' | 'anyone';
  /** Name for the log. */
  readonly operationName?: (method: string) => string | undefined;
}

export const free = (answer: HttpAnswer): Reply => ({ answer, tokens: 0 });

/** OPTIONS is allowed everywhere. */
export const allowHeader = (methods: readonly string[]): string => [...methods, 'OPTIONS'].sort().join(', ');

/** A 405 with its Allow header. */
export class MethodError extends EngineError {
  readonly allow: string;

  constructor(method: string, allow: string) {
    super('method_not_allowed', `${method} is not allowed here; allowed: ${allow}.`);
    this.allow = allow;
  }
}

/** @throws MethodError */
export function requireMethod({ method = '' }: IncomingMessage, methods: readonly string[]): void {
  if (!methods.includes(method)) throw new MethodError(method, allowHeader(methods));
}

export function operationRoutes(engine: Engine, rate: RateLimit): Route[] {
  const paths = [...new Set(operations.map((operation) => operation.http.path))];
  return paths.map((path) => {
    const byMethod = new Map(
      operations
        .filter(({ http }) => http.path === path)
        .flatMap((operation) => {
          const { method, bodyInQuery } = operation.http;
          return [method, ...(bodyInQuery === undefined ? [] : ['GET'])].map((name) => [name, operation] as const);
        }),
    );
    // Runs as GET does, so that its status and headers are true; free, since Node sends no body.
    const get = byMethod.get('GET');
    if (get) byMethod.set('HEAD', get);
    const allow = allowHeader([...byMethod.keys()]);
    return {
      path: `${apiBase}${path.replace(/\{(\w+)\}/g, ':$1')}`,
      operationName: (method) => byMethod.get(method)?.name,
      reply: (exchange) => {
        const method = exchange.request.method ?? '';
        // Before the key: programs send OPTIONS without a key (LibreOffice does, before each GET).
        if (method === 'OPTIONS') return free(noContent({ Allow: allow }));
        const key = authenticate(engine, exchange.request);
        const operation = byMethod.get(method);
        if (!operation) throw new MethodError(method, allow);
        return runOperation(engine, operation, exchange, {
          mode: 'direct',
          requestId: exchange.requestId,
          keyId: key.id,
          scopes: new Set(key.scopes),
          admit: () => rate.take(),
          ...(method === 'HEAD' ? { isFree: true } : {}),
        });
      },
    };
  });
}

async function runOperation(
  engine: Engine,
  operation: AnyOperation,
  exchange: Exchange,
  caller: Caller,
): Promise<Reply> {
  const { request, target, pathValues } = exchange;
  const body = takesBody(operation) && bodyField(operation, request) === null ? await readBody(request) : null;
  const idempotencyKey = headerValues(request, 'idempotency-key')[0];
  let answer = noContent();
  let input: Record<string, unknown> = {};
  const { tokens } = await engine.callUnchecked(
    operation.name,
    () => {
      input = buildInput(operation, { request, pathValues, query: target.query, body });
      return input;
    },
    {
      ...caller,
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      prepare: (data, notices) => {
        answer = answerOf(operation, exchange.format, input, data, noticeHeader(notices));
      },
      pageLink: (page) => pageUrl(`http://${request.headers.host}`, target, page),
    },
  );
  return { answer, tokens };
}

function answerOf(
  operation: AnyOperation,
  format: Format,
  input: Record<string, unknown>,
  data: unknown,
  told: Readonly<Record<string, string>>,
): HttpAnswer {
  const status = statusOf(operation, data as never);
  if (status === 204) return noContent();
  const answer =
    format === 'csv' && operation.table ? csvAnswer(operation, status, input, data) : jsonAnswer(status, data);
  return { ...answer, headers: { ...answer.headers, ...told } };
}

/** Headers hold ASCII: letters lose their accents. */
export const noticeHeader = (notices: readonly string[]): Record<string, string> =>
  notices.length === 0
    ? {}
    : {
        'X-Platbook-Notice': notices
          .join(' ')
          .normalize('NFD')
          .replace(/[^\x20-\x7e]/g, ''),
      };

/** The input step has already refused CSV for operations without a table. */
function csvAnswer({ table }: AnyOperation, status: number, input: Record<string, unknown>, data: unknown): HttpAnswer {
  if (!table) throw new EngineError('internal_error');
  const { next, previous } = data as { next?: string | null; previous?: string | null };
  const links = [next && `<${next}>; rel="next"`, previous && `<${previous}>; rel="prev"`].filter(Boolean);
  return {
    status,
    headers: {
      'Content-Type': mediaTypes.csv,
      'X-Total-Count': String(table.total(data as never)),
      ...(links.length > 0 ? { Link: links.join(', ') } : {}),
    },
    body: csvText(tableColumns(table, input as never), table.rows(data as never)),
  };
}

const protocolHeaders = ['mcp-protocol-version', 'mcp-method', 'mcp-name'];

/** POST /mcp: the operations as tools of assistants, under the keys, scopes and rate of the API. */
export const mcpRoute = (engine: Engine, rate: RateLimit): Route => ({
  path: '/mcp',
  operationName: () => 'mcp',
  reply: async ({ request, requestId, target }) => {
    if (request.method === 'OPTIONS') return free(noContent({ Allow: allowHeader(['POST']) }));
    const key = authenticate(engine, request);
    // Nothing is kept between two requests: no stream to GET, no session to DELETE.
    requireMethod(request, ['POST']);
    const body = await readBody(request);
    rate.take();
    const given = protocolHeaders.flatMap((name) => headerValues(request, name).map((value) => [name, value] as const));
    const message = {
      body: parseJsonBody(request, body, false),
      headers: Object.fromEntries(given),
      caller: { requestId, keyId: key.id, scopes: new Set(key.scopes) },
      allTools: new URLSearchParams(target.query).get('tools') === 'all',
    };
    // Loaded with the first message: the protocol's packages take a tenth of a second.
    const { answerMessage } = await import('../mcp/answer-message.ts');
    const { status, text, tokens } = await answerMessage(engine, message);
    const headers = text === '' ? {} : { 'Content-Type': mediaTypes.json };
    const answer: HttpAnswer = { status, headers, body: text };
    return { answer, tokens };
  },
});

/** A sentence for people. */
export const textRoute = (path: string, text: string): Route =>
  fixedRoute(path, 'text/plain; charset=utf-8', `${text}\n`);

/** The same text for everyone, without a key. */
export function fixedRoute(path: string, type: string, text: string): Route {
  const allow = allowHeader(['GET', 'HEAD']);
  return {
    path,
    reply: async ({ request }) => {
      if (request.method === 'OPTIONS') return free(noContent({ Allow: allow }));
      requireMethod(request, ['GET', 'HEAD']);
      return free({ status: 200, headers: { 'Content-Type': type }, body: text });
    },
  };
}
