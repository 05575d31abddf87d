/** `platbook python-client`: prints the API as one typed Python file. */
import type { Command } from 'commander';
import { pythonClientText } from '../docs/python-client.ts';
import { packageVersion } from '../package-root.ts';
import type { Output } from './output.ts';

export function addPythonClientCommand(program: Command, output: Output): void {
  program
    .command('python-client')
    .addHelpText(
      'after',
      '\nIt needs Python 3.9 or newer and no package, and holds no key.\n\nExample:\n  platbook python-client > platbook_api.py\n  PLATBOOK_KEY=plat_… python3 -c "from platbook_api import Platbook; print(Platbook().list_datasets())"\n',
    )
    .action(() => output.print(pythonClientText(packageVersion).trimEnd()));
}
