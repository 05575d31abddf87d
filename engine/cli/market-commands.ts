/** `platbook derive-comps`, `value`, `backtest`: the value of land. */
import fs from 'node:fs';
import { type Command, Option } from 'commander';
import type { Engine } from '../engine.ts';
import { writeWhole } from '../exporting/file-sink.ts';
import type { DeriveReport } from '../importing/lists/derive-comps.ts';
import { tasks } from '../jobs/task-kinds.ts';
import { atOnce } from '../land/answered.ts';
import { LocalLand } from '../land/local-land.ts';
import { compNotices } from '../land/notices.ts';
import { valueGridsPdf } from '../sheet/value-grid-page.ts';
import { testedLines } from '../spec/comp-import-lines.ts';
import { counted } from '../spec/counted.ts';
import { EngineError } from '../spec/errors.ts';
import { countyBacktest, type ExplainedValue, keepMarket, type ToldValue } from '../value-explained.ts';
import { shownValue } from '../work/shown-value.ts';
import { parseFips } from './arguments.ts';
import { withEngine } from './home.ts';
import { runJob } from './job-run.ts';
import type { TestedReport } from './list-import-commands.ts';
import { grouped, type Output, readableJson, tableText } from './output.ts';
import { addSchemaOptions, givenFields } from './schema-options.ts';
import { usedCompsCsv } from './value-csv.ts';
import { backtestText, explanationText } from './value-text.ts';

export function addMarketCommands(program: Command, output: Output): void {
  addDeriveCommand(program, output);
  addValueCommands(program, output);
}

function addDeriveCommand(program: Command, output: Output): void {
  const { input: schema } = tasks.derive_comps;
  const command = program.command('derive-comps <fips>');
  addSchemaOptions(command, schema)
    .option('--json', 'print the report as JSON')
    .addHelpText('after', '\nExample:\n  platbook derive-comps 33019 --qualified Q')
    .action((fips: string, flags: { json?: boolean }, subcommand: Command) =>
      withEngine(subcommand, output, async (engine) => {
        const input = { ...givenFields(schema, flags), county: parseFips(fips) };
        const report = (await runJob(engine, output, 'derive_comps', input)) as TestedReport<DeriveReport>;
        if (flags.json) {
          output.print(JSON.stringify(report));
          return;
        }
        output.print(
          `${counted(report.sales, 'recorded sale', 'recorded sales')}, ${counted(report.comps, 'comp', 'comps')} (${grouped(report.new)} new, ${grouped(report.unchanged)} unchanged)`,
        );
        output.print(
          tableText(
            ['screen', 'removed', 'failing'],
            report.screens.map(({ label, removed, failing }) => ({ screen: label, removed, failing })),
          ),
        );
        for (const { words } of testedLines(report)) output.print(words);
      }),
    );
}

interface ValueFlags {
  readonly explain?: boolean;
  readonly csv?: boolean;
  readonly json?: boolean;
  readonly asOf?: string;
  readonly grid?: string;
  readonly pin?: readonly string[];
  readonly strike?: readonly string[];
}

function addValueCommands(program: Command, output: Output): void {
  program
    .command('value <property_id>')
    .option('--as-of <day>', 'value the land as of a past day, from nothing later, like 2024-06-30')
    .option('--explain', 'every comp used, with its adjustments and weight')
    .option('--grid <file>', 'write the grid of comps as PDF, on a Letter page')
    .option('--pin <ids...>', 'use these comps, however unlike: the value with them stands beside the one without')
    .option('--strike <ids...>', 'leave these comps out of a value beside the one with them; nothing is remembered')
    .addOption(new Option('--csv', 'print the comps used as CSV, with all digits').conflicts('json'))
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  platbook value 100 --explain')
    .action((id: string, flags: ValueFlags, command: Command) =>
      withEngine(command, output, async (engine) => {
        if (!/^\d{1,15}$/.test(id))
          throw new EngineError('usage', `expected a property_id, found ${JSON.stringify(id)}`);
        await printValue(engine, Number(id), flags, output);
      }),
    );
  program
    .command('backtest <fips>')
    .option('--json', 'print JSON')
    .action((fips: string, { json }: { json?: boolean }, command: Command) =>
      withEngine(command, output, ({ land, now }) => {
        output.progress('valuing every sale from those before it …');
        const county = parseFips(fips);
        // asked for: what an import leaves to programs that stay open
        keepMarket(land, county, now());
        const result = countyBacktest(land, county, now());
        output.progress('');
        output.print(json ? JSON.stringify(result) : backtestText(result));
        for (const notice of atOnce(compNotices(new LocalLand(land), county))) output.note(notice);
      }),
    );
}

/** With what was pinned and struck by hand first, then without. */
function gridsOf(engine: Engine, id: number, explained: ExplainedValue) {
  const apn = engine.land.file.column<string | null>('SELECT apn FROM parcels WHERE property_id = ?', id)[0] ?? id;
  const grid = (title: string, one: ToldValue) => ({ title, value: shownValue(engine, id, one) });
  const { forced } = explained;
  return [
    ...(forced ? [grid(`Comp value of ${apn}, comps pinned and struck by hand`, forced)] : []),
    grid(`Comp value of ${apn}`, explained),
  ];
}

async function printValue(engine: Engine, id: number, flags: ValueFlags, output: Output): Promise<void> {
  const { explain, csv, json, asOf, grid, pin, strike } = flags;
  if (explain || csv || grid || pin || strike) return printExplained(engine, id, flags, output);
  const input = { id, ...(asOf !== undefined && { as_of: asOf }) };
  const { data, tokens, notices } = await engine.call('get_property_ai_comp_value', input);
  for (const notice of notices) output.note(notice);
  output.print(json ? JSON.stringify(data) : readableJson(data));
  if (!json) output.note(`${tokens} tokens`);
}

async function printExplained(
  engine: Engine,
  id: number,
  { csv, json, asOf, grid, pin = [], strike = [] }: ValueFlags,
  output: Output,
): Promise<void> {
  const { data, tokens } = await engine.explainCompValue(id, undefined, asOf, { pinned: pin, struck: strike });
  if (grid) {
    const pdf = valueGridsPdf(gridsOf(engine, id, data), engine.now());
    await writeWhole(grid, (temporary) => fs.promises.writeFile(temporary, pdf, { flag: 'wx', mode: 0o600 }));
    output.note(`${grid}: the grid of ${counted(data.explanation.used.length, 'comp', 'comps')}`);
  }
  if (csv) output.print(usedCompsCsv((data.forced ?? data).explanation.used).trimEnd());
  else output.print(json ? JSON.stringify(data) : explanationText(data));
  if (!json) output.note(`${tokens} tokens`);
}
