/**
 * Serves the operations as tools of the Model Context Protocol to assistants on this computer. Names, inputs and prices
 * are those of the operations; every call goes through the engine's pipeline and is metered with mode `mcp`.
 */
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  type JSONRPCMessage,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { Engine } from '../engine.ts';
import { type AnyOperation, operations } from '../operations/index.ts';
import { packageVersion } from '../package-root.ts';
import { EngineError } from '../spec/errors.ts';

const instructions =
  'Land parcels, comparable sales and contacts on this computer; nothing is sent to a network. Counties are named by FIPS code; list_datasets names those that are loaded, and list_values the codes that one uses, both free. A value that the county did not publish is null and satisfies no filter. Calls cost tokens, counted on this computer; each tool states its price.';

/** One tool as the protocol lists it. */
const toolOf = ({ name, summary, docs, priceDocs, http, scope, input }: AnyOperation) => ({
  name,
  title: summary,
  description: `${docs}\n\nPrice: ${priceDocs}.`,
  // A TypeBox schema is a JSON Schema; a round trip through JSON removes its other properties.
  inputSchema: JSON.parse(JSON.stringify(input)) as { type: 'object' },
  annotations: {
    readOnlyHint: http.method === 'GET' || scope === 'read' || scope === 'trace',
    destructiveHint: http.method === 'DELETE',
    // The data is that of this computer alone.
    openWorldHint: false,
  },
});

/**
 * An MCP server; connect it to a transport.
 * @param log receives faults of the transport in words; never data of parcels or people
 */
export function mcpServer(engine: Engine, log: (fault: string) => void = () => {}): Server {
  const server = new Server(
    { name: 'platbook', version: packageVersion },
    { capabilities: { tools: {} }, instructions },
  );
  server.onerror = (error) => {
    const [code, fault] = unreadable(error) ?? [null, `The connection has a fault (${error.name}).`];
    log(fault);
    if (code !== null) void server.transport?.send(withoutId(code, fault)).catch(() => {});
  };
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: operations.map(toolOf) }));
  // The kit would refuse a malformed call as an internal error, with its own checks as the message.
  server.fallbackRequestHandler = ({ method, params }) => {
    if (method !== 'tools/call')
      throw refusal(ErrorCode.MethodNotFound, `There is no method ${JSON.stringify(method)}.`);
    const call = CallToolRequestSchema.safeParse({ method, params });
    if (!call.success)
      throw refusal(ErrorCode.InvalidParams, 'Expected the name of a tool, and its arguments as an object.');
    return callTool(engine, call.data.params.name, call.data.params.arguments);
  };
  return server;
}

const refusal = (code: ErrorCode, message: string): Error => Object.assign(new Error(message), { code });

/** Lines that the transport could not read; their words may hold names of people. */
function unreadable({ name }: Error): readonly [ErrorCode, string] | null {
  if (name === 'SyntaxError') return [ErrorCode.ParseError, 'Expected one JSON message a line, found another line.'];
  return name === 'ZodError' || name === '$ZodError'
    ? [ErrorCode.InvalidRequest, 'Expected a message of JSON-RPC 2.0, found other JSON.']
    : null;
}

/** JSON-RPC answers so what has no id; the kit has no type for it. */
const withoutId = (code: ErrorCode, message: string): JSONRPCMessage =>
  ({ jsonrpc: '2.0', id: null, error: { code, message } }) as unknown as JSONRPCMessage;

/** Errors of the engine are results with `isError`, so that the assistant can read them; protocol errors are for the SDK. */
async function callTool(engine: Engine, name: string, input: unknown): Promise<CallToolResult> {
  try {
    const { data, tokens, notices } = await engine.callUnchecked(name, input ?? {}, { mode: 'mcp' });
    const texts = [JSON.stringify(data ?? null), ...notices];
    return { content: texts.map((text) => ({ type: 'text', text })), _meta: { 'platbook/tokens': tokens } };
  } catch (error) {
    const { code, message, details } = error instanceof EngineError ? error : new EngineError('internal_error');
    const refusal = { error: { code, message, ...(details ? { details } : {}) } };
    return { content: [{ type: 'text', text: JSON.stringify(refusal) }], isError: true };
  }
}
