/** `platbook import …`, `sample`, `datasets`, `check`: what is in a home. */
import type { Command } from 'commander';
import { checkHome } from '../check.ts';
import { sampleHomeFolder } from '../home-folder.ts';
import { linkComps } from '../importing/comp-links.ts';
import { listDatasets } from '../importing/datasets.ts';
import { type ImportProgress, type ImportReport, importParcels } from '../importing/import-parcels.ts';
import { loadMapping } from '../importing/mapping.ts';
import { loadSampleCounty } from '../sample-county.ts';
import { parseFips } from './arguments.ts';
import { chosenHome, openHome, requireHome, withEngine } from './home.ts';
import { grouped, type Output, seconds, tableText } from './output.ts';

/** @returns the `import` command, for what else can be imported */
export function addDataCommands(program: Command, output: Output): Command {
  const importCommand = program.command('import').description('bring in files of a county, of listings, of contacts');
  addParcelsImport(importCommand, output);
  addSampleCommand(program, output);
  addDatasetCommands(program, output);
  return importCommand;
}

interface ImportOptions {
  county: string;
  mapping?: string;
  join?: string;
  layer?: string;
  crs?: string;
  jurisdiction?: string;
  source?: string;
  date?: string;
  replace?: boolean;
  json?: boolean;
}

function addParcelsImport(importCommand: Command, output: Output): void {
  importCommand
    .command('parcels <files...>')
    .description(
      'parcels (Shapefile, GeoPackage, File Geodatabase, GeoJSON, FlatGeobuf, CSV with WKT; plain, a folder or a zip), joined with an assessor table (CSV, DBF, XLSX)',
    )
    .requiredOption('--county <fips>', 'county FIPS code')
    .option(
      '--mapping <file|profile>',
      'how columns map to the parcel dictionary; without it, columns of the same name do',
    )
    .option('--join <table>', 'CSV, DBF or XLSX table to join')
    .option('--layer <name>', 'which layer, where the file holds several ("platbook look" lists them)')
    .option('--crs <code>', 'coordinate system, like EPSG:3437, where the file does not say it')
    .option('--jurisdiction <name>', 'the town, where several assess within the county')
    .option('--source <name>', 'who published the files')
    .option('--date <YYYY-MM-DD>', 'date of the data')
    .option('--replace', 'replace a dataset of the same county and jurisdiction that has another source')
    .option('--json', 'print the report as JSON')
    .addHelpText(
      'after',
      '\nExample:\n  platbook import parcels parcels.geojson --county 33019 --mapping washington_nh --join assessor_2026-07.dbf',
    )
    .action((files: string[], options: ImportOptions, command: Command) =>
      withEngine(command, output, async ({ land, now }) => {
        const report = await importParcels(land, {
          files,
          fips: parseFips(options.county),
          homeKind: 'real',
          now,
          onProgress: (event) => output.progress(progressText(event)),
          ...given(options),
        });
        // Comps that were imported before their parcels find them now.
        linkComps(land, report.fips);
        output.progress('');
        output.print(options.json ? JSON.stringify(report) : reportText(report));
      }),
    );
}

/** Only what was said: an absent option leaves the choice to the import. */
function given({ mapping, join, layer, crs, jurisdiction, source, date, replace }: ImportOptions) {
  const reading = { ...(layer === undefined ? {} : { layer }), ...(crs === undefined ? {} : { crs }) };
  return {
    ...(Object.keys(reading).length === 0 ? {} : { reading }),
    ...(mapping === undefined ? {} : { mapping: loadMapping(mapping) }),
    ...(join === undefined ? {} : { joinFile: join }),
    ...(jurisdiction === undefined ? {} : { jurisdiction }),
    ...(source === undefined ? {} : { source }),
    ...(date === undefined ? {} : { date }),
    ...(replace === undefined ? {} : { replace }),
  };
}

const progressText = ({ phase, rows, rowsPerSecond }: ImportProgress): string =>
  `${phase}: ${grouped(rows)} parcels, ${grouped(Math.round(rowsPerSecond))} a second`;

/** The report in sentences; the JSON form has more. */
function reportText(report: ImportReport): string {
  const lines = [
    `${report.source}, ${report.date}${report.jurisdiction ? `, ${report.jurisdiction}` : ''} (${report.fips}): ${grouped(report.features_read)} features read in ${seconds(report.seconds * 1000)}`,
    `  ${grouped(report.new)} new, ${grouped(report.changed)} changed, ${grouped(report.unchanged)} unchanged, ${grouped(report.retired)} retired, ${grouped(report.returned)} returned`,
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
    [report.apn_doubles, 'share their APN with another'],
    [report.without_geometry, 'without a shape'],
    [report.repaired_geometries, 'with a repaired shape'],
    [report.invalid_geometries.count, 'with a boundary that crosses itself (kept as it is)'],
    [report.kept_for_refused, 'kept, because the file has them but could not be read'],
  ];
  lines.push(...others.filter(([count]) => count > 0).map(([count, words]) => `  ${grouped(count)} ${words}`));
  lines.push(...report.refused.first.slice(0, 5).map(({ row, reason }) => `    row ${row}: ${reason}`));
  return lines.join('\n');
}

function addSampleCommand(program: Command, output: Output): void {
  program
    .command('sample')
    .description('load the synthetic sample county (no real people or places) into a home of its own')
    .option('--json', 'print the report as JSON')
    .action(async (options: { json?: boolean }, command: Command) => {
      const { folder, named } = chosenHome(command);
      const home = named ? folder : sampleHomeFolder(folder);
      const engine = openHome(home, output);
      try {
        output.progress('building the synthetic county …');
        const report = await loadSampleCounty(engine);
        output.progress('');
        output.print(options.json ? JSON.stringify({ home, ...report }) : reportText(report));
        if (!options.json) output.note(`It is in ${home}; name that folder with --home to use it.`);
      } finally {
        engine.close();
      }
    });
}

function addDatasetCommands(program: Command, output: Output): void {
  program
    .command('datasets')
    .description('what is loaded: source, jurisdiction, date, parcels')
    .option('--json', 'print JSON')
    .hook('preAction', (_program, command) => requireHome(command))
    .action((options: { json?: boolean }, command: Command) =>
      withEngine(command, output, ({ land }) => {
        const rows = listDatasets(land).map((dataset) => ({ ...dataset }));
        output.print(
          options.json
            ? JSON.stringify(rows)
            : tableText(
                [
                  'dataset_id',
                  'fips',
                  'county_name',
                  'jurisdiction',
                  'source_name',
                  'source_date',
                  'parcels',
                  'retired',
                  'imported_at',
                ],
                rows,
              ),
        );
        if (!options.json && rows.length === 0)
          output.note('Nothing is loaded yet: "platbook import parcels …" or "platbook sample".');
      }),
    );
  program
    .command('check')
    .description('check integrity, indexes, identities and the ledger; exits 1 when one fails')
    .option('--json', 'print JSON')
    .hook('preAction', (_program, command) => requireHome(command))
    .action((options: { json?: boolean }, command: Command) =>
      withEngine(command, output, (engine) => {
        output.progress('reading every page, shape, identity and charge …');
        const results = checkHome(engine);
        output.progress('');
        output.print(
          options.json
            ? JSON.stringify(results)
            : results.map(({ name, ok, detail }) => `${ok ? 'ok  ' : 'FAIL'}  ${name}: ${detail}`).join('\n'),
        );
        if (results.some(({ ok }) => !ok)) process.exitCode = 1;
      }),
    );
}
