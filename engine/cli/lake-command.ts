/** `platbook lake`: all parcels of the home as a folder of GeoParquet. */
import type { Command } from 'commander';
import { bytesWords } from '../spec/bytes-words.ts';
import { counted } from '../spec/counted.ts';
import { countiesOf } from './arguments.ts';
import { chosenHome } from './home.ts';
import { endInterrupted } from './interrupt.ts';
import { writeLakeApart } from './lake-apart.ts';
import type { Output } from './output.ts';

interface LakeFlags {
  county?: string;
  json?: boolean;
}

export function addLakeCommand(program: Command, output: Output): void {
  program
    .command('lake <folder>')
    .option('--county <fips>', 'these counties alone, comma-separated; those that the folder has besides stay')
    .option('--json', 'print the report as JSON')
    .addHelpText('after', '\nExample:\n  platbook lake /data/lake')
    .action(async (folder: string, { county, json }: LakeFlags, command: Command) => {
      const counties = county === undefined ? undefined : countiesOf(county);
      const order = { home: chosenHome(command).folder, folder, now: new Date(), ...(counties && { counties }) };
      const report = await writeLakeApart(order, {
        onCounty: (fips, done, of) => output.progress(`writing ${fips}, ${done + 1} of ${of} …`),
        onInterrupt: (signal) => endInterrupted(output, signal),
      });
      output.progress('');
      if (json) return output.print(JSON.stringify(report));
      const kept = report.kept === 0 ? '' : `; ${counted(report.kept, 'other county stays', 'other counties stay')}`;
      output.print(
        `${folder}: ${counted(report.parcels, 'parcel', 'parcels')} of ${counted(report.counties, 'county', 'counties')}, ${bytesWords(report.bytes)}${kept}. Owner names of the public record are in it; contacts, notes and lists are not.`,
      );
      for (const note of report.notes) output.print(`  ${note}`);
    });
}
