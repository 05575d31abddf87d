/** `platbook export`: writes parcels into a file of any format. */
import type { Command } from 'commander';
import type { Engine } from '../engine.ts';
import {
  type ExportFormat,
  exportFormatNames,
  exportFormatOf,
  exportFormats,
  writeExport,
} from '../exporting/index.ts';
import type { FilterInput } from '../operations/filter-properties.ts';
import type { LiveFilter } from '../query/live-request.ts';
import { counted } from '../spec/counted.ts';
import { EngineError } from '../spec/errors.ts';
import type { ParcelOrdering } from '../spec/wire-types.ts';
import { type ExportWhat, openStanding, planeFor, requireMarkFormat, standingParcels } from '../work/export-choice.ts';
import { withEngine } from './home.ts';
import { interruptible } from './interrupt.ts';
import type { Output } from './output.ts';

interface ExportOptions {
  format?: string;
  filter?: string;
  search?: string;
  list?: string;
  ordering?: string;
  crs?: string;
  columns?: string;
  leaveOutDoNotMail?: boolean;
  unsafePhones?: boolean;
  outlines?: boolean;
  fieldMarks?: boolean;
  json?: boolean;
}

const usage = (message: string): EngineError => new EngineError('usage', message);

export function addExportCommands(program: Command, output: Output): void {
  const formats = exportFormats
    .map(({ name, alias, docs }) => `  ${[name, ...(alias ? [alias] : [])].join(', ').padEnd(15)} ${docs}`)
    .join('\n');
  program
    .command('export <file>')
    .option('--format <name>', `${exportFormatNames.join(', ')}; by default the ending of the file decides`)
    .option('--filter <json>', 'a filter body; charged like a search')
    .option('--search <name>', 'a saved search; charged like a search')
    .option('--list <name>', 'a list; free')
    .option('--ordering <column>', 'like acres, or -acres for descending')
    .option(
      '--crs <number>',
      'DXF: the plane that it is drawn in, like EPSG:6466 (Kansas North, US survey feet); else UTM',
    )
    .option('--columns <names>', 'comma-separated; all columns without it')
    .option('--leave-out-do-not-mail', 'leave out parcels whose owners must not get letters')
    .option('--unsafe-phones', 'include numbers on the Do Not Call registry and those of unknown status')
    .option('--outlines', 'GPX: the outline of each parcel as a track')
    .option('--field-marks', 'GPX, KML: your waypoints, photos and tracks near the parcels')
    .option('--json', 'print the report as JSON')
    .addHelpText(
      'after',
      `\nFormats:\n${formats}\n\nExample:\n  platbook export lots.xlsx --filter '{"county":"33019","acres_min":5}'`,
    )
    .action((file: string, options: ExportOptions, command: Command) =>
      withEngine(command, output, (engine) => exportParcels(engine, file, options, output)),
    );
}

async function exportParcels(engine: Engine, file: string, options: ExportOptions, output: Output): Promise<void> {
  const format = exportFormatOf(file, options.format);
  const more = { outlines: options.outlines, marks: options.fieldMarks };
  requireMarkFormat(format, more);
  const { what, title, search } = chosenParcels(engine, options);
  const standing = standingParcels(engine, {
    what,
    title,
    leave_out_do_not_mail: options.leaveOutDoNotMail ?? false,
  });
  const source = openStanding(engine, standing, {
    columns: options.columns?.split(',').map((name) => name.trim()),
    leavesOutUnsafePhones: options.unsafePhones !== true,
    plane: planeFor(engine, standing, format, options.crs),
    ...more,
  });
  let tokens = 0;
  // Charged like every operation: once there is an answer, and before it is returned. A failed write costs nothing.
  const write: ExportFormat['write'] = async (...given) => {
    const notes = await format.write(...given);
    if (!search) return notes;
    const paid = await engine.call('filter_properties', search);
    tokens = paid.tokens;
    return [...notes, ...paid.notices];
  };
  try {
    output.progress(`writing ${counted(source.count, 'parcel', 'parcels')} …`);
    const notes = await interruptible(output, () => writeExport(source, { ...format, write }, file));
    output.progress('');
    if (options.json) {
      output.print(JSON.stringify({ file, format: format.name, parcels: source.count, tokens, notes }));
      return;
    }
    output.print(`${file}: ${counted(source.count, 'parcel', 'parcels')}`);
    for (const note of notes) output.print(`  ${note}`);
    output.note(counted(tokens, 'token', 'tokens'));
  } finally {
    source.close();
  }
}

interface ChosenParcels {
  readonly what: ExportWhat;
  readonly title: string;
  /** A filter counts as a search and is charged as one; null for a list, which came from a paid search. */
  readonly search: FilterInput | null;
}

/** @throws EngineError usage, validation_error */
export function chosenParcels(
  engine: Engine,
  options: Pick<ExportOptions, 'filter' | 'search' | 'list' | 'ordering'>,
): ChosenParcels {
  const given = [options.filter, options.search, options.list].filter((one) => one !== undefined);
  if (given.length !== 1) throw usage('expected one of --filter, --search and --list');
  if (options.list !== undefined) {
    const list = named(engine, 'list', 'SELECT list_id AS id, name FROM lists', options.list);
    return { what: { list_id: list.id }, title: list.name, search: null };
  }
  const saved =
    options.search === undefined
      ? null
      : named(
          engine,
          'saved search',
          'SELECT search_id AS id, name, filter, ordering FROM saved_searches',
          options.search,
        );
  const filter = parseFilter(saved?.filter ?? options.filter ?? '');
  // The schema below refuses unknown columns.
  const ordering = (options.ordering ?? saved?.ordering ?? null) as ParcelOrdering | null;
  const search = { ...filter, page_size: 1, ...(ordering === null ? {} : { ordering }) };
  // Refuses an unknown filter before running it.
  engine.quote('filter_properties', search);
  return { what: { filter, ordering }, title: saved?.name ?? 'parcels', search };
}

interface Named {
  readonly id: number;
  readonly name: string;
  readonly filter?: string;
  readonly ordering?: string | null;
}

function named({ account }: Engine, noun: string, sql: string, name: string): Named {
  const all = account.file.all<Named>(sql);
  const found = all.filter((one) => one.name.toLowerCase() === name.trim().toLowerCase());
  if (found.length === 1) return found[0] as Named;
  if (found.length > 1) throw usage(`${found.length} have the name ${JSON.stringify(name)}: rename one first`);
  const known = all.map((one) => JSON.stringify(one.name)).join(', ');
  throw usage(`there is no ${noun} ${JSON.stringify(name)}${known === '' ? '' : `; there are: ${known}`}`);
}

function parseFilter(text: string): LiveFilter {
  const parsed = parseJson(text);
  if (typeof parsed === 'object' && parsed !== null) return parsed;
  throw usage(`--filter: expected a filter body in JSON, found ${text}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw usage(`--filter: expected a filter body in JSON: ${(error as Error).message}`);
  }
}
