/** `platbook imagery …`: photos of the air under the lots. */
import type { Command } from 'commander';
import type { ImageryReport } from '../imagery/add-imagery.ts';
import { listImagery } from '../imagery/list-imagery.ts';
import { tasks } from '../jobs/task-kinds.ts';
import { counted } from '../spec/counted.ts';
import { EngineError } from '../spec/errors.ts';
import { removeImageryChange } from '../work/imagery.ts';
import { withEngine, withNewEngine } from './home.ts';
import { runJob } from './job-run.ts';
import { type Output, tableText } from './output.ts';
import { addSchemaOptions, givenFields } from './schema-options.ts';

const { input: addSchema } = tasks.add_imagery;

export function addImageryCommand(program: Command, output: Output): void {
  const imagery = program.command('imagery').description('photos of the air under the lots');
  addSchemaOptions(imagery.command('add <paths...>'), addSchema)
    .description(
      'show photos on the map: GeoTIFFs, JPGs and PNGs with a world file, a folder of them, MBTiles, PMTiles',
    )
    .option('--json', 'print the report as JSON')
    .action((paths: string[], options: { json?: boolean }, command: Command) =>
      withNewEngine(command, output, async (engine) => {
        const input = { ...givenFields(addSchema, options), paths };
        const report = (await runJob(engine, output, 'add_imagery', input as never)) as ImageryReport;
        if (options.json) return output.print(JSON.stringify(report));
        const { id, name, files, refused } = report;
        output.print(`${name} (number ${id}): ${counted(files, 'photo', 'photos')} on the map.`);
        for (const { file, why } of refused) output.note(`${file}: ${why}`);
      }),
    );
  imagery
    .command('list', { isDefault: true })
    .description('the photos: number, name, day, files, how much is sharpened')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }, command: Command) =>
      withEngine(command, output, ({ home, land }) => {
        const rows = listImagery(home, land.imagery).map((each) => ({
          ...{ id: each.imagery_id, name: each.title, flown: each.flown, credit: each.credit, files: each.files },
          ...{ sharp: `${Math.floor(each.state * 100)} %`, missing: each.missingCount },
        }));
        output.print(options.json ? JSON.stringify(rows) : tableText(Object.keys(rows[0] ?? { id: 0 }), rows));
        if (!options.json && rows.length === 0) output.note('There are no photos yet: "platbook imagery add --help".');
      }),
    );
  imagery
    .command('remove <number>')
    .description('take photos off the map; their files stay')
    .action((text: string, _options: unknown, command: Command) =>
      withEngine(command, output, async (engine) => {
        const id = Number(text);
        if (!Number.isSafeInteger(id) || id < 1)
          throw new EngineError('usage', `Expected the number of photos, found ${JSON.stringify(text)}.`);
        await removeImageryChange.run({ id }, engine);
        output.print(`Photos ${id} are off the map; their files stay.`);
      }),
    );
  imagery
    .command('check')
    .description('which photos are not where they were, or have changed; finishes what is not sharpened')
    .action((_options: unknown, command: Command) =>
      withEngine(command, output, async (engine) => {
        const { home, land } = engine;
        const layers = listImagery(home, land.imagery);
        for (const { title, missing, missingCount } of layers.filter((each) => each.missingCount > 0))
          output.print(
            `${title}: ${counted(missingCount, 'photo is', 'photos are')} not where it was, or changed: ${missing.join(', ')}. The map shows the coarser levels.`,
          );
        if (layers.some(({ state }) => state < 1)) await runJob(engine, output, 'sharpen_imagery', {});
        if (layers.every(({ missingCount }) => missingCount === 0)) output.print('All photos are there.');
      }),
    );
}
