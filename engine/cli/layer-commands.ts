/** `platbook enrich …`, `layers`: completes a county's parcels. */
import type { Command } from 'commander';
import { outsideCoverage } from '../enrichment/coverage.ts';
import type { EnrichReport } from '../enrichment/enrich-options.ts';
import { explainParcel, type LayerExplanation } from '../enrichment/explain-parcel.ts';
import { type LayerKind, layerKindNames, layerKinds } from '../enrichment/layer-kinds.ts';
import { listLayers } from '../enrichment/list-layers.ts';
import { unenrich } from '../enrichment/unenrich.ts';
import { listWaiting, type Waiting } from '../enrichment/waiting.ts';
import { tasks } from '../jobs/task-kinds.ts';
import { counted } from '../spec/counted.ts';
import { EngineError } from '../spec/errors.ts';
import { isMapOnly } from '../spec/layer-titles.ts';
import { parseFips, quoted } from './arguments.ts';
import { withEngine } from './home.ts';
import { runJob } from './job-run.ts';
import { grouped, type Output, readableJson, seconds, tableText } from './output.ts';
import { addSchemaOptions, givenFields } from './schema-options.ts';

export function addLayerCommands(program: Command, output: Output): void {
  addEnrich(program, output);
  const layers = program.command('layers');
  layers
    .command('list', { isDefault: true })
    .description('stored layers: kind, title, source, date, features')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }, command: Command) =>
      withEngine(command, output, ({ land }) => {
        const rows = listLayers(land).map((layer) => ({ ...layer }));
        const columns = [
          'layer_id',
          'fips',
          'kind',
          'title',
          'source_name',
          'source_date',
          'feature_count',
          'loaded_at',
        ];
        output.print(options.json ? JSON.stringify(rows) : tableText(columns, rows));
        if (options.json) return;
        if (rows.length === 0) output.note('No layer is stored yet: "platbook enrich --help".');
        for (const waiting of listWaiting(land)) output.note(waitingText(waiting));
      }),
    );
  layers
    .command('remove <layer-id>')
    .description('remove a layer and its computed values; published values stay')
    .action((id: string, _options: unknown, command: Command) =>
      withEngine(command, output, ({ land }) => {
        const { changed } = unenrich(land, parseId(id, 'layer'));
        const lost = changed === 0 ? '' : `; ${counted(changed, 'parcel', 'parcels')} lost a computed value`;
        output.print(`Layer ${id} is removed${lost}.`);
      }),
    );
  layers
    .command('explain <property-id>')
    .description('what each layer says about a parcel, and the features behind it')
    .option('--json', 'print JSON')
    .action((id: string, options: { json?: boolean }, command: Command) =>
      withEngine(command, output, ({ land }) => {
        const explained = explainParcel(land, parseId(id, 'parcel'));
        output.print(options.json ? JSON.stringify(explained) : explained.map(explanationText).join('\n\n'));
        if (!options.json && explained.length === 0) output.note('No layer is stored for its county.');
      }),
    );
  addCompute(layers, output);
}

/** What is missing, and the command that adds it. */
export function waitingText({ sentence, kind, fips, needs, file }: Waiting): string {
  return needs === 'computing'
    ? `${sentence}: platbook layers compute ${fips}`
    : `${sentence}: platbook enrich ${kind} ${file === null ? 'FILE' : quoted(file)} --county ${fips}`;
}

function addCompute(layers: Command, output: Output): void {
  layers
    .command('compute <fips>')
    .description('complete new and redrawn parcels from the stored layers')
    .option('--json', 'print the report as JSON')
    .action((fips: string, options: { json?: boolean }, command: Command) =>
      withEngine(command, output, async (engine) => {
        const county = parseFips(fips);
        engine.land.expectLoaded([county]);
        const report = (await runJob(engine, output, 'enrich_again', { county })) as {
          readonly completed: string[];
          readonly left_out: Waiting[];
        };
        if (options.json) return output.print(JSON.stringify(report));
        const { completed, left_out: leftOut } = report;
        output.print(
          completed.length === 0 ? 'No parcel waited for a layer.' : `Computed again: ${completed.join(', ')}`,
        );
        for (const waiting of leftOut) output.print(waitingText(waiting));
      }),
    );
}

function parseId(text: string, what: string): number {
  const id = Number(text);
  if (Number.isSafeInteger(id) && id > 0) return id;
  throw new EngineError('usage', `Expected the number of a ${what}, found ${JSON.stringify(text)}.`);
}

interface EnrichFlags {
  readonly county: string;
  readonly coverage?: 'county';
  readonly settings?: string;
  readonly json?: boolean;
}

const { input: enrichSchema } = tasks.enrich;

const kindsText = (Object.entries(layerKinds) as [LayerKind, (typeof layerKinds)[LayerKind]][])
  .map(
    ([kind, { columns }]) =>
      `  ${kind.padEnd(10)} ${columns.join(', ') || 'none: it is only drawn, like water, streams or places'}`,
  )
  .join('\n');

function addEnrich(program: Command, output: Output): void {
  const command = program.command('enrich <kind> <file>');
  addSchemaOptions(command, enrichSchema)
    .option('--json', 'print the report as JSON')
    .addHelpText(
      'after',
      `\nColumns that each kind computes:\n${kindsText}\n\nExample:\n  platbook enrich roads tl_2025_33019_roads.zip --county 33019\n  platbook enrich other ponds.geojson --county 33019 --look water --title Ponds`,
    )
    .action((kind: string, file: string, options: EnrichFlags, subcommand: Command) =>
      withEngine(subcommand, output, async (engine) => {
        const report = (await runJob(engine, output, 'enrich', {
          ...givenFields(enrichSchema, options),
          kind: parseKind(kind),
          file,
          county: options.county,
          ...(options.settings === undefined ? {} : { settings: parseSettings(options.settings) }),
        })) as EnrichReport;
        output.print(options.json ? JSON.stringify(report) : reportText(report));
        if (!options.json && outsideCoverage in report.unknown && options.coverage === undefined)
          output.note(
            'A place without features in the file counts as unknown. If it is complete for the county, add --coverage county.',
          );
      }),
    );
}

function parseKind(text: string): LayerKind {
  const kind = layerKindNames.find((name) => name === text);
  if (kind) return kind;
  throw new EngineError('usage', `Expected a layer of ${layerKindNames.join(', ')}, found ${JSON.stringify(text)}.`);
}

function parseSettings(text: string): Record<string, unknown> {
  try {
    const settings: unknown = JSON.parse(text);
    if (settings !== null && typeof settings === 'object' && !Array.isArray(settings))
      return settings as Record<string, unknown>;
  } catch {
    // Reported below, like JSON that is not an object.
  }
  throw new EngineError('usage', `Expected --settings as a JSON object, found ${text.slice(0, 60)}.`);
}

function reportText(report: EnrichReport): string {
  const { kind, title, fips, source, date, reading, parcels, computed, written, published_kept: kept } = report;
  if (isMapOnly(kind)) {
    const features = counted(reading?.features_kept ?? 0, 'feature', 'features');
    return [
      `${title} in ${fips} from ${source}, ${date}: ${features} for the map in ${seconds(report.seconds * 1000)}`,
      ...report.notes.map((note) => `  ${note}`),
    ].join('\n');
  }
  const unknown = Object.entries(report.unknown);
  return [
    `${kind} of ${fips} from ${source}, ${date}: ${counted(parcels, 'parcel', 'parcels')} in ${seconds(report.seconds * 1000)}`,
    `  ${grouped(computed)} computed, ${grouped(written)} written`,
    ...Object.entries(kept).map(
      ([column, count]) => `  ${column}: ${counted(count, 'keeps', 'keep')} what the county published`,
    ),
    ...unknown.map(([reason, count]) => `  ${grouped(count)} unknown: ${reason}`),
    ...report.notes.map((note) => `  ${note}`),
  ].join('\n');
}

function explanationText({ kind, source, date, computed, published, reason, used }: LayerExplanation): string {
  const lines = Object.entries(computed).map(
    ([column, value]) =>
      `  ${column}: ${value === null ? 'unknown' : value}${published.includes(column) ? ' (the county publishes its own value)' : ''}`,
  );
  return [
    `${kind}, ${source}, ${date}${reason === null ? '' : `: ${reason}`}`,
    ...lines,
    ...used
      .slice(0, 20)
      .map(
        (feature) =>
          `  uses ${feature.feature_id}${feature.class ? ` (${feature.class})` : ''}: ${readableJson(feature.properties).replace(/\s+/g, ' ').slice(0, 160)}`,
      ),
    ...(used.length > 20 ? [`  and ${used.length - 20} more`] : []),
  ].join('\n');
}
