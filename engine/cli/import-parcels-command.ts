/** `platbook import parcels`: a county's files, or a state's, brought in or only tried. */
import path from 'node:path';
import type { Command } from 'commander';
import type { Waiting } from '../enrichment/waiting.ts';
import type { ImportReport } from '../importing/import-parcels.ts';
import type { ImportPlanReport } from '../importing/plan-import.ts';
import type { StatewidePlanReport, StatewideReport } from '../importing/statewide.ts';
import type { ParcelsInput } from '../jobs/job-kinds.ts';
import { EngineError } from '../spec/errors.ts';
import { type DiskSpace, usesWords } from '../spec/space-uses.ts';
import { parseFips } from './arguments.ts';
import { withEngine } from './home.ts';
import { withMapping } from './import-mapping.ts';
import { runJob } from './job-run.ts';
import { waitingText } from './layer-commands.ts';
import { grouped, type Output, seconds, tableText } from './output.ts';

export interface ParcelsFlags {
  county?: string;
  mapping?: string;
  join?: string;
  layer?: string;
  crs?: string;
  jurisdiction?: string;
  source?: string;
  date?: string;
  replace?: boolean;
  countyColumn?: string;
  state?: string;
  dryRun?: boolean;
  problems?: string;
  json?: boolean;
}

export function addParcelsImport(importCommand: Command, output: Output): void {
  importCommand
    .command('parcels <files...>')
    .description(
      'parcels (Shapefile, GeoPackage, File Geodatabase, GeoJSON, FlatGeobuf, CSV with WKT; plain, a folder or a zip), joined with an assessor table (CSV, DBF, XLSX)',
    )
    .option('--county <fips>', 'county FIPS code')
    .option('--county-column <name>', 'statewide files: the column that names the county of each parcel')
    .option('--state <letters>', 'of a statewide file whose column has names or three digits')
    .option(
      '--mapping <file|profile>',
      'how columns map to the parcel dictionary; without it, what "platbook map" proposes',
    )
    .option('--join <table>', 'CSV, DBF or XLSX table to join')
    .option('--layer <name>', 'which layer, where the file holds several ("platbook look" lists them)')
    .option('--crs <code>', 'coordinate system, like EPSG:3437, where the file does not say it')
    .option('--jurisdiction <name>', 'the town, where several assess within the county')
    .option('--source <name>', 'who published the files')
    .option('--date <YYYY-MM-DD>', 'date of the data')
    .option('--replace', 'replace a dataset of the same county and jurisdiction that has another source')
    .option('--dry-run', 'say what the import would do, and change nothing')
    .option('--problems <file>', 'with --dry-run: where to list every problem as CSV')
    .option('--json', 'print the report as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  platbook import parcels parcels.geojson --county 33019 --mapping washington_nh --join assessor_2026-07.dbf\n  platbook import parcels parcels.zip --county 33019 --dry-run --problems problems.csv\n  platbook import parcels statewide.gdb.zip --county-column COUNTYFIPS',
    )
    .action((files: string[], flags: ParcelsFlags, command: Command) =>
      withEngine(command, output, async (engine) => {
        const input = withMapping(inputOf(files, flags), engine.home, output);
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

/** Only what was said: an absent option leaves the choice to the import. */
export function inputOf(files: readonly string[], flags: ParcelsFlags): ParcelsInput {
  const { county, countyColumn, problems, mapping, join, layer, crs, jurisdiction, source, date, replace, state } =
    flags;
  if ((county === undefined) === (countyColumn === undefined)) {
    throw new EngineError('usage', 'Expected --county with a FIPS code, or for a statewide file --county-column.');
  }
  if (problems !== undefined && !flags.dryRun) {
    throw new EngineError('usage', 'Expected --dry-run with --problems: the list is of a dry run.');
  }
  const said = { mapping, join, layer, crs, jurisdiction, source, date, replace, state };
  return {
    files,
    ...(county === undefined ? {} : { county: parseFips(county) }),
    ...(countyColumn === undefined ? {} : { county_column: countyColumn }),
    ...(problems === undefined ? {} : { problems: path.resolve(problems) }),
    ...(Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)) as typeof said as object),
  };
}

function doneText(report: ImportDone): string {
  const { completed, left_out: leftOut } = report;
  return [
    'counties' in report ? statewideText(report) : reportText(report),
    ...(completed.length > 0 ? [`  computed again from kept layers: ${completed.join(', ')}`] : []),
    ...leftOut.map((waiting) => `  ${waitingText(waiting)}`),
    ...('import_id' in report && report.import_id !== null
      ? [`  "platbook undo ${report.import_id}" puts everything back as it was`]
      : []),
  ].join('\n');
}

function dryRunText(plan: DryRun): string {
  const rows = [
    'A dry run: nothing was changed.',
    'counties' in plan ? statewideText(plan) : reportText(plan),
    ...('standing' in plan ? [`  ${grouped(plan.standing)} parcels of the dataset stand now`] : []),
    ...plan.space.disks.map(diskText),
    ...('samples' in plan ? sampleText(plan) : []),
  ];
  if (plan.problem_rows > 0) rows.push('', `${grouped(plan.problem_rows)} problems are listed in ${plan.problem_file}`);
  return rows.join('\n');
}

const megabytes = (bytes: number): string => `${grouped(Math.ceil(bytes / 1e6))} MB`;

const diskText = (disk: DiskSpace): string =>
  `  about ${megabytes(disk.needed)} are needed for a while on the disk of ${disk.folder} (${usesWords(disk)}); ${megabytes(disk.free)} are free`;

function sampleText({ samples }: ImportPlanReport): string[] {
  const columns = ['state', 'apn', 'owner_name', 'situs_address', 'acres', 'market_total_value'];
  const rows = samples.slice(0, 5).map(({ state, values }) => ({ state, ...values }));
  return ['', tableText(columns, rows)];
}

function statewideText({ counties, features_read, unplaced, seconds: took }: StatewideReport): string {
  const columns = ['fips', 'jurisdiction', 'new', 'changed', 'unchanged', 'retired', 'refused'];
  const rows = counties.map((county) => ({ ...county, refused: county.refused.count }));
  return [
    `${grouped(features_read)} features of ${grouped(counties.length)} counties read in ${seconds(took * 1000)}`,
    tableText(columns, rows),
    ...(unplaced.count > 0
      ? [`  ${grouped(unplaced.count)} rows name no county: ${unplaced.first[0]?.reason ?? ''}`]
      : []),
  ].join('\n');
}

const recountedWords = ({ recounted }: ImportReport): string =>
  recounted === 0 ? '' : ` (${grouped(recounted)} with values counted anew, as the months of ownership)`;

/** The report in sentences; the JSON form has more. */
export function reportText(report: ImportReport): string {
  const lines = [
    `${report.source}, ${report.date}${report.jurisdiction ? `, ${report.jurisdiction}` : ''} (${report.fips}): ${grouped(report.features_read)} features read in ${seconds(report.seconds * 1000)}`,
    `  ${grouped(report.new)} new, ${grouped(report.changed)} changed, ${grouped(report.unchanged)} unchanged${recountedWords(report)}, ${grouped(report.retired)} retired, ${grouped(report.returned)} returned`,
  ];
  if (report.table_rows > 0) {
    lines.push(
      `  ${grouped(report.joined)} joined with ${grouped(report.table_rows)} table rows; ${grouped(report.table_rows_unmatched.count)} table rows have no shape`,
    );
  }
  const others: [number, string][] = [
    [report.refused.count, 'refused'],
    [report.value_problems.count, 'values could not be read and are null'],
    [report.blank_apns, 'without an APN'],
    [report.apn_doubles, 'APNs stand on more than one parcel each'],
    [report.without_geometry, 'without a shape'],
    [report.repaired_geometries, 'with a repaired shape'],
    [report.redrawn_geometries.count, 'with a boundary that crossed itself, drawn anew'],
    [report.invalid_geometries.count, 'with a boundary that crosses itself (kept as it is)'],
    [report.acres_off.count, 'with recorded acres more than 5 % off those of the shape'],
    [report.kept_for_refused, 'kept, because the file has them but could not be read'],
    [
      report.written_otherwise,
      'new with the number of a retired one, written otherwise: notes and lists stay with the retired. A mapping that writes the APN as before keeps them one',
    ],
  ];
  lines.push(...others.filter(([count]) => count > 0).map(([count, words]) => `  ${grouped(count)} ${words}`));
  if (report.other_county) {
    const { fips, name, there, inside, of } = report.other_county;
    lines.push(
      `  ${grouped(there)} of ${grouped(of)} parcels that were looked at lie in ${name} (${fips}) and ${grouped(inside)} in the county whose code was given, ${report.fips}: is it the right one?`,
    );
  }
  lines.push(...report.refused.first.slice(0, 5).map(({ row, reason }) => `    row ${row}: ${reason}`));
  return lines.join('\n');
}
