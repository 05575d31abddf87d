/** `platbook push`: counties of the home into PostgreSQL with PostGIS. */
import type { Command } from 'commander';
import { packageVersion } from '../package-root.ts';
import { pushLand } from '../postgis/push.ts';
import type { CountyPush } from '../postgis/push-county.ts';
import { counted } from '../spec/counted.ts';
import { countiesOf } from './arguments.ts';
import { chosenHome } from './home.ts';
import { type PasswordFlags, plainPasswordOption } from './land-option.ts';
import { withServer } from './land-server.ts';
import { grouped, type Output } from './output.ts';
import { stoppable } from './stoppable.ts';

interface PushFlags extends PasswordFlags {
  county?: string;
  renumber?: boolean;
  verify?: boolean;
  json?: boolean;
}

export function addPushCommand(program: Command, output: Output): void {
  program
    .command('push <address>')
    .option('--county <fips>', 'these counties alone, comma-separated')
    .option('--renumber', 'let the server give parcels other numbers, where it has given theirs to others')
    .option('--verify', 'compare every row there by its values, also where no other program is known to have written')
    .option(...plainPasswordOption)
    .option('--json', 'print the report as JSON')
    .addHelpText(
      'after',
      '\nOnly parcels and comps are sent, and only to the server that you name; contacts, notes, lists and the account stay here.\nThe password stands in the file that PGPASSFILE names (~/.pgpass), or in PGPASSWORD, never in the address.\n\nExample:\n  platbook push postgres://me@db.example.com/land --county 33019',
    )
    .action(async (address: string, flags: PushFlags, command: Command) => {
      const { county, renumber, verify, json } = flags;
      const { folder } = chosenHome(command);
      const report = await stoppable(
        output,
        'Interrupted; a county that was not finished is on the server as it was.',
        () =>
          withServer(address, flags, (server) =>
            pushLand(server, folder, {
              ...(county !== undefined && { counties: countiesOf(county) }),
              renumber: renumber === true,
              verify: verify === true,
              platbook: packageVersion,
              onPhase: (fips, phase) => output.progress(`${fips}: ${phase} …`),
              onCounty: (done) => {
                output.progress('');
                if (!json) output.print(countyText(done));
              },
            }),
          ),
      );
      output.progress('');
      if (json) output.print(JSON.stringify(report));
      else for (const note of report.notes) output.note(note);
    });
}

function countyText(county: CountyPush): string {
  const { fips, added, changed, removed, unchanged, comps, comps_changed: compsChanged, mended, renumbered } = county;
  if (!county.is_changed)
    return `${fips}: no change; ${counted(unchanged, 'parcel', 'parcels')} and ${counted(comps, 'comp', 'comps')} are there`;
  return [
    `${fips}: ${grouped(added)} new, ${grouped(changed)} changed, ${grouped(removed)} removed, ${grouped(unchanged)} unchanged; ${counted(comps, 'comp', 'comps')}, ${compsChanged === 0 ? 'unchanged' : 'written again'}`,
    ...(mended > 0
      ? [`  ${counted(mended, 'row', 'rows')} that another program had written there: as in this home again`]
      : []),
    ...(renumbered > 0
      ? [`  ${counted(renumbered, 'parcel has', 'parcels have')} another number on the server than in this home`]
      : []),
    ...(county.comps_without_parcel > 0
      ? [
          `  ${counted(county.comps_without_parcel, 'comp lies on a parcel', 'comps lie on parcels')} of counties that are not on the server; pushed later, they are linked`,
        ]
      : []),
    ...(county.kept_datasets > 0
      ? [
          `  ${counted(county.kept_datasets, 'dataset', 'datasets')} of the county, which this home does not have, stay there`,
        ]
      : []),
  ].join('\n');
}
