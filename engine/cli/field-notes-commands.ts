/** `platbook field-notes`: waypoints, photos and tracks into a file, and walks of other apps out of theirs. */
import path from 'node:path';
import { type Command, Option } from 'commander';
import type { Engine } from '../engine.ts';
import { exportFormatOf, writeExport } from '../exporting/index.ts';
import { openFieldNotes } from '../reads/export-field.ts';
import { counted } from '../spec/counted.ts';
import { requireMarkFormat } from '../work/export-choice.ts';
import { type ChangeOutputOf, runChange } from '../work/index.ts';
import { parseFips } from './arguments.ts';
import { withEngine } from './home.ts';
import { interruptible } from './interrupt.ts';
import { grouped, type Output } from './output.ts';

export function addFieldNotesCommands(program: Command, output: Output): void {
  const notes = program
    .command('field-notes <file>')
    .addOption(new Option('--county <fips>', 'those in the box around its parcels').argParser(parseFips))
    .option('--json', 'print the report as JSON')
    .action((file: string, options: { county?: string; json?: boolean }, command: Command) =>
      withEngine(command, output, (engine) => exportFieldNotes(engine, file, options, output)),
    );
  notes
    .command('import <files...>')
    .description(
      'bring in waypoints and tracks of other apps: GPX, KML, KMZ, GeoJSON, CSV; what is here already stays once; free',
    )
    .option('--json', 'print the report as JSON')
    .action((files: string[], _own: unknown, command: Command) =>
      // Commander gives an option that both have to the command above.
      withEngine(command, output, (engine) => importFieldNotes(engine, files, command.optsWithGlobals(), output)),
    );
}

async function exportFieldNotes(
  engine: Engine,
  file: string,
  { county, json }: { county?: string; json?: boolean },
  output: Output,
): Promise<void> {
  const format = exportFormatOf(file);
  requireMarkFormat(format, { marks: true });
  const { source, marks } = openFieldNotes(engine, { county });
  try {
    const notes = await interruptible(output, () => writeExport(source, format, file));
    const [waypoints, tracks, photos] = [marks.waypoints.length, marks.tracks.length, marks.photos.length];
    if (json) {
      output.print(
        JSON.stringify({ file, format: format.name, waypoints, tracks, photos, parcels: source.count, notes }),
      );
      return;
    }
    output.print(
      `${file}: waypoints ${grouped(waypoints)}, tracks ${grouped(tracks)}, photos ${grouped(photos)}, parcels ${grouped(source.count)}`,
    );
    for (const note of notes) output.print(`  ${note}`);
  } finally {
    source.close();
  }
}

async function importFieldNotes(
  engine: Engine,
  files: readonly string[],
  { json }: { json?: boolean },
  output: Output,
): Promise<void> {
  const given = files.map((file) => ({ path: path.resolve(file) }));
  const { data } = await runChange(engine, 'import_field_notes', { files: given });
  if (json) return output.print(JSON.stringify(data));
  const found = data as ChangeOutputOf<'import_field_notes'>;
  output.print(
    `${counted(found.waypoints, 'waypoint', 'waypoints')}, ${counted(found.tracks, 'track', 'tracks')} of ${counted(found.points, 'point', 'points')}; ${grouped(found.already)} were here already; on ${counted(found.parcel_count, 'parcel', 'parcels')}`,
  );
  for (const { apn, property_id: id, waypoints, tracks } of found.parcels)
    output.print(
      `  ${apn ?? `parcel ${id}`}: ${counted(waypoints, 'waypoint', 'waypoints')}, ${counted(tracks, 'track', 'tracks')}`,
    );
  if (found.parcel_count > found.parcels.length)
    output.print(`  and ${grouped(found.parcel_count - found.parcels.length)} more`);
  for (const { what, count } of found.left_out) output.print(`  left out: ${grouped(count)} ${what}`);
}
