/** MCP over HTTP: one message, one answer, in both eras of the protocol. */
import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolErrorCode,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Caller, Engine } from '../engine.ts';
import { mcpServer } from './server.ts';

/** A request of POST /mcp after the listener's checks. */
export interface McpRequest {
  /** The object of its body. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Those that the protocol has: `mcp-protocol-version`, `mcp-method`, `mcp-name`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly caller: Omit<Caller, 'mode'>;
  readonly allTools: boolean;
}

export interface McpAnswer {
  readonly status: number;
  readonly text: string;
  readonly tokens: number;
}

/** Answers one message, with nothing kept for the next one. */
export async function answerMessage(engine: Engine, { body, headers, ...options }: McpRequest): Promise<McpAnswer> {
  let tokens = 0;
  const make = () =>
    mcpServer(engine, {
      ...options,
      onTokens: (cost) => {
        tokens = cost;
      },
    });
  // Every answer is JSON at once, whichever of the two a client prefers.
  const accept = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const request = new Request('http://127.0.0.1/mcp', { method: 'POST', headers: { ...headers, ...accept } });
  const isOld = await isLegacyRequest(request, body);
  // Nothing changes that one could listen to, and a stream would stay open.
  if (!isOld && body.method === 'subscriptions/listen') return noMethod(body);
  const response = await (isOld ? answerOld(make, request, body) : answerNew(make, request, body));
  return { status: response.status, text: await response.text(), tokens };
}

const noMethod = ({ id, method }: Readonly<Record<string, unknown>>): McpAnswer => ({
  status: 200,
  text: JSON.stringify({
    jsonrpc: '2.0',
    id: id ?? null,
    error: { code: ProtocolErrorCode.MethodNotFound, message: `There is no method ${JSON.stringify(method)}.` },
  }),
  tokens: 0,
});

/** The protocol of 2026-07-28. */
async function answerNew(make: () => ReturnType<typeof mcpServer>, request: Request, parsedBody: unknown) {
  const { fetch: answer } = createMcpHandler(make, { legacy: 'reject' });
  return answer(request, { parsedBody });
}

/** The protocol of 2025-11-25 and before, which most clients speak. */
async function answerOld(make: () => ReturnType<typeof mcpServer>, request: Request, parsedBody: unknown) {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = make();
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody });
  } finally {
    await server.close();
  }
}
