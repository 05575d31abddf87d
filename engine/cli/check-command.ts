/** `platbook check`: whether a home is whole. */
import type { Command } from 'commander';
import { checkHome } from '../check.ts';
import { exitCodes } from './exit-codes.ts';
import { withEngine } from './home.ts';
import type { Output } from './output.ts';

export function addCheckCommand(program: Command, output: Output): void {
  program
    .command('check')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }, command: Command) =>
      withEngine(command, output, (engine) => {
        output.progress('reading every page, shape, identity and charge …');
        const results = checkHome(engine);
        output.progress('');
        output.print(
          options.json
            ? JSON.stringify(results)
            : results.map(({ name, ok, detail }) => `${ok ? 'ok  ' : 'FAIL'}  ${name}: ${detail}`).join('\n'),
        );
        if (results.some(({ ok }) => !ok)) process.exitCode = exitCodes.failed;
      }),
    );
}
