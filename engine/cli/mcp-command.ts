/** `platbook mcp`: serves the operations to assistants over standard input and output. */
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { type Command, Option } from 'commander';
import type { Engine } from '../engine.ts';
import { type LandFlags, landHelp, landOption, plainPasswordOption, withLand } from './land-option.ts';
import type { Output } from './output.ts';

export function addMcpCommand(program: Command, output: Output): void {
  program
    .command('mcp')
    .option(...landOption)
    .option(...plainPasswordOption)
    .addHelpText(
      'after',
      `\nExample, in the assistant’s settings:\n  {"mcpServers": {"platbook": {"command": "platbook", "args": ["mcp"]}}}\nA listener that runs (the app, \`platbook serve\`) serves the same at POST /mcp, with an API key.\n${landHelp}`,
    )
    .addOption(
      new Option('--tools <which>', 'also those of deals, feeds, markets, usage and verdicts on owners').choices([
        'all',
      ]),
    )
    .action(({ tools, ...options }: LandFlags & { tools?: string }, command: Command) =>
      withLand(command, output, options, (engine) =>
        servePipes(engine, tools === 'all', (fault) => output.note(`platbook mcp: ${fault}`)),
      ),
    );
}

/** Codes of JSON-RPC. */
const parseError = -32700;
const invalidRequest = -32600;

/**
 * Serves one assistant over standard input and output, until it ends.
 * @param log receives faults of the transport in words; never data of parcels or people
 */
async function servePipes(engine: Engine, allTools: boolean, log: (fault: string) => void): Promise<void> {
  // Loaded only for this command: the protocol's packages take a tenth of a second.
  const { StdioServerTransport, serveStdio } = await import('@modelcontextprotocol/server/stdio');
  const { mcpServer } = await import('../mcp/server.ts');
  const input = new PassThrough();
  const transport = new StdioServerTransport(input);
  const refuse = (code: number, fault: string) => {
    log(fault);
    void transport.send(withoutId(code, fault)).catch(() => {});
  };
  const served = serveStdio(() => mcpServer(engine, { allTools }), {
    transport,
    onerror: (error) =>
      /^\$?ZodError$/.test(error.name)
        ? refuse(invalidRequest, 'Expected a message of JSON-RPC 2.0, found other JSON.')
        : log(`The connection has a fault (${error.name}).`),
  });
  // The kit skips lines that are not JSON without a word; what they hold may be names of people.
  for await (const line of createInterface({ input: process.stdin })) {
    if (isJson(line)) input.write(`${line}\n`);
    else refuse(parseError, 'Expected one JSON message a line, found another line.');
  }
  await served.close();
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

/** JSON-RPC answers so what has no id; the kit has no type for it. */
const withoutId = (code: number, message: string): JSONRPCMessage =>
  ({ jsonrpc: '2.0', id: null, error: { code, message } }) as unknown as JSONRPCMessage;
