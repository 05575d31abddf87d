/** `platbook deals …`: the desk on the command line. */
import fs from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import type { Engine } from '../engine.ts';
import { writeWhole } from '../exporting/file-sink.ts';
import { counted } from '../spec/counted.ts';
import { stageLabel, stageOfText } from '../spec/deals.ts';
import { defined } from '../spec/defined.ts';
import { EngineError } from '../spec/errors.ts';
import { dealsCsv } from '../work/deals-csv.ts';
import { runChange } from '../work/index.ts';
import { joinByApn } from '../work/join-by-apn.ts';
import { parseFips, parseJson } from './arguments.ts';
import { withEngine } from './home.ts';
import { type Output, tableText } from './output.ts';

interface ListFlags {
  readonly stage?: string;
  readonly due?: string;
  readonly words?: string;
  readonly json?: boolean;
}

interface SetFlags {
  readonly county?: string;
  readonly stage?: string;
  readonly nextOn?: string;
  readonly nextWhat?: string;
  readonly offer?: string;
  readonly agreed?: string;
  readonly note?: string;
  readonly log?: string;
  readonly detail?: string;
  readonly json?: boolean;
}

const usage = (message: string): EngineError => new EngineError('usage', message);

/** The computer's own day, which the engine does not ask for. */
const today = (): string => {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
};

/** A word that is no stage goes on: the operation says what it expected. */
const stageName = (text: string): string => stageOfText(text) ?? text;

export function addDealsCommands(program: Command, output: Output): void {
  const deals = program.command('deals');
  deals
    .command('list', { isDefault: true })
    .description('deals that are open, soonest next step first')
    .option('--stage <names>', 'comma-separated, like mailed,replied; also closed and dropped')
    .option('--due <groups>', 'comma-separated: overdue, today, week, later, none')
    .option('--words <text>', 'part of the owner, the APN, the next step or the note')
    .option('--json', 'print JSON')
    .action((flags: ListFlags, command: Command) =>
      withEngine(command, output, (engine) => printDeals(engine, flags, output)),
    );
  deals
    .command('set <apns...>')
    .description('change the deals of parcels, by APN; a parcel without a deal gets one')
    .option('--county <fips>', 'whose APNs these are', parseFips)
    .option('--stage <name>')
    .option('--next-on <day>', 'YYYY-MM-DD')
    .option('--next-what <words>')
    .option('--offer <dollars>')
    .option('--agreed <dollars>')
    .option('--note <text>')
    .option('--log <what>', 'call, mail, reply, visit or note, for the timeline')
    .option('--detail <text>', 'what there was to log')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  platbook deals set 18-42 --stage "Offer made" --offer 50000 --next-on 2026-11-30',
    )
    .action((apns: string[], flags: SetFlags, command: Command) =>
      withEngine(command, output, (engine) => setDeals(engine, apns, flags, output)),
    );
  deals
    .command('export <file>')
    .description('write the whole desk, with its timelines, as CSV')
    .action((file: string, _flags: unknown, command: Command) =>
      withEngine(command, output, async (engine) => {
        const { text, deals: written } = dealsCsv(engine);
        await writeWhole(file, (temporary) => fs.promises.writeFile(temporary, text, { flag: 'wx', mode: 0o600 }));
        output.print(`${file}: ${counted(written, 'deal', 'deals')}`);
      }),
    );
  deals
    .command('import <file>')
    .description(
      'read a CSV with an APN and, where it has them, stage, date, next step, offer and note; an empty cell leaves what stands',
    )
    .option('--county <fips>', 'where a row names none', parseFips)
    .option('--stages <json>', 'words of the file for stages: {"Letter sent":"Mailed"}')
    .option('--json', 'print JSON')
    .action((file: string, flags: { county?: string; stages?: string; json?: boolean }, command: Command) =>
      withEngine(command, output, (engine) => importDeals(engine, file, flags, output)),
    );
}

async function printDeals(engine: Engine, { stage, due, words, json }: ListFlags, output: Output): Promise<void> {
  const input = {
    ...(stage === undefined ? {} : { stage: stage.split(',').map(stageName) }),
    ...(due === undefined ? {} : { due: due.split(',') }),
    ...(words === undefined ? {} : { words }),
    today: today(),
  };
  // Checks the words of the options before the iteration begins.
  const { data } = await engine.callUnchecked('list_deals', { ...input, page_size: 1 }, { mode: 'script' });
  const rows: Record<string, unknown>[] = [];
  for await (const deal of engine.each('list_deals', input as never)) rows.push({ ...deal });
  if (json) return output.print(JSON.stringify(rows));
  const { desk } = data as { desk: Record<'open' | 'overdue' | 'today' | 'week' | 'no_next_step', number> };
  if (rows.length > 0)
    output.print(
      tableText(
        ['apn', 'owner_name', 'stage', 'offer', 'next_on', 'next_what', 'last_touch'],
        rows.map((row) => ({ ...row, stage: stageLabel(String(row.stage)) })),
      ),
    );
  output.note(
    `${counted(rows.length, 'deal', 'deals')}; ${desk.overdue} overdue, ${desk.today} due today, ${desk.week} this week, ${desk.no_next_step} without a next step, ${desk.open} open`,
  );
}

const dollars = (option: string, text: string): number => {
  if (!/^\$?\d[\d,]*$/.test(text)) throw usage(`${option}: expected whole dollars, found ${JSON.stringify(text)}`);
  return Number(text.replace(/[$,]/g, ''));
};

/** An empty text takes the field back. */
const wishOf = ({ stage, nextOn, nextWhat, offer, agreed, note, log, detail }: SetFlags) =>
  defined({
    stage: stage && stageName(stage),
    next_on: nextOn === '' ? null : nextOn,
    next_what: nextWhat,
    offer: offer && dollars('--offer', offer),
    agreed: agreed && dollars('--agreed', agreed),
    note,
    log: log && defined({ what: log, detail }),
  });

/** @param advice what tells several parcels of one APN apart. @throws EngineError usage unless each APN names one parcel */
export function idsOfApns(
  { land }: Pick<Engine, 'land'>,
  apns: readonly string[],
  county: string | null = null,
  advice = '',
): number[] {
  const { matched, several, none } = joinByApn(
    land,
    apns.map((apn) => ({ apn, fips: null })),
    county,
  );
  const [missing] = none;
  if (missing)
    throw usage(`there is no parcel ${JSON.stringify(missing.apn)}${county === null ? '' : ` in ${county}`}`);
  const [unclear] = several;
  if (unclear) throw usage(`several parcels have the APN ${JSON.stringify(unclear.apn)}${advice}`);
  return [...matched.keys()];
}

async function setDeals(engine: Engine, apns: readonly string[], flags: SetFlags, output: Output): Promise<void> {
  const { county = null } = flags;
  const { data } = await runChange(engine, 'update_deal', {
    ids: idsOfApns(engine, apns, county, '; --county may tell them apart'),
    ...wishOf(flags),
    today: today(),
  });
  if (flags.json) return output.print(JSON.stringify(data));
  output.print((data as { sentence: string | null }).sentence ?? 'Nothing changed.');
}

async function importDeals(
  engine: Engine,
  file: string,
  { county, stages, json }: { county?: string; stages?: string; json?: boolean },
  output: Output,
): Promise<void> {
  if (!fs.existsSync(file)) throw new EngineError('file_missing', `There is no file ${file}.`);
  const { data } = await runChange(engine, 'import_deals', {
    bytes: fs.readFileSync(file).toString('base64'),
    name: path.basename(file),
    ...(county === undefined ? {} : { county }),
    ...(stages === undefined ? {} : { stages: parseJson(stages) }),
  });
  if (json) return output.print(JSON.stringify(data));
  const { matched, several, none, blank, changed } = data as Record<string, number>;
  output.print(
    `${counted(matched ?? 0, 'row matched', 'rows matched')}, ${counted(changed ?? 0, 'deal changed', 'deals changed')}; ${none} with an APN that no parcel has, ${several} with one that several have, ${blank} without an APN`,
  );
}
