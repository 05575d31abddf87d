/** `platbook share-page`: one HTML file of parcels to send. */
import fs from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import Type from 'typebox';
import type { Engine } from '../engine.ts';
import { writeWhole } from '../exporting/file-sink.ts';
import { type ShareChoice, shareFields } from '../share-page/share-choice.ts';
import { lookAtShare, sharePage } from '../share-page/share-page.ts';
import { shareParts } from '../share-page/share-parts.ts';
import { counted } from '../spec/counted.ts';
import { EngineError } from '../spec/errors.ts';
import { chosenParcels } from './export-commands.ts';
import { withEngine } from './home.ts';
import { interruptible } from './interrupt.ts';
import type { Output } from './output.ts';
import { addSchemaOptions, givenFields } from './schema-options.ts';

interface ShareOptions {
  readonly parcel?: string;
  readonly list?: string;
  readonly ownerOf?: string;
  readonly photos?: string;
  readonly look?: boolean;
  readonly json?: boolean;
}

const usage = (message: string): EngineError => new EngineError('usage', message);
const shareSchema = Type.Object(shareFields);

export function addSharePageCommand(program: Command, output: Output): void {
  const parts = shareParts.map(({ name, label, docs }) => `  ${name.padEnd(14)} ${label}: ${docs}`).join('\n');
  const command = program
    .command('share-page <file>')
    .option('--parcel <apn>', 'a parcel, by its APN')
    .option('--list <name>', 'a list')
    .option('--owner-of <apn>', 'all land of the owner of a parcel, by its APN')
    .option('--photos <numbers>', 'photos of these parcels: "all", or their numbers, comma-separated; none without it')
    .option('--look', 'write nothing: show what there is to go along, with an example of each, and the photos')
    .option('--json', 'print the report as JSON');
  addSchemaOptions(command, shareSchema)
    .addHelpText(
      'after',
      `\nParts:\n${parts}\n\nExample:\n  platbook share-page lot.html --parcel 9-94 --with owners,prices --photos all`,
    )
    .action((file: string, options: ShareOptions, self: Command) =>
      withEngine(self, output, (engine) => share(engine, file, options, output)),
    );
}

async function share(engine: Engine, file: string, options: ShareOptions, output: Output): Promise<void> {
  if (!['.html', '.htm'].includes(path.extname(file).toLowerCase()))
    throw usage(`expected a file name that ends in .html, found ${path.basename(file)}`);
  const photos = photosOf(options.photos);
  const choice: ShareChoice = {
    what: whatOf(engine, options),
    ...givenFields(shareSchema, options),
    ...(photos !== undefined && { photos }),
  };
  if (options.look) return look(engine, choice, options, output);
  output.progress('drawing …');
  const { html, name: _name, ...report } = await sharePage(engine, choice);
  await interruptible(output, () =>
    writeWhole(file, (temporary) => fs.promises.writeFile(temporary, html, { flag: 'wx', mode: 0o600 })),
  );
  output.progress('');
  const bytes = Buffer.byteLength(html);
  const parts = report.parts.filter(({ name }) => choice.parts?.includes(name));
  if (options.json) {
    output.print(JSON.stringify({ file, bytes, ...report, parts }));
    return;
  }
  const size = `${(bytes / 1e6).toFixed(2)} MB`;
  output.print(
    `${file}: ${counted(report.parcels, 'parcel', 'parcels')}, ${counted(report.photos, 'photo', 'photos')}, ${size}`,
  );
  for (const { label, count } of parts) output.print(`  ${label}: ${count}`);
  for (const note of report.notes) output.print(`  ${note}`);
}

function look(engine: Engine, choice: ShareChoice, { json }: ShareOptions, output: Output): void {
  const { parcels, parts, photos } = lookAtShare(engine, choice);
  const shown = photos.map(({ photo_id, name, taken_at }) => ({ photo_id, name, taken_at }));
  if (json) {
    output.print(JSON.stringify({ parcels: parcels.length, parts, photos: shown }));
    return;
  }
  output.print(`${counted(parcels.length, 'parcel', 'parcels')}; nothing is written.`);
  for (const { name, label, count, example } of parts)
    output.print(
      `  ${name.padEnd(14)} ${label}: ${count}${example === null ? '' : `, like ${JSON.stringify(example)}`}`,
    );
  for (const { photo_id: id, name, taken_at: taken } of shown)
    output.print(`  photo ${id}: ${name}${taken === null ? '' : `, ${taken}`}`);
}

/** @throws EngineError usage, not_found */
function whatOf(engine: Engine, { parcel, list, ownerOf }: ShareOptions): ShareChoice['what'] {
  if ([parcel, list, ownerOf].filter((one) => one !== undefined).length !== 1)
    throw usage('expected one of --parcel, --list and --owner-of');
  if (parcel !== undefined) return { ids: [idOf(engine, parcel)] };
  if (ownerOf !== undefined) return { owner_of: idOf(engine, ownerOf) };
  return chosenParcels(engine, { list: list as string }).what;
}

/** @throws EngineError usage, not_found */
function idOf({ land }: Engine, apn: string): number {
  const found = land.file.column<number>(
    "SELECT property_id FROM parcels WHERE apn = ? AND status = 'current' LIMIT 2",
    apn,
  );
  if (found.length > 1) throw usage(`several parcels have the APN ${JSON.stringify(apn)}: put the one into a list`);
  const [id] = found;
  if (id === undefined) throw new EngineError('not_found', `There is no parcel ${JSON.stringify(apn)}.`);
  return id;
}

/** @throws EngineError usage */
function photosOf(text: string | undefined): ShareChoice['photos'] {
  if (text === undefined || text === 'all') return text;
  const ids = text.split(',').map(Number);
  if (ids.every((id) => Number.isInteger(id) && id > 0)) return ids;
  throw usage(`--photos: expected "all" or numbers, comma-separated, found ${JSON.stringify(text)}`);
}
