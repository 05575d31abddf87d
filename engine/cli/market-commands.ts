/** `platbook derive-comps`, `value`, `backtest`: the value of land. */
import type { Command } from 'commander';
import { type BacktestResult, backtestSentence } from '../comps/backtest.ts';
import type { UsedComp } from '../comps/value-types.ts';
import type { Engine } from '../engine.ts';
import type { DeriveReport } from '../importing/lists/derive-comps.ts';
import { workerJobs } from '../jobs/job-kinds.ts';
import { EngineError } from '../spec/errors.ts';
import { countyBacktest, type ExplainedValue } from '../value-explained.ts';
import { parseFips } from './arguments.ts';
import { requireHome, withEngine } from './home.ts';
import { runJob } from './job-run.ts';
import { addListImports } from './list-import-commands.ts';
import { grouped, type Output, readableJson, tableText } from './output.ts';
import { addSchemaOptions, givenFields } from './schema-options.ts';

/** @param importCommand the parent of `parcels`, `comps` and `contacts` */
export function addMarketCommands(program: Command, importCommand: Command, output: Output): void {
  addListImports(importCommand, output);
  addDeriveCommand(program, output);
  addValueCommands(program, output);
}

function addDeriveCommand(program: Command, output: Output): void {
  const { input: schema } = workerJobs.derive_comps;
  const command = program
    .command('derive-comps <fips>')
    .description("derive comps from the parcels' own recorded sales, screened; running it again replaces them");
  addSchemaOptions(command, schema)
    .option('--json', 'print the report as JSON')
    .addHelpText('after', '\nExample:\n  platbook derive-comps 33019 --qualified Q')
    .hook('preAction', (_program, command) => requireHome(command))
    .action((fips: string, flags: { json?: boolean }, subcommand: Command) =>
      withEngine(subcommand, output, async (engine) => {
        const input = { ...givenFields(schema, flags), county: parseFips(fips) };
        const report = (await runJob(engine, output, 'derive_comps', input)) as DeriveReport;
        if (flags.json) {
          output.print(JSON.stringify(report));
          return;
        }
        output.print(
          `${grouped(report.sales)} recorded sales, ${grouped(report.comps)} comps (${grouped(report.new)} new, ${grouped(report.unchanged)} unchanged)`,
        );
        output.print(
          tableText(
            ['screen', 'removed', 'failing'],
            report.screens.map(({ label, removed, failing }) => ({ screen: label, removed, failing })),
          ),
        );
      }),
    );
}

function addValueCommands(program: Command, output: Output): void {
  program
    .command('value <property_id>')
    .description('the comp value of a parcel (10 tokens; 0 without comps)')
    .option('--explain', 'every comp used, with its adjustments and weight')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  platbook value 100 --explain')
    .hook('preAction', (_program, command) => requireHome(command))
    .action((id: string, { explain, json }: { explain?: boolean; json?: boolean }, command: Command) =>
      withEngine(command, output, async (engine) => {
        if (!/^\d{1,15}$/.test(id))
          throw new EngineError('usage', `expected a property_id, found ${JSON.stringify(id)}`);
        await printValue(engine, Number(id), explain === true, json === true, output);
      }),
    );
  program
    .command('backtest <fips>')
    .description("value a county's own sales from the sales before them, and report the error (free)")
    .option('--json', 'print JSON')
    .hook('preAction', (_program, command) => requireHome(command))
    .action((fips: string, { json }: { json?: boolean }, command: Command) =>
      withEngine(command, output, ({ land, now }) => {
        output.progress('valuing every sale from those before it …');
        const result = countyBacktest(land, parseFips(fips), now());
        output.progress('');
        output.print(json ? JSON.stringify(result) : backtestText(result));
      }),
    );
}

const dollars = (value: number): string => `$${grouped(Math.round(value))}`;

async function printValue(engine: Engine, id: number, explain: boolean, json: boolean, output: Output): Promise<void> {
  if (!explain) {
    const { data, tokens } = await engine.call('get_property_ai_comp_value', { id });
    output.print(json ? JSON.stringify(data) : readableJson(data));
    if (!json) output.note(`${tokens} tokens`);
    return;
  }
  const { data, tokens } = await engine.explainCompValue(id);
  output.print(json ? JSON.stringify(data) : explanationText(data));
  if (!json) output.note(`${tokens} tokens`);
}

function explanationText({ explanation, tested }: ExplainedValue): string {
  const { value, valueRange, used, leftOut, isLowConfidence } = explanation;
  const confidence =
    isLowConfidence || value.confidence_score < 50 ? 'low' : value.confidence_score < 70 ? 'fair' : 'good';
  return [
    `${dollars(valueRange.low)} to ${dollars(valueRange.high)}, middle ${dollars(value.mean_adjusted_price)} (${dollars(value.mean_adjusted_ppa)} an acre)`,
    `Confidence ${value.confidence_score.toFixed(0)}, ${confidence}; Gini ${value.gini_index.toFixed(0)}. ${tested}.`,
    '',
    tableText(
      [
        'comp',
        'status',
        'price',
        'acres',
        '$/ac',
        'km',
        '× size',
        '× time',
        '× place',
        '× ask',
        '× land',
        '× market',
        'adj $/ac',
        'weight',
      ],
      used.map(usedRow),
    ),
    '',
    `Left out: ${
      Object.entries(leftOut.counts)
        .filter(([, count]) => count > 0)
        .map(([reason, count]) => `${count} ${reason.replaceAll('_', ' ')}`)
        .join(', ') || 'none'
    }.`,
    'A research indication from public records, not an appraisal.',
  ].join('\n');
}

const factor = (value: number): string => value.toFixed(2);

function usedRow({
  comp,
  price,
  acres,
  pricePerAcre,
  distanceKilometers,
  factors,
  adjustedPricePerAcre,
  weight,
}: UsedComp): Record<string, unknown> {
  return {
    comp: comp.address || comp.apn || comp.id.slice(0, 8),
    status: comp.status,
    price: dollars(price),
    acres: acres.toFixed(2),
    '$/ac': dollars(pricePerAcre),
    km: distanceKilometers.toFixed(1),
    '× size': factor(factors.size),
    '× time': factor(factors.time),
    '× place': factor(factors.place),
    '× ask': factor(factors.ask),
    '× land': factor(factors.attributes),
    '× market': factor(factors.pooling),
    'adj $/ac': dollars(adjustedPricePerAcre),
    weight: `${(weight * 100).toFixed(0)} %`,
  };
}

function backtestText(result: BacktestResult): string {
  const lines = [`${backtestSentence(result)}.`];
  if (result.study) {
    const { medianRatio, cod, prd, prb } = result.study;
    lines.push(
      `Median ratio ${medianRatio.toFixed(2)}, COD ${cod.toFixed(1)}, PRD ${prd.toFixed(2)}, PRB ${prb?.toFixed(2) ?? 'unknown'}; ${result.valuedCount} of ${result.saleCount} sales valued.`,
    );
  }
  return lines.join('\n');
}
