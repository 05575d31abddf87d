/** `platbook import …`, `sample`, `check`: the contents of a home. */
import type { Command } from 'commander';
import { checkHome } from '../check.ts';
import { sampleHomeFolder } from '../home-folder.ts';
import { loadSampleCounty } from '../sample-county.ts';
import { exitCodes } from './exit-codes.ts';
import { chosenHome, openHome, withEngine } from './home.ts';
import { addParcelsImport, reportText } from './import-parcels-command.ts';
import { addListImports } from './list-import-commands.ts';
import type { Output } from './output.ts';

export function addImportCommand(program: Command, output: Output): void {
  const importCommand = program.command('import');
  addParcelsImport(importCommand, output);
  addListImports(importCommand, output);
}

export function addDataCommands(program: Command, output: Output): void {
  addSampleCommand(program, output);
  addCheckCommand(program, output);
}

function addSampleCommand(program: Command, output: Output): void {
  program
    .command('sample')
    .option('--json', 'print the report as JSON')
    .action(async (options: { json?: boolean }, command: Command) => {
      const { folder, named } = chosenHome(command);
      const home = named ? folder : sampleHomeFolder(folder);
      const engine = openHome(home, output, { create: true });
      try {
        output.progress('building the synthetic county …');
        const report = await loadSampleCounty(engine);
        output.progress('');
        output.print(options.json ? JSON.stringify({ home, ...report }) : reportText(report));
        if (!options.json) output.note(`It is in ${home}; name that folder with --home to use it.`);
      } finally {
        engine.close();
      }
    });
}

function addCheckCommand(program: Command, output: Output): void {
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
