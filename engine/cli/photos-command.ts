/** `platbook photos import`: a folder of photos onto the map, by the place written in them or by their time on a track. */
import path from 'node:path';
import { type Command, Option } from 'commander';
import type { Engine } from '../engine.ts';
import { type ReadOutputOf, runRead } from '../reads/index.ts';
import { clockWords, parseClock } from '../spec/clock-words.ts';
import { counted } from '../spec/counted.ts';
import { EngineError } from '../spec/errors.ts';
import { parseCoordinates } from '../spec/parse-coordinates.ts';
import { photosIn } from '../work/import-photos.ts';
import { type ChangeInputOf, type ChangeOutputOf, runChange } from '../work/index.ts';
import { parseRowNumber } from './arguments.ts';
import { withEngine } from './home.ts';
import { findParcel } from './named-parcel.ts';
import { grouped, type Output } from './output.ts';

interface PhotoOptions {
  readonly clock?: readonly string[];
  readonly clockPhoto?: readonly string[];
  readonly placePhoto?: readonly string[];
  readonly track?: readonly number[];
  readonly parcel?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

type Asked = ChangeInputOf<'import_photos'>;
type Plan = ReadOutputOf<'plan_photos'>;

const each =
  <Item>(parse: (text: string) => Item) =>
  (text: string, before: readonly Item[] = []): Item[] => [...before, parse(text)];
const usage = (message: string): EngineError => new EngineError('usage', message);

export function addPhotosCommand(program: Command, output: Output): void {
  program
    .command('photos')
    .command('import <paths...>')
    .description('photos and folders of them: JPEG, HEIC, PNG; the files stay as they are; one undo for all; free')
    .addOption(
      new Option(
        '--clock <offset>',
        'what the camera’s clock shows less UTC, like -05:00:12, or "Canon EOS R7=-05:00"',
      ).argParser(each(String)),
    )
    .addOption(
      new Option(
        '--clock-photo <photo=time>',
        'a photo of a clock and the time on it: IMG_1.JPG=2026-11-25T09:05:30-05:00',
      ).argParser(each(String)),
    )
    .addOption(
      new Option('--place-photo <photo=place>', 'a photo whose place you know: "IMG_2.JPG=44.0582, -71.884"').argParser(
        each(String),
      ),
    )
    .addOption(
      new Option('--track <number>', 'only this track; may stand several times').argParser(
        each((text) => parseRowNumber(text, 'track')),
      ),
    )
    .option('--parcel <apn>', 'where photos go that no place is found for; without it they stay out')
    .option('--dry-run', 'say where they would go, and add none')
    .option('--json', 'print the report as JSON')
    .addHelpText('after', '\nExample:\n  platbook photos import ~/Pictures/walk --clock -05:00:12')
    .action((paths: string[], options: PhotoOptions, command: Command) =>
      withEngine(command, output, (engine) => importPhotos(engine, paths, options, output)),
    );
}

async function importPhotos(
  engine: Engine,
  paths: readonly string[],
  options: PhotoOptions,
  output: Output,
): Promise<void> {
  const helps = helpsOf(options);
  const parcel = options.parcel === undefined ? undefined : findParcel(engine, options.parcel).id;
  const files = paths.flatMap((place) => photosIn(path.resolve(place)));
  if (files.length === 0) throw usage('expected photos (JPEG, HEIC, PNG), found none in the folder');
  const photos: string[] = [];
  const refused: string[] = [];
  for (const [at, file] of files.entries()) {
    output.progress(`keeping ${grouped(at + 1)} of ${grouped(files.length)} …`);
    try {
      const { data } = await runChange(engine, 'stage_photo', { path: file });
      photos.push((data as ChangeOutputOf<'stage_photo'>).file);
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== 'validation_error') throw error;
      refused.push(
        Object.values(error.details ?? {})
          .flat()
          .join(' ') || error.message,
      );
    }
  }
  output.progress('');
  if (photos.length === 0) throw new EngineError('validation_error', refused.join(' '));
  const asked = { photos: [...new Set(photos)], ...helps };
  const plan = options.dryRun
    ? { ...runRead(engine, 'plan_photos', asked), added: 0, on_parcel: 0 }
    : ((await runChange(engine, 'import_photos', { ...asked, ...(parcel !== undefined && { property_id: parcel }) }))
        .data as ChangeOutputOf<'import_photos'>);
  if (options.json) return output.print(JSON.stringify({ ...plan, refused }));
  tell(plan, refused, output);
}

function tell(
  plan: Plan & { readonly added: number; readonly on_parcel: number },
  refused: readonly string[],
  output: Output,
): void {
  output.print(
    `${counted(plan.added, 'photo', 'photos')} added: ${grouped(plan.by_time)} placed by time${plan.by_time > 0 ? ` (± ${plan.farthest_error_m} m at most)` : ''}, ${grouped(plan.own_place)} by their own place, ${grouped(plan.on_parcel)} on the parcel without a place`,
  );
  for (const { camera, photos, seconds, from } of plan.clocks)
    output.print(
      `  ${camera}: clock ${clockWords(seconds)} from UTC, ${sources[from]}; ${counted(photos, 'photo', 'photos')}`,
    );
  for (const { why, words, count, names } of plan.left)
    if (why !== 'clock')
      output.print(`  ${grouped(count)} ${words}: ${names.slice(0, 5).join(', ')}${count > 5 ? ' …' : ''}`);
  for (const { camera, count, why, last_seconds: last, first_at: from, last_at: to } of plan.asked) {
    output.print(
      `  ${grouped(count)} of ${camera} wait for its clock (${from.replace('T', ' ')} to ${to.slice(11)}): ${opens[why]}.`,
    );
    const before = last === null ? '' : ` It was ${clockWords(last)} last time.`;
    output.print(`    Say --clock "${camera}=±HH:MM:SS", --clock-photo, or --place-photo.${before}`);
  }
  for (const one of refused) output.print(`  left out: ${one}`);
}

const sources: Readonly<Record<Plan['clocks'][number]['from'], string>> = {
  given: 'as given',
  clock: 'by the photo of a clock',
  satellites: 'by the satellites that it heard',
  places: 'by photos with a place on the track',
};

const opens: Readonly<Record<Plan['asked'][number]['why'], string>> = {
  nothing: 'no photo of it says its zone, and none has a place on a track',
  several: 'its photos with a place fit the tracks at several times',
  still: 'the walk stood still at the known place: a photo from elsewhere is needed',
  contradiction: 'its photos contradict each other',
};

/** @throws EngineError usage */
function helpsOf({ clock = [], clockPhoto = [], placePhoto = [], track }: PhotoOptions): Omit<Asked, 'photos'> {
  const parted = (option: string, text: string): [string, string] => {
    const at = text.lastIndexOf('=');
    if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
    throw usage(`${option}: expected a photo’s file name, "=", and what is known, found ${JSON.stringify(text)}`);
  };
  const clocks = clock.map((text) => {
    const at = text.lastIndexOf('=');
    const seconds = parseClock(text.slice(at + 1));
    if (seconds === null)
      throw usage(`--clock: expected an offset like -05:00:12, found ${JSON.stringify(text.slice(at + 1))}`);
    return { seconds, ...(at > 0 && { camera: text.slice(0, at) }) };
  });
  const known = [
    ...clockPhoto.map((text) => {
      const [photo, time] = parted('--clock-photo', text);
      if (!/(?:Z|[+-]\d\d:\d\d)$/.test(time) || Number.isNaN(Date.parse(time)))
        throw usage(
          `--clock-photo: expected a time with its zone, like 2026-11-25T09:05:30-05:00, found ${JSON.stringify(time)}`,
        );
      return { photo, at: new Date(time).toISOString() };
    }),
    ...placePhoto.map((text) => {
      const [photo, words] = parted('--place-photo', text);
      const place = parseCoordinates(words);
      if (!place) throw usage(`--place-photo: expected latitude and longitude, found ${JSON.stringify(words)}`);
      return { photo, longitude: place.longitude, latitude: place.latitude };
    }),
  ];
  return {
    ...(clocks.length > 0 && { clocks }),
    ...(known.length > 0 && { known }),
    ...(track && { tracks: [...track] }),
  };
}
