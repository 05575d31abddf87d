/** `platbook visit-report`: what was seen on land, as a PDF. */
import path from 'node:path';
import { type Command, Option } from 'commander';
import type { Engine } from '../engine.ts';
import type { WrittenPdf } from '../exporting/write-pdf.ts';
import type { WrittenVisit } from '../sheet/visit-report.ts';
import { counted } from '../spec/counted.ts';
import { EngineError, validationError } from '../spec/errors.ts';
import { findProblems } from '../spec/validate.ts';
import { type Visit, visitSchema } from '../spec/visits.ts';
import { draftVisit, getVisit, reportOfVisit } from '../work/visits.ts';
import { parseRowNumber } from './arguments.ts';
import { withEngine } from './home.ts';
import { runJob } from './job-run.ts';
import { findParcel } from './named-parcel.ts';
import { grouped, type Output } from './output.ts';

interface VisitOptions {
  readonly parcel?: readonly string[];
  readonly visit?: number;
  readonly day?: string;
  readonly from?: string;
  readonly to?: string;
  readonly by?: string;
  readonly answer?: readonly string[];
  readonly flag?: readonly string[];
  readonly findings?: string;
  readonly photos: boolean;
  readonly tracks: boolean;
  readonly note?: readonly number[];
  readonly owners?: boolean;
  readonly mailing?: boolean;
  readonly abutters?: boolean;
  readonly photoPlaces: boolean;
  readonly json?: boolean;
}

const each =
  <Item>(parse: (text: string) => Item) =>
  (text: string, before: readonly Item[] = []): Item[] => [...before, parse(text)];

const usage = (message: string): EngineError => new EngineError('usage', message);

export function addVisitCommand(program: Command, output: Output): void {
  program
    .command('visit-report <file>')
    .addOption(new Option('--parcel <apn>', 'the parcel, by its APN; may stand several times').argParser(each(String)))
    .addOption(
      new Option('--visit <number>', 'a visit that is kept').argParser((text) => parseRowNumber(text, 'visit')),
    )
    .option('--day <YYYY-MM-DD>', 'its photos and tracks; without it the last day with any')
    .option('--from <HH:MM>', 'when it began')
    .option('--to <HH:MM>', 'when it ended')
    .option('--by <name>', 'who was there')
    .addOption(
      new Option('--answer <field=text>', 'a field of the form; may stand several times').argParser(each(String)),
    )
    .addOption(new Option('--flag <field>', 'a field that stands out: something to settle').argParser(each(String)))
    .option('--findings <text>', 'what was found, below the photos')
    .option('--no-photos', 'leave the photos out')
    .option('--no-tracks', 'leave the tracks out')
    .option('--no-photo-places', 'leave out where the photos were taken')
    .addOption(
      new Option('--note <number>', 'a note of the parcel that goes out').argParser(
        each((text) => parseRowNumber(text, 'note')),
      ),
    )
    .option('--owners', 'with owners’ names')
    .option('--mailing', 'with mailing addresses of abutters')
    .option('--abutters', 'the baseline: abutters, acres and sources')
    .option('--json', 'print the report as JSON')
    .addHelpText(
      'after',
      '\nExample:\n  platbook visit-report visit.pdf --parcel 9-94 --by "Mira Quimby" --answer "Access=By the gate" --abutters',
    )
    .action((file: string, options: VisitOptions, self: Command) =>
      withEngine(self, output, (engine) => printVisit(engine, file, options, output)),
    );
}

async function printVisit(engine: Engine, file: string, options: VisitOptions, output: Output): Promise<void> {
  const visit = visitOf(engine, options);
  const problems = findProblems(visitSchema, visit);
  if (problems) throw validationError(problems);
  const report = await reportOfVisit(engine, visit);
  const written = (await runJob(engine, output, 'visit_report', { to: path.resolve(file), report })) as WrittenVisit &
    WrittenPdf;
  if (options.json) return output.print(JSON.stringify(written));
  const { pages, photos, scale, bytes, notes } = written;
  output.print(
    `${file}: ${counted(pages, 'page', 'pages')}, 1:${grouped(Math.round(scale))}, ${counted(photos, 'photo', 'photos')}, ${(bytes / 1e6).toFixed(1)} MB`,
  );
  for (const note of notes) output.print(`  ${note}`);
}

/** @throws EngineError usage, not_found */
function visitOf(engine: Engine, options: VisitOptions): Visit {
  const { parcel = [], visit: id, day, from, to, by, findings, note } = options;
  if ((id === undefined) === (parcel.length === 0)) throw usage('expected --parcel or --visit');
  if (id !== undefined && day !== undefined) throw usage('--day: a visit that is kept has its own; expected --parcel');
  const base: Visit =
    id === undefined
      ? draftVisit(
          engine,
          parcel.map((apn) => findParcel(engine, apn).id),
          day,
        ).visit
      : getVisit(engine, id).visit;
  const { photos, tracks, answers, ...rest } = base;
  return {
    ...rest,
    ...(from !== undefined && { started: from }),
    ...(to !== undefined && { ended: to }),
    ...(by !== undefined && { visitor: by }),
    ...(findings !== undefined && { findings }),
    ...(note && { notes: [...note] }),
    ...(options.photos && photos && { photos }),
    ...(options.tracks && tracks && { tracks }),
    answers: answersOf(answers ?? [], options),
    ...Object.fromEntries(
      (['owners', 'mailing', 'abutters'] as const).flatMap((one) => (options[one] ? [[one, true]] : [])),
    ),
    ...(!options.photoPlaces && { photo_places: false }),
  };
}

function answersOf(
  form: NonNullable<Visit['answers']>,
  { answer = [], flag = [] }: VisitOptions,
): NonNullable<Visit['answers']> {
  const given = new Map(
    answer.map((text) => {
      const at = text.indexOf('=');
      if (at < 1) throw usage(`--answer: expected a field, "=" and a text, found ${JSON.stringify(text)}`);
      return [text.slice(0, at).trim(), text.slice(at + 1).trim()] as const;
    }),
  );
  const labels = [...new Set([...form.map(({ label }) => label), ...given.keys()])];
  const unknown = flag.find((label) => !labels.includes(label));
  if (unknown !== undefined)
    throw usage(`--flag: there is no field ${JSON.stringify(unknown)}; there are ${labels.join(', ')}`);
  return labels.map((label) => {
    const known = form.find((one) => one.label === label);
    return {
      label,
      text: given.get(label) ?? known?.text ?? '',
      is_flagged: flag.includes(label) || (known?.is_flagged ?? false),
    };
  });
}
