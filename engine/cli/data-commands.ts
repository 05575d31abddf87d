/** `platbook import …`, `sample`, `home`: a home, and what is in it. */
import type { Command } from 'commander';
import { dataFolders, sampleHomeFolder } from '../home-folder.ts';
import { keepSampleGround, sampleReport } from '../sample-county.ts';
import { chosenHome, openHome } from './home.ts';
import { addParcelsImport, reportText } from './import-parcels-command.ts';
import { addListImports } from './list-import-commands.ts';
import type { Output } from './output.ts';

export function addImportCommand(program: Command, output: Output): void {
  const importCommand = program.command('import');
  addParcelsImport(importCommand, output);
  addListImports(importCommand, output);
}

export function addSampleCommand(program: Command, output: Output): void {
  program
    .command('sample')
    .option('--json', 'print the report as JSON')
    .action(async (options: { json?: boolean }, command: Command) => {
      const { folder, named } = chosenHome(command);
      const home = named ? folder : sampleHomeFolder(folder);
      const engine = openHome(home, output, { create: true, isSample: true });
      try {
        await keepSampleGround(engine);
        const report = sampleReport(engine);
        output.print(options.json ? JSON.stringify({ home, ...report }) : reportText(report));
        if (!options.json) output.note(`It is in ${home}; name that folder with --home to use it.`);
      } finally {
        engine.close();
      }
    });
}

export function addHomeCommand(program: Command, output: Output): void {
  program
    .command('home')
    .option('--where', 'print the folders alone')
    .addHelpText('after', '\nExample:\n  platbook home --where')
    .action((options: { where?: boolean }, command: Command) => {
      output.print(dataFolders(chosenHome(command).folder).join('\n'));
      if (!options.where)
        output.note('Your data lie there. To remove Platbook, delete its program folder; to leave nothing, these too.');
    });
}
