/** `platbook backup`, `restore`, `share`: writes the home into one file, restores it, and copies it without people. */
import type { Command } from 'commander';
import { backupHome } from '../backup/backup-home.ts';
import { restoreHome } from '../backup/restore-home.ts';
import { shareLand } from '../backup/share-land.ts';
import { bytesWords } from '../spec/bytes-words.ts';
import { counted } from '../spec/counted.ts';
import { chosenHome } from './home.ts';
import { interruptible } from './interrupt.ts';
import type { Output } from './output.ts';

interface BackupOptions {
  onlyMyWork?: boolean;
  json?: boolean;
}

export function addBackupCommands(program: Command, output: Output): void {
  program
    .command('backup <file>')
    .option('--only-my-work', 'notes, lists, searches, keys and the ledger alone, without parcels and people')
    .option('--json', 'print the report as JSON')
    .addHelpText('after', '\nExample:\n  platbook backup platbook-2026-11-20.zip')
    .action(async (file: string, options: BackupOptions, command: Command) => {
      output.progress('copying …');
      const report = await interruptible(output, () =>
        backupHome(chosenHome(command).folder, file, {
          onlyMyWork: options.onlyMyWork ?? false,
          now: new Date(),
        }),
      );
      output.progress('');
      output.print(
        options.json
          ? JSON.stringify(report)
          : `${report.file}: ${bytesWords(report.bytes)}, ${report.files.map(({ name, bytes }) => `${name} (${bytesWords(bytes)})`).join(', ')}`,
      );
    });
  program
    .command('restore <file>')
    .option('--only-my-work', 'notes, lists, searches, keys and the ledger alone; parcels and people stay')
    .option('--json', 'print the report as JSON')
    .addHelpText('after', '\nExample:\n  platbook restore platbook-2026-11-20.zip')
    .action(async (file: string, options: BackupOptions, command: Command) => {
      output.progress('unpacking and checking …');
      const report = await interruptible(output, () =>
        restoreHome(chosenHome(command).folder, file, {
          onlyMyWork: options.onlyMyWork ?? false,
          now: new Date(),
        }),
      );
      output.progress('');
      if (options.json) return output.print(JSON.stringify(report));
      output.print(`Restored ${report.files.join(', ')} as of ${report.made_at}.`);
      if (report.kept_in !== null) output.print(`The previous files are kept in ${report.kept_in}.`);
    });
  program
    .command('share <file>')
    .option('--json', 'print the report as JSON')
    .addHelpText('after', '\nExample:\n  platbook share alder-county.sqlite')
    .action(async (file: string, options: { json?: boolean }, command: Command) => {
      output.progress('copying …');
      const report = await interruptible(output, () => shareLand(chosenHome(command).folder, file));
      output.progress('');
      output.print(
        options.json
          ? JSON.stringify(report)
          : `${report.file}: ${counted(report.parcels, 'parcel', 'parcels')}, ${bytesWords(report.bytes)}. Owner names of the public record are in it; contacts, notes, lists, waypoints, tracks and photos are not.`,
      );
    });
}
