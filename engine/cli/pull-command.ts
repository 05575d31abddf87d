/** `platbook pull`: counties out of PostgreSQL with PostGIS into the home. */
import type { Command } from 'commander';
import type { CountyPull } from '../importing/merge/merge-pulled.ts';
import { pullCounty } from '../postgis/pull-county.ts';
import { counted } from '../spec/counted.ts';
import { countiesOf } from './arguments.ts';
import { withNewEngine } from './home.ts';
import { type PasswordFlags, plainPasswordOption } from './land-option.ts';
import { withServer } from './land-server.ts';
import { grouped, type Output } from './output.ts';
import { stoppable } from './stoppable.ts';

interface PullFlags extends PasswordFlags {
  county: string;
  replace?: boolean;
  json?: boolean;
}

export function addPullCommand(program: Command, output: Output): void {
  program
    .command('pull <address>')
    .requiredOption('--county <fips>', 'the counties, comma-separated')
    .option('--replace', 'go back to the county of the server where this home has a newer one')
    .option(...plainPasswordOption)
    .option('--json', 'print the report as JSON')
    .addHelpText(
      'after',
      '\nParcels keep the numbers of the server. "platbook undo" takes a pull back like an import; comps stay.\n\nExample:\n  platbook pull postgres://me@db.example.com/land --county 33019',
    )
    .action((address: string, flags: PullFlags, command: Command) =>
      withNewEngine(command, output, async (engine) => {
        const counties: CountyPull[] = [];
        await stoppable(output, 'Interrupted; a county that was not finished is as it was.', () =>
          withServer(address, flags, async (server) => {
            for (const fips of countiesOf(flags.county)) {
              const county = await pullCounty(server, engine.land, {
                fips,
                replace: flags.replace === true,
                now: engine.now,
                onRows: (table, rows) => output.progress(`${fips}: ${table} ${grouped(rows)} …`),
              });
              output.progress('');
              counties.push(county);
              if (!flags.json) output.print(countyText(county));
            }
          }),
        );
        if (flags.json) output.print(JSON.stringify({ counties }));
      }),
    );
}

const countyText = ({ fips, datasets, comps, comps_changed: changed }: CountyPull): string =>
  [
    ...datasets.map(
      (one) =>
        `${fips}${one.jurisdiction ? `, ${one.jurisdiction}` : ''}: ${grouped(one.new)} new, ${grouped(one.changed)} changed, ${grouped(one.unchanged)} unchanged, ${grouped(one.retired)} retired${one.import_id === null ? '' : `; "platbook undo ${one.import_id}" takes it back`}`,
    ),
    `  ${counted(comps, 'comp', 'comps')} of the county and around it, ${grouped(changed)} of them new or changed`,
  ].join('\n');
