/**
 * Serves the operations as tools of the Model Context Protocol to assistants on this computer. Names, inputs and prices
 * are those of the operations; every call goes through the engine's pipeline and is metered with mode `mcp`.
 */
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, type CallToolResult, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Engine } from '../engine.ts';
import { type AnyOperation, operations } from '../operations/index.ts';
import { packageVersion } from '../package-root.ts';
import { EngineError } from '../spec/errors.ts';

const instructions =
  'Land parcels, comparable sales and contacts on this computer; nothing is sent to a network. Counties are named by FIPS code. A value that the county did not publish is null and satisfies no filter. Calls cost tokens, counted on this computer; each tool states its price.';

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
 * @param log receives faults of the transport; never data of parcels or people
 */
export function mcpServer(engine: Engine, log: (error: unknown) => void = () => {}): Server {
  const server = new Server(
    { name: 'platbook', version: packageVersion },
    { capabilities: { tools: {} }, instructions },
  );
  server.onerror = log;
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: operations.map(toolOf) }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => callTool(engine, params.name, params.arguments));
  return server;
}

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
