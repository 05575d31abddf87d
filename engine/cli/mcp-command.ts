/** `platbook mcp`: serves the operations to assistants over standard input and output. */
import { type Command, Option } from 'commander';
import { type LandFlags, landHelp, landOption, plainPasswordOption, withLand } from './land-option.ts';
import type { Output } from './output.ts';

export function addMcpCommand(program: Command, output: Output): void {
  program
    .command('mcp')
    .option(...landOption)
    .option(...plainPasswordOption)
    .addHelpText(
      'after',
      `\nExample, in the assistant’s settings:\n  {"mcpServers": {"platbook": {"command": "platbook", "args": ["mcp"]}}}\n${landHelp}`,
    )
    .addOption(
      new Option('--tools <which>', 'also those of deals, feeds, markets, usage and verdicts on owners').choices([
        'all',
      ]),
    )
    .action(({ tools, ...options }: LandFlags & { tools?: string }, command: Command) =>
      withLand(command, output, options, async (engine) => {
        // Loaded only for this command: the protocol's packages take a tenth of a second.
        const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js');
        const { mcpServer } = await import('../mcp/server.ts');
        const transport = new StdioServerTransport();
        const server = mcpServer(engine, {
          allTools: tools === 'all',
          log: (fault) => output.note(`platbook mcp: ${fault}`),
        });
        const ended = new Promise<void>((resolve) => {
          server.onclose = resolve;
          // The transport does not detect the end of its input, which means the assistant has exited.
          process.stdin.once('end', resolve);
        });
        await server.connect(transport);
        await ended;
        await server.close();
      }),
    );
}
