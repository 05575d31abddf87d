/** `platbook import parcels`: imports the files of a county or a state, or runs a dry run. */
import path from 'node:path';
import type { Command } from 'commander';
import type { Waiting } from '../enrichment/waiting.ts';
import type { ImportReport } from '../importing/merge/import-parcels.ts';
import type { ImportPlanReport } from '../importing/merge/plan-import.ts';
import type { StatewidePlanReport, StatewideReport } from '../importing/merge/statewide.ts';
import { expectFolderOf } from '../importing/stage/problem-list.ts';
import { type ParcelsInput, tasks } from '../jobs/task-kinds.ts';
import { bytesWords, freeWords } from '../spec/bytes-words.ts';
import { counted } from '../spec/counted.ts';
import { EngineError } from '../spec/errors.ts';
import { checkLines, type FilledReport, fillLines, fillPercent } from '../spec/import-checks.ts';
import { formatWords } from '../spec/import-formats.ts';
import { type DiskSpace, usesWords } from '../spec/space-uses.ts';
import { withNewEngine } from './home.ts';
import { withCounty } from './import-county.ts';
import { withMapping } from './import-mapping.ts';
import { runJob } from './job-run.ts';
import { waitingText } from './layer-commands.ts';
import { parseChoices } from './map-command.ts';
import { grouped, type Output, seconds, tableText } from './output.ts';
import { addSchemaOptions, givenFields } from './schema-options.ts';

const { input: schema } = tasks.import_parcels;

interface ParcelsFlags extends Partial<ParcelsInput> {
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly set?: readonly string[];
}

export function addParcelsImport(importCommand: Command, output: Output): void {
  const command = importCommand
    .command('parcels <files...>')
    .description(
      `parcels (${formatWords()} with WKT; plain, a folder or a zip), joined with an assessor table (CSV, DBF, XLSX)`,
    );
  addSchemaOptions(command, schema);
  addSchemaOptions(command, tasks.choose_mapping.input, ['join_key'])
    .option('--set <field=column...>', 'an answer to what the import asks: the column of the file; "apn=" for none')
    .option('--dry-run', 'say what the import would do, and change nothing')
    .option('--json', 'print the report as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  platbook import parcels parcels.geojson --county 33019 --mapping washington_nh --join assessor_2026-07.dbf\n  platbook import parcels parcels.zip --county 33019 --dry-run --problems problems.csv\n  platbook import parcels statewide.gdb.zip --county-column COUNTYFIPS',
    )
    .action((files: string[], flags: ParcelsFlags, command: Command) =>
      withNewEngine(command, output, async (engine) => {
        const placed = await withCounty(inputOf(files, flags), output);
        const { join_key: joinKey } = givenFields(tasks.choose_mapping.input, flags);
        const input = await withMapping(placed, {
          ...{ home: engine.home, output, isDryRun: flags.dryRun === true },
          ...{ choices: parseChoices(flags.set ?? []), joinKey },
        });
        if (flags.dryRun) {
          const plan = (await runJob(engine, output, 'plan_parcels', input)) as DryRun;
          output.print(flags.json ? JSON.stringify(plan) : dryRunText(plan));
          return;
        }
        const report = (await runJob(engine, output, 'import_parcels', input)) as ImportDone;
        output.print(flags.json ? JSON.stringify(report) : doneText(report));
      }),
    );
}

type ImportDone = (ImportReport | StatewideReport) & { readonly completed: string[]; readonly left_out: Waiting[] };
type DryRun = (ImportPlanReport | StatewidePlanReport) & {
  readonly problem_rows: number;
  readonly problem_file: string;
};

/** @throws EngineError usage for what the schema cannot express */
export function inputOf(files: readonly string[], flags: ParcelsFlags): ParcelsInput {
  const given = givenFields(schema, flags);
  const { county, problems } = given;
  if (county !== undefined && given.county_column !== undefined) {
    throw new EngineError('usage', 'Expected --county, or for a statewide file --county-column, found both.');
  }
  if (problems !== undefined && !flags.dryRun) {
    throw new EngineError('usage', 'Expected --dry-run with --problems: only a dry run writes the list.');
  }
  const list = problems === undefined ? undefined : path.resolve(problems);
  if (list !== undefined) expectFolderOf(list);
  return { ...given, files, ...(list !== undefined && { problems: list }) };
}

function doneText(report: ImportDone): string {
  const { completed, left_out: leftOut } = report;
  return [
    'counties' in report ? statewideText(report) : reportText(report),
    ...(completed.length > 0 ? [`  computed again from kept layers: ${completed.join(', ')}`] : []),
    ...leftOut.map((waiting) => `  ${waitingText(waiting)}`),
    ...('import_id' in report && report.import_id !== null
      ? [`  "platbook undo ${report.import_id}" restores the previous state`]
      : []),
  ].join('\n');
}

function dryRunText(plan: DryRun): string {
  const rows = [
    'A dry run: nothing was changed.',
    'counties' in plan ? statewideText(plan) : reportText(plan),
    ...('standing' in plan ? [`  ${counted(plan.standing, 'current parcel', 'current parcels')} in the dataset`] : []),
    ...plan.space.disks.map(diskText),
    ...('samples' in plan ? sampleText(plan) : []),
  ];
  if (plan.problem_rows > 0)
    rows.push('', `${counted(plan.problem_rows, 'problem is', 'problems are')} listed in ${plan.problem_file}`);
  return rows.join('\n');
}

const diskText = (disk: DiskSpace): string =>
  `  about ${bytesWords(disk.needed)} are temporarily needed on the disk of ${disk.folder} (${usesWords(disk)}); ${freeWords(disk.free)} are free`;

function sampleText({ samples }: ImportPlanReport): string[] {
  const columns = ['state', 'apn', 'owner_name', 'situs_address', 'acres', 'market_total_value'];
  const rows = samples.slice(0, 5).map(({ state, values }) => ({ state, ...values }));
  return ['', tableText(columns, rows)];
}

function statewideText({ counties, features_read, unplaced, seconds: took }: StatewideReport): string {
  const columns = ['fips', 'jurisdiction', 'new', 'changed', 'unchanged', 'retired', 'refused'];
  const rows = counties.map((county) => ({ ...county, refused: county.refused.count }));
  return [
    `${counted(features_read, 'feature', 'features')} of ${counted(counties.length, 'county', 'counties')} read in ${seconds(took * 1000)}`,
    tableText(columns, rows),
    ...(unplaced.count > 0
      ? [`  ${counted(unplaced.count, 'row names', 'rows name')} no county: ${unplaced.first[0]?.reason ?? ''}`]
      : []),
    ...fillText(counties),
  ].join('\n');
}

function fillText(reports: readonly FilledReport[]): string[] {
  const rows = fillLines(reports).map(({ column, filled, of, samples }) => ({
    column,
    filled: fillPercent(filled, of),
    parcels: grouped(filled),
    'for example': samples.map((value) => String(value).slice(0, 24)).join(' · '),
  }));
  return rows.length === 0 ? [] : ['', tableText(['column', 'filled', 'parcels', 'for example'], rows)];
}

const recountedWords = ({ recounted }: ImportReport): string =>
  recounted === 0 ? '' : ` (${grouped(recounted)} with recalculated values, such as the months of ownership)`;

/** The report in sentences; the JSON form has more. */
export function reportText(report: ImportReport): string {
  const lines = [
    `${report.source}, ${report.date}${report.jurisdiction ? `, ${report.jurisdiction}` : ''} (${report.fips}): ${counted(report.features_read, 'feature', 'features')} read in ${seconds(report.seconds * 1000)}`,
    `  ${grouped(report.new)} new, ${grouped(report.changed)} changed, ${grouped(report.unchanged)} unchanged${recountedWords(report)}, ${grouped(report.retired)} retired, ${grouped(report.returned)} returned`,
  ];
  const checks = checkLines([report], report.features_read).filter(({ id, count }) => id !== 'rows' && count > 0);
  lines.push(...checks.map(({ label, count, words }) => `  ${label}: ${grouped(count)}; ${words}`));
  lines.push(...report.refused.first.slice(0, 5).map(({ row, reason }) => `    row ${row}: ${reason}`));
  lines.push(...fillText([report]));
  return lines.join('\n');
}
