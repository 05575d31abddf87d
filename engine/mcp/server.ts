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
import { operations, operationsByName } from '../operations/index.ts';
import { packageVersion } from '../package-root.ts';
import { EngineError } from '../spec/errors.ts';
import { toolList, withPage } from './tool-list.ts';

const instructions =
  'Land parcels, comparable sales and contacts on this computer; nothing is sent to a network. Counties are named by FIPS code; list_datasets names those that are loaded, and list_values the codes that one uses, both free. A value that the county did not publish is null and satisfies no filter. Boundaries are approximate, not a survey. Calls cost tokens, counted on this computer; each tool states its price.';

export interface McpOptions {
  /** Lists also the tools of feeds, markets, usage and verdicts; a call of any of them is answered either way. */
  readonly allTools?: boolean;
  /** Receives faults of the transport in words; never data of parcels or people. */
  readonly log?: (fault: string) => void;
}

/** An MCP server; connect it to a transport. */
export function mcpServer(engine: Engine, { allTools = false, log = () => {} }: McpOptions = {}): Server {
  const server = new Server(
    { name: 'platbook', version: packageVersion },
    { capabilities: { tools: {} }, instructions },
  );
  server.onerror = (error) => {
    const [code, fault] = unreadable(error) ?? [null, `The connection has a fault (${error.name}).`];
    log(fault);
    if (code !== null) void server.transport?.send(withoutId(code, fault)).catch(() => {});
  };
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: toolList(operations, allTools) }));
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

/** The answer as an object; the next page is a number, as the input `page` takes it. */
function objectOf(data: unknown): Record<string, unknown> {
  if (Array.isArray(data)) return { results: data };
  const { next, previous: _previous, ...rest } = { ...(data as Record<string, unknown> | null) };
  return typeof next === 'string' ? { ...rest, next_page: Number(next) } : rest;
}

/** Errors of the engine are results with `isError`, so that the assistant can read them; protocol errors are for the SDK. */
async function callTool(engine: Engine, name: string, input: unknown): Promise<CallToolResult> {
  try {
    const paged = withPage(operationsByName.get(name), input ?? {});
    const { data, tokens, notices } = await engine.callUnchecked(name, paged, { mode: 'mcp', pageLink: String });
    const answer = { ...objectOf(data), tokens, ...(notices.length > 0 ? { notices } : {}) };
    return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer };
  } catch (error) {
    const { code, message, details } = error instanceof EngineError ? error : new EngineError('internal_error');
    const refusal = { error: { code, message, ...(details ? { details } : {}) } };
    return { content: [{ type: 'text', text: JSON.stringify(refusal) }], isError: true };
  }
}
