/** `platbook mailings …`: letters to the owners of a list on the command line. */
import fs from 'node:fs';
import type { Command } from 'commander';
import type { Engine } from '../engine.ts';
import { writeWhole } from '../exporting/file-sink.ts';
import type { Figure } from '../mailings/mailing-store.ts';
import { type ReadOutputOf, runRead } from '../reads/index.ts';
import { lettersCsv } from '../reads/letters-csv.ts';
import { counted } from '../spec/counted.ts';
import { EngineError } from '../spec/errors.ts';
import { leadRules, replyOutcomes } from '../spec/mailings.ts';
import { dollars } from '../spec/value-terms.ts';
import { runChange } from '../work/index.ts';
import { parseJson } from './arguments.ts';
import { idsOfApns } from './deals-command.ts';
import { withEngine } from './home.ts';
import { type Output, tableText } from './output.ts';

const usage = (message: string): EngineError => new EngineError('usage', message);

const wholeNumber = (text: string): number => {
  if (!/^\d+$/.test(text)) throw usage(`expected the number of a mailing, found ${JSON.stringify(text)}`);
  return Number(text);
};

const change = async (engine: Engine, name: Parameters<typeof runChange>[1], input: object) =>
  (await runChange(engine, name, input)).data as Record<string, unknown>;

const read = (engine: Engine, id: number): ReadOutputOf<'mailing'> =>
  runRead(engine, 'mailing', { mailing_id: id }) as ReadOutputOf<'mailing'>;

/** `45 % of low`: one tier for all acres; else JSON. */
function ruleOf(text: string): unknown {
  const simple = /^\s*(\d+(?:\.\d+)?)\s*%\s*(?:of\s+)?(low|middle|high)\s*$/i.exec(text);
  if (!simple) return parseJson(text);
  const tier = { acres_from: 0, acres_to: null, of: simple[2]?.toLowerCase(), amount: Number(simple[1]) };
  return { tiers: [tier], round_to: 500, not_under: null, not_over: null };
}

interface MakeFlags {
  readonly name?: string;
  readonly rule?: string;
  readonly lead?: string;
  readonly quietDays?: string;
}

interface ReplyFlags {
  readonly price?: string;
  readonly note?: string;
  readonly on?: string;
  readonly stage?: string;
}

export function addMailingCommands(program: Command, output: Output): void {
  const group = program.command('mailings');
  const run: Run = (command, work) => withEngine(command, output, async (engine) => work(engine));
  group
    .command('list', { isDefault: true })
    .description('mailings with what came of them, newest first')
    .option('--json', 'print JSON')
    .action((flags: { json?: boolean }, command: Command) =>
      run(command, (engine) => printAll(engine, flags.json === true, output)),
    );
  group
    .command('make <list>')
    .description('begin a mailing of a list, by its name: a draft that follows the list and the values')
    .option('--name <text>', 'else the name of the list')
    .option('--rule <rule>', 'like "45 % of low", or JSON of tiers; without it letters have no offers')
    .option('--lead <rule>', `which parcel of an owner: ${Object.keys(leadRules).join(', ')}`)
    .option('--quiet-days <days>', 'owners who got a letter so few days ago get none; 180')
    .addHelpText(
      'after',
      `\nExample:\n  platbook mailings make "Harrow Hill" --rule '{"tiers":[{"acres_from":5,"acres_to":20,"of":"low","amount":42},{"acres_from":20,"acres_to":80,"of":"low","amount":45}],"round_to":500,"not_under":5000,"not_over":120000}'`,
    )
    .action((list: string, flags: MakeFlags, command: Command) =>
      run(command, (engine) => make(engine, list, flags, output)),
    );
  group
    .command('show <mailing>')
    .description('letters, offers, who gets none and why, the 20 to look at, what came back')
    .option('--json', 'print JSON')
    .action((id: string, flags: { json?: boolean }, command: Command) =>
      run(command, (engine) => {
        const mailing = read(engine, wholeNumber(id));
        output.print(flags.json ? JSON.stringify(mailing) : mailingText(mailing));
      }),
    );
  addDraftCommands(group, run, output);
  addSentCommands(group, run, output);
}

type Run = (command: Command, work: (engine: Engine) => Promise<void> | void) => Promise<void>;

function addDraftCommands(group: Command, run: Run, output: Output): void {
  for (const [name, choice, docs] of [
    ['keep', 'keep', 'keep letters of a draft, with an offer that was withheld'],
    ['leave-out', 'leave_out', 'leave parcels of a draft out'],
  ] as const)
    group
      .command(`${name} <mailing> <apns...>`)
      .description(docs)
      .action((id: string, apns: string[], _flags: unknown, command: Command) =>
        run(command, async (engine) => {
          const ids = idsOfApns(engine, apns);
          await change(engine, 'choose_letters', { mailing_id: wholeNumber(id), ids, choice });
          output.print(`${counted(ids.length, 'parcel', 'parcels')}: ${docs.split(' ')[0]}`);
        }),
      );
  group
    .command('write <mailing>')
    .description('fix the letters with their codes and offers; their parcels become deals')
    .action((id: string, _flags: unknown, command: Command) =>
      run(command, async (engine) => {
        const data = await change(engine, 'write_letters', { mailing_id: wholeNumber(id) });
        output.print(
          `${counted(Number(data.letters), 'letter', 'letters')} written, ${data.without_offer} without an offer; ${counted(Number(data.left_out), 'parcel gets', 'parcels get')} none`,
        );
      }),
    );
}

function addSentCommands(group: Command, run: Run, output: Output): void {
  group
    .command('sent <mailing>')
    .description('note the day on which the letters went out')
    .option('--on <day>', 'YYYY-MM-DD; else today')
    .action((id: string, { on }: { on?: string }, command: Command) =>
      run(command, async (engine) => {
        const { sent } = await change(engine, 'mark_sent', { mailing_id: wholeNumber(id), ...(on && { on }) });
        output.print(`${counted(Number(sent), 'letter', 'letters')} sent`);
      }),
    );
  group
    .command('reply <code> <outcome>')
    .description(`note a reply to a letter: ${Object.keys(replyOutcomes).join(', ')}`)
    .option('--price <dollars>', 'what the owner asks')
    .option('--note <text>')
    .option('--on <day>', 'YYYY-MM-DD; else today')
    .option('--stage <name>', 'move the deal there, too')
    .action((code: string, outcome: string, { price, ...flags }: ReplyFlags, command: Command) =>
      run(command, async (engine) => {
        const asked = price === undefined ? {} : { price: Number(price.replace(/[$,]/g, '')) };
        const data = await change(engine, 'log_reply', { code, outcome, ...asked, ...flags });
        const blocked = data.do_not_mail ? '; the owner is on Do not mail now' : '';
        output.print(`Noted${blocked}. Proposed stage of the deal: ${data.proposed_stage}`);
      }),
    );
  group
    .command('returned <codes...>')
    .description('note letters that came back undelivered')
    .action((codes: string[], _flags: unknown, command: Command) =>
      run(command, async (engine) => {
        for (const code of codes) await change(engine, 'mark_returned', { code });
        output.print(`${counted(codes.length, 'letter', 'letters')} returned`);
      }),
    );
  group
    .command('cost <mailing> <dollars> <what...>')
    .description('add what was paid for a mailing')
    .action((id: string, amount: string, what: string[], _flags: unknown, command: Command) =>
      run(command, async (engine) => {
        const input = {
          mailing_id: wholeNumber(id),
          amount: Number(amount.replace(/[$,]/g, '')),
          what: what.join(' '),
        };
        await change(engine, 'add_mailing_cost', input);
        output.print('Added.');
      }),
    );
  group
    .command('export <mailing> <file>')
    .description('write the letters as CSV: code, owner, address, parcels, offer')
    .action((id: string, file: string, _flags: unknown, command: Command) =>
      run(command, async (engine) => {
        const { text, letters } = lettersCsv(engine, wholeNumber(id));
        await writeWhole(file, (temporary) => fs.promises.writeFile(temporary, text, { flag: 'wx', mode: 0o600 }));
        output.print(`${file}: ${counted(letters, 'letter', 'letters')}`);
      }),
    );
}

async function make(
  engine: Engine,
  list: string,
  { name, rule, lead, quietDays }: MakeFlags,
  output: Output,
): Promise<void> {
  const found = engine.account.file.all<{ list_id: number }>('SELECT list_id FROM lists WHERE name = ?', list);
  const [one] = found;
  if (!one || found.length > 1)
    throw usage(
      `${found.length === 0 ? 'there is no list' : `${found.length} lists are`} named ${JSON.stringify(list)}`,
    );
  const { mailing_id: id } = await change(engine, 'make_mailing', {
    ...{ name: name ?? list, list_id: one.list_id },
    ...(rule === undefined ? {} : { rule: ruleOf(rule) }),
    ...(lead === undefined ? {} : { lead }),
    ...(quietDays === undefined ? {} : { quiet_days: Number(quietDays) }),
  });
  output.print(`Mailing ${id}\n${mailingText(read(engine, Number(id)))}`);
}

function printAll(engine: Engine, isJson: boolean, output: Output): void {
  const { mailings } = runRead(engine, 'mailings', {}) as ReadOutputOf<'mailings'>;
  if (isJson) {
    output.print(JSON.stringify(mailings));
    return;
  }
  const rows = mailings.map(({ mailing_id, name, written_on, mailed_on, figures }) => ({
    ...{ mailing_id, name, written_on, mailed_on, letters: figures.letters, sent: figures.sent },
    ...{ replies: figures.replies.count, leads: figures.leads.count, accepted: figures.accepted.count },
  }));
  if (rows.length > 0) output.print(tableText(Object.keys(rows[0] as object), rows));
  output.note(counted(rows.length, 'mailing', 'mailings'));
}

const percent = (share: number): string => (100 * share).toFixed(1);

const figureText = (name: string, { count, share, low, high }: Figure, of: number): string =>
  share === null || low === null || high === null
    ? `${name}: ${count}`
    : `${name}: ${count} of ${of}: ${percent(share)} % (${percent(low)} to ${percent(high)})`;

function mailingText(mailing: ReadOutputOf<'mailing'>): string {
  const { letters, left_out: leftOut, look_at: lookAt, figures, parcels, written_on: written } = mailing;
  const offers = letters.flatMap(({ offer }) => offer ?? []);
  const sum = offers.reduce((total, offer) => total + offer, 0);
  const arrived = figures.sent - figures.returned.count;
  const back =
    figures.sent === 0
      ? []
      : [
          `${figures.sent} sent${figures.cost > 0 ? `, ${dollars(figures.cost)}` : ''}`,
          figureText('Returned', figures.returned, figures.sent),
          figureText('Replies', figures.replies, arrived),
          figureText('Leads', figures.leads, arrived),
          figureText('Accepted', figures.accepted, arrived),
        ];
  return [
    `${mailing.name}, ${written === null ? 'draft' : `written ${written}`}: ${counted(letters.length, 'letter', 'letters')} of ${counted(parcels, 'parcel', 'parcels')}, ${offers.length} with offers of ${dollars(sum)} in all`,
    ...leftOut.map(({ words, parcels: without }) => `  ${without.length} without: ${words}`),
    ...(lookAt.length === 0 ? [] : [`Look at these ${lookAt.length} before you send:`]),
    ...lookAt.map((letter) => {
      const offer =
        letter.offer === null
          ? letter.withheld
            ? `no offer: ${letter.withheld.replaceAll('_', ' ')}`
            : 'no offer'
          : dollars(letter.offer);
      const choice = letter.choice === 'leave_out' ? 'left out; ' : '';
      return `  ${letter.apn ?? letter.property_id}  ${letter.owner_name ?? ''}  ${offer}  ${choice}${letter.doubts.map(({ words }) => words).join('; ')}`;
    }),
    ...back,
  ].join('\n');
}
