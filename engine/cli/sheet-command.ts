/** `platbook sheet` and `platbook adjoiners`: pages of the map as georeferenced PDF. */
import fs from 'node:fs';
import { type Command, Option } from 'commander';
import Type from 'typebox';
import type { Engine } from '../engine.ts';
import { writeWhole } from '../exporting/file-sink.ts';
import type { FilterInput } from '../operations/filter-properties.ts';
import { parseLiveRequest } from '../query/live-request.ts';
import { idsInBox } from '../query/live-rows.ts';
import { adjoinerMap } from '../sheet/adjoiner-map.ts';
import { makeViewSheet, type ViewSheetInput, viewBounds, viewSheetFields } from '../sheet/view-sheet.ts';
import { counted } from '../spec/counted.ts';
import { EngineError } from '../spec/errors.ts';
import { mostFeetAround } from '../spec/filter-kinds.ts';
import { parseCoordinates } from '../spec/parse-coordinates.ts';
import { paperNames, sheetScales } from '../spec/sheet-paper.ts';
import { parseJson } from './arguments.ts';
import { withEngine } from './home.ts';
import { interruptible } from './interrupt.ts';
import { findParcel } from './named-parcel.ts';
import { grouped, type Output } from './output.ts';
import { paperOf, parseScale } from './paper-options.ts';
import { addSchemaOptions, givenFields } from './schema-options.ts';

interface SheetOptions {
  readonly center?: string;
  readonly parcel?: string;
  readonly scale?: number;
  readonly paper?: string;
  readonly filter?: string;
  readonly json?: boolean;
}

const usage = (message: string): EngineError => new EngineError('usage', message);
const viewSchema = Type.Object(viewSheetFields);

export function addSheetCommand(program: Command, output: Output): void {
  const command = program
    .command('sheet <file>')
    .addOption(new Option('--center <place>', 'latitude and longitude of the middle, like "44.0582, -71.884"'))
    .option('--parcel <apn>', 'a parcel by its APN: outlined, and the middle of the page without --center')
    .addOption(new Option('--scale <number>', '6000 for 1:6,000 (the default)').argParser(parseScale))
    .option('--paper <name>', `${paperNames.join(', ')}; letter without it`)
    .option('--filter <json>', 'a filter body: its matches are tinted; charged like a search')
    .option('--json', 'print the report as JSON');
  addSchemaOptions(command, viewSchema)
    .addHelpText(
      'after',
      `\nUsual scales: ${sheetScales.map((scale) => `1:${grouped(scale)}`).join(', ')}\n\nExample:\n  platbook sheet north-lots.pdf --parcel 9-94 --scale 6000 --paper letter --labels apn,acres`,
    )
    .action((file: string, options: SheetOptions, self: Command) =>
      withEngine(self, output, (engine) => printSheet(engine, file, options, output)),
    );
  addAdjoinersCommand(program, output);
}

interface AdjoinerOptions {
  readonly parcel: string;
  readonly withinFeet?: number;
  readonly json?: boolean;
}

function addAdjoinersCommand(program: Command, output: Output): void {
  program
    .command('adjoiners <file>')
    .requiredOption('--parcel <apn>', 'the parcel, by its APN')
    .addOption(
      new Option('--within-feet <number>', 'also parcels within so many feet of the boundary').argParser(parseFeet),
    )
    .option('--json', 'print the report as JSON')
    .addHelpText('after', '\nExample:\n  platbook adjoiners notice.pdf --parcel 9-94 --within-feet 250')
    .action((file: string, options: AdjoinerOptions, self: Command) =>
      withEngine(self, output, (engine) => printAdjoiners(engine, file, options, output)),
    );
}

function parseFeet(text: string): number {
  const feet = Number(text);
  if (text.trim() !== '' && feet >= 0 && feet <= mostFeetAround) return feet;
  throw usage(`--within-feet: expected a number from 0 to ${mostFeetAround} (5 miles), found ${JSON.stringify(text)}`);
}

async function printAdjoiners(engine: Engine, file: string, options: AdjoinerOptions, output: Output): Promise<void> {
  const { id } = findParcel(engine, options.parcel);
  output.progress('drawing …');
  const { pdf, name: _name, ...report } = adjoinerMap(engine, id, options.withinFeet);
  await interruptible(output, () =>
    writeWhole(file, (temporary) => fs.promises.writeFile(temporary, pdf, { flag: 'wx', mode: 0o600 })),
  );
  output.progress('');
  if (options.json) {
    output.print(JSON.stringify({ file, ...report }));
    return;
  }
  const { pages, scale, lots, accounts, notes } = report;
  output.print(
    `${file}: ${counted(pages, 'page', 'pages')}, 1:${grouped(Math.round(scale))}, ${counted(lots, 'lot', 'lots')}, ${counted(accounts, 'account', 'accounts')}`,
  );
  for (const note of notes) output.print(`  ${note}`);
}

async function printSheet(engine: Engine, file: string, options: SheetOptions, output: Output): Promise<void> {
  const filter = options.filter === undefined ? null : parseFilter(options.filter);
  const search = filter && { ...filter, page_size: 1 };
  // Refuses an unknown filter before any work.
  if (search) engine.quote('filter_properties', search);
  const view = viewOf(engine, options);
  const matched = filter && idsInBox(engine.land, parseLiveRequest(filter), viewBounds(view));
  output.progress('drawing …');
  const sheet = await makeViewSheet(engine, { ...view, ...(matched && { matched }) });
  let tokens = 0;
  await interruptible(output, () =>
    writeWhole(file, async (temporary) => {
      await fs.promises.writeFile(temporary, sheet.pdf, { flag: 'wx', mode: 0o600 });
      // Charged once there is an answer; a failed write costs nothing.
      if (search) ({ tokens } = await engine.call('filter_properties', search));
    }),
  );
  output.progress('');
  const { scale, notes, drawn } = sheet;
  if (options.json) {
    output.print(JSON.stringify({ file, scale, lots: drawn.lots, matches: matched?.length ?? 0, tokens, notes }));
    return;
  }
  output.print(`${file}: 1:${grouped(scale)}, ${counted(drawn.lots, 'lot', 'lots')}`);
  for (const note of notes) output.print(`  ${note}`);
  if (search) output.note(counted(tokens, 'token', 'tokens'));
}

/** @throws EngineError usage, not_found */
function viewOf(engine: Engine, options: SheetOptions): ViewSheetInput {
  const { center, scale, parcel } = options;
  const place = center === undefined ? null : parseCoordinates(center);
  if (center !== undefined && !place) {
    throw usage(
      `--center: expected a latitude and a longitude, like "44.0582, -71.884", found ${JSON.stringify(center)}`,
    );
  }
  const lot = parcel === undefined ? null : findParcel(engine, parcel);
  const middle = place ?? lot;
  if (!middle) throw usage('expected --center or --parcel');
  const { longitude, latitude } = middle;
  const paper = options.paper === undefined ? undefined : paperOf(options.paper);
  return {
    ...givenFields(viewSchema, options),
    ...{ longitude, latitude },
    ...(scale === undefined ? {} : { scale }),
    ...(paper && { paper }),
    ...(lot && { selected: [lot.id] }),
  };
}

function parseFilter(text: string): FilterInput {
  const parsed = parseJson(text);
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as FilterInput;
  throw usage(`--filter: expected a filter body in JSON, found ${text}`);
}
