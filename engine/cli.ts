/** The `platbook` command: parses arguments, prints errors, sets the exit code. Each subcommand calls one engine function. */
import { Command, CommanderError } from 'commander';
import { addCommands } from './cli/commands.ts';
import { exitCodes, exitCodesText } from './cli/exit-codes.ts';
import { Interrupted } from './cli/interrupt.ts';
import { type Output, standardOutput } from './cli/output.ts';
import { packageVersion } from './package-root.ts';
import { EngineError, nonFieldErrors } from './spec/errors.ts';

const exitHelp = `
${exitCodesText}
Home folder: --home, else PLATBOOK_HOME, else the application-data folder of the platform.

Examples:
  platbook sample                                          load the synthetic county into its own home
  platbook import parcels parcels.geojson --county 33019 --mapping washington_nh --join assessor.dbf
  platbook call filter_properties '{"county":"33019","acres_min":5,"vacant_only":true}'
  platbook keys create --name spreadsheet && platbook serve
`;

async function buildProgram(args: readonly string[], output: Output): Promise<Command> {
  const program = new Command('platbook')
    .description('The offline plat book: land-parcel data on one computer, with no network.')
    .version(packageVersion)
    .option('--home <folder>', 'folder of land.sqlite, people.sqlite and account.sqlite')
    .addHelpText('after', exitHelp)
    .configureOutput({
      writeOut: (text) => output.print(text.trimEnd()),
      writeErr: (text) => output.note(text.trimEnd()),
    })
    .showHelpAfterError('(--help lists commands and options)')
    .exitOverride();
  await addCommands(program, args, output);
  // Not inherited: below a command, arguments are shown.
  program.configureHelp({ subcommandTerm: (command) => command.name() });
  for (const command of allCommands(program)) command.exitOverride();
  return program;
}

const allCommands = (command: Command): Command[] => command.commands.flatMap((one) => [one, ...allCommands(one)]);

/** On a terminal, the bare command starts the app; a script gets the help. */
const bareOr = (given: readonly string[]): readonly string[] =>
  given.length === 0 && process.stdin.isTTY && process.stdout.isTTY ? ['serve', '--open'] : given;

/** @returns the exit code */
export async function main(given: readonly string[], output: Output = standardOutput): Promise<number> {
  const args = bareOr(given);
  try {
    await (await buildProgram(args, output)).parseAsync(args, { from: 'user' });
    return process.exitCode === undefined ? exitCodes.done : Number(process.exitCode);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    report(error, args.includes('--json'), output);
    if (error instanceof Interrupted) return error.exitCode;
    return error instanceof EngineError && error.code === 'usage' ? exitCodes.usage : exitCodes.failed;
  }
}

function report(error: unknown, asJson: boolean, output: Output): void {
  if (!(error instanceof EngineError)) {
    output.note(
      `platbook: a fault of Platbook: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
    return;
  }
  const { code, message, details } = error;
  if (asJson) {
    output.note(JSON.stringify({ error: { code, message, ...(details ? { details } : {}) } }));
    return;
  }
  // The message of a validation error repeats its first detail.
  const lines = Object.entries(details ?? {}).map(([field, texts]) =>
    field === nonFieldErrors ? texts : `${field}: ${texts.join('; ')}`,
  );
  output.note(`platbook: ${lines.length > 0 ? lines.flat().join('\n          ') : message}`);
}
