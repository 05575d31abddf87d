/** `platbook call`: one operation of the service. */
import type { Command } from 'commander';
import { operations } from '../operations/index.ts';
import { counted } from '../spec/counted.ts';
import { EngineError } from '../spec/errors.ts';
import { nearNames } from '../spec/validate.ts';
import { parseJson } from './arguments.ts';
import { type LandFlags, landHelp, landOption, withLand } from './land-option.ts';
import { type Output, readableJson } from './output.ts';

export function addCallCommand(program: Command, output: Output): void {
  program
    .command('call <operation> [json]')
    .option(...landOption)
    .option('--json', 'print the answer on one line')
    .addHelpText(
      'after',
      `\nOperations: ${operations.map((operation) => operation.name).join(', ')}. Their fields are in engine/API.md.\n\nExample:\n  platbook call search_properties '{"fips":"33019","owner_name":"smith"}'\n${landHelp}`,
    )
    .action((operation: string, json: string | undefined, options: LandFlags & { json?: boolean }, command: Command) =>
      withLand(command, output, { ...options, keptBytes: 0 }, async (engine) => {
        requireOperation(operation);
        const { data, tokens, notices } = await engine.callUnchecked(operation, parseJson(json), { mode: 'script' });
        output.print(options.json ? JSON.stringify(data) : readableJson(data));
        for (const notice of notices) output.note(notice);
        if (!options.json) output.note(counted(tokens, 'token', 'tokens'));
      }),
    );
}

function requireOperation(name: string): void {
  const known = operations.map((operation) => operation.name);
  if (known.includes(name)) return;
  const near = nearNames(name, known);
  throw new EngineError(
    'usage',
    `there is no operation ${JSON.stringify(name)}${near.length > 0 ? `; did you mean ${near.join(' or ')}?` : `: ${known.join(', ')}`}`,
  );
}
