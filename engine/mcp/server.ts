/**
 * Serves the operations as tools of the Model Context Protocol to assistants on this computer. Names, inputs and prices
 * are those of the operations; every call goes through the engine's pipeline and is metered with mode `mcp`.
 */
import { type CallToolResult, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import type { Caller, Engine } from '../engine.ts';
import { operations, operationsByName } from '../operations/index.ts';
import { packageVersion } from '../package-root.ts';
import { EngineError } from '../spec/errors.ts';
import { withCounties } from './counties-meant.ts';
import { lightCall } from './light-answer.ts';
import { toolList } from './tool-list.ts';

const instructions =
  'Land parcels, comparable sales and contacts on this computer; nothing is sent to a network. Counties are named by FIPS code; list_datasets names those that are loaded, and list_values the codes that one uses, both free. A value that the county did not publish is null and satisfies no filter. Boundaries are approximate, not a survey. Calls cost tokens, counted on this computer; each tool states its price, and what finds nothing is free.';

export interface McpOptions {
  /** Lists also the tools of feeds, markets, usage, verdicts and many values; a call of any of them is answered either way. */
  readonly allTools?: boolean;
  /** Who calls over HTTP: the key, its scopes. Absent: the owner of the machine. */
  readonly caller?: Omit<Caller, 'mode'>;
  /** Receives what a call cost. */
  readonly onTokens?: (tokens: number) => void;
}

/** Another list comes with another version of Platbook or another key. */
const listMilliseconds = 300_000;

/** A server for one connection, or one request over HTTP; it speaks both eras of the protocol. */
export function mcpServer(engine: Engine, { allTools = false, caller = {}, onTokens = () => {} }: McpOptions): Server {
  const server = new Server(
    { name: 'platbook', version: packageVersion },
    {
      capabilities: { tools: {} },
      instructions,
      cacheHints: { 'tools/list': { ttlMs: listMilliseconds, cacheScope: 'private' } },
    },
  );
  server.setRequestHandler('tools/list', () => ({ tools: toolList(operations, allTools, caller.scopes) }));
  // The kit would refuse a malformed call as an internal error, with its own checks as the message.
  server.fallbackRequestHandler = ({ method, params }) => {
    if (method !== 'tools/call')
      throw refusal(ProtocolErrorCode.MethodNotFound, `There is no method ${JSON.stringify(method)}.`);
    if (!isCall(params))
      throw refusal(ProtocolErrorCode.InvalidParams, 'Expected the name of a tool, and its arguments as an object.');
    return callTool(engine, params.name, params.arguments ?? {}, { ...caller, mode: 'mcp' }, onTokens);
  };
  return server;
}

const refusal = (code: ProtocolErrorCode, message: string): Error => Object.assign(new Error(message), { code });

const isCall = (params: Readonly<Record<string, unknown>> = {}): params is { name: string; arguments?: object } =>
  typeof params.name === 'string' && typeof (params.arguments ?? {}) === 'object' && !Array.isArray(params.arguments);

/** The answer as an object; the next page is a number, as the input `page` takes it. */
function objectOf(data: unknown): Record<string, unknown> {
  if (Array.isArray(data)) return { results: data };
  const { next, previous: _previous, ...rest } = { ...(data as Record<string, unknown> | null) };
  return typeof next === 'string' ? { ...rest, next_page: Number(next) } : rest;
}

/** Errors of the engine are results with `isError`, so that the assistant can read them; protocol errors are for the SDK. */
async function callTool(
  engine: Engine,
  name: string,
  input: object,
  caller: Caller,
  onTokens: (tokens: number) => void,
): Promise<CallToolResult> {
  try {
    const light = lightCall(operationsByName.get(name), input);
    const hints: string[] = [];
    const { data, tokens, notices } = await engine.callUnchecked(name, light.input, {
      ...{ ...caller, pageLink: String },
      hint: (...sentences) => hints.push(...sentences),
    });
    onTokens(tokens);
    const told = { ...(notices.length > 0 ? { notices } : {}), ...(hints.length > 0 ? { hints } : {}) };
    const answer = { ...light.lighten(objectOf(data)), tokens, ...told };
    return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer };
  } catch (error) {
    const told = error instanceof EngineError ? error : new EngineError('internal_error');
    const { code, message, details } = await withCounties(engine, name, input, told, caller);
    const refusal = { error: { code, message, ...(details ? { details } : {}) } };
    return { content: [{ type: 'text', text: JSON.stringify(refusal) }], structuredContent: refusal, isError: true };
  }
}
