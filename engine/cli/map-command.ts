/**
 * `platbook map FILE`: shows how a file's columns map to the parcel dictionary, with samples, before anything is
 * imported.
 */
import path from 'node:path';
import { type Command, Option } from 'commander';
import type { Question, QuestionChoice } from '../importing/guess/guess-questions.ts';
import { type ListChoices, type ListKind, listKinds } from '../importing/guess/list-proposal.ts';
import type { Proposal, ProposedColumn } from '../importing/guess/propose-mapping.ts';
import { saveMapping } from '../importing/mapping/saved-mappings.ts';
import { mappingTargets } from '../importing/values/mapping-target.ts';
import { joinFilesOf } from '../jobs/task-fields.ts';
import { type TaskInput, tasks } from '../jobs/task-kinds.ts';
import { counted } from '../spec/counted.ts';
import { defined } from '../spec/defined.ts';
import { EngineError } from '../spec/errors.ts';
import { fillPercent } from '../spec/import-checks.ts';
import { quoted, suggestedName } from './arguments.ts';
import { askFile } from './ask-file.ts';
import { chosenHome } from './home.ts';
import { listNextText, listProposalText } from './list-proposal-text.ts';
import { type Output, tableText } from './output.ts';
import { addSchemaOptions, givenFields } from './schema-options.ts';

const { input: schema } = tasks.propose_mapping;

interface MapFlags extends Omit<TaskInput<'propose_mapping'>, 'path'> {
  save?: string;
  as?: ListKind;
  set?: string[];
  json?: boolean;
}

export function addMapCommand(program: Command, output: Output): void {
  const command = program
    .command('map <file>')
    .addOption(new Option('--as <kind>', 'the file holds contacts or comps instead of parcels').choices(listKinds))
    .option(
      '--set <field=column...>',
      'the column of the file for a column of the dictionary, or for a field; "apn=" for none',
    );
  addSchemaOptions(command, schema)
    .option('--save <name>', 'save it as mappings/NAME.json in the home, to edit and to use in imports')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  platbook map parcels.zip --county 33019 --save sullivan')
    .action(async (file: string, flags: MapFlags, subcommand: Command) => {
      const choices = parseChoices(flags.set ?? []);
      if (flags.as !== undefined) {
        await mapList(flags.as, { file, choices, flags, subcommand, output });
        return;
      }
      const fips = flags.county ?? null;
      const input = { ...givenFields(schema, flags), path: file, choices };
      const proposal = await askFile('propose_mapping', input, { output });
      const { save: name, where } = flags;
      const saved = name === undefined ? null : save(subcommand, name, proposal, where);
      if (flags.json) output.print(JSON.stringify({ ...proposal, saved }));
      else
        output.print(
          [...proposalText(proposal), '', nextText(proposal, { file, flags: input, fips, saved })].join('\n'),
        );
    });
}

interface ListToMap {
  readonly file: string;
  readonly choices: ListChoices;
  readonly flags: MapFlags;
  readonly subcommand: Command;
  readonly output: Output;
}

async function mapList(as: ListKind, { file, choices, flags, subcommand, output }: ListToMap): Promise<void> {
  const { header_row } = givenFields(schema, flags);
  const proposal = await askFile('propose_list', { path: file, as, choices, ...defined({ header_row }) }, { output });
  const saved = flags.save ?? null;
  if (saved !== null) saveMapping(chosenHome(subcommand).folder, saved, proposal.mapping, mappingTargets[as]);
  if (flags.json) output.print(JSON.stringify({ ...proposal, saved }));
  else output.print([...listProposalText(proposal), '', listNextText(proposal, saved)].join('\n'));
}

/** @throws EngineError usage */
export function parseChoices(texts: readonly string[]): ListChoices {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf('=');
      if (at > 0) return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
      throw new EngineError('usage', `Expected --set as "field=column", found ${JSON.stringify(text)}.`);
    }),
  );
}

/** The condition on the rows belongs to the mapping: the next year's file has the same other rows. */
function save(command: Command, name: string, { mapping, file }: Proposal, where?: string): string {
  if (mapping === null) {
    throw new EngineError('mapping_invalid', `Nothing in ${file} is certain enough to save as a mapping.`);
  }
  return saveMapping(chosenHome(command).folder, name, { ...mapping, ...defined({ where }) });
}

const percent = (confidence: number): string => `${Math.round(confidence * 100)} %`;

const rowsOf = (columns: readonly ProposedColumn[]) =>
  columns.map(({ column, source, confidence, filled, sample, samples }) => ({
    column,
    from: source.replaceAll('table.', 'table:').slice(0, 40),
    sure: percent(confidence),
    filled: fillPercent(filled, 1),
    'in the file': sample?.slice(0, 34) ?? '',
    becomes: samples.map((value) => value.slice(0, 24)).join(' · ') || '(nothing)',
  }));

const headings = ['column', 'from', 'sure', 'filled', 'in the file', 'becomes'];

/** The table and the unused columns as lines; an import that needs a mapping prints the same. */
export function proposalText(proposal: Proposal): string[] {
  const { profile, columns, undecided, unmapped, joins, notes } = proposal;
  const doubtful = columns.filter(({ confidence }) => confidence < 0.8);
  return [
    profile
      ? `It matches the profile ${profile.name}: ${profile.title} (score ${percent(profile.score)}; ${profile.document}).`
      : `No profile fits; ${counted(columns.length, 'column of the dictionary is', 'columns of the dictionary are')} guessed from names and values.`,
    ...joins.flatMap(joinText),
    '',
    tableText(headings, rowsOf(columns)),
    ...(doubtful.length > 0
      ? [
          '',
          'Check these before you trust them:',
          ...doubtful.map(({ column, reasons }) => `  ${column}: ${reasons.join('; ')}`),
        ]
      : []),
    ...(undecided.length > 0
      ? [
          '',
          'Not proposed, because too uncertain:',
          ...undecided.map(({ column, source, confidence }) => `  ${column} from ${source} (${percent(confidence)})`),
        ]
      : []),
    ...unmappedText(unmapped),
    ...notes.flatMap((note) => ['', note]),
    ...proposal.questions.flatMap((question) => ['', ...questionText(question)]),
  ];
}

/** The answer to a question as an option. */
export const answerText = ({ about }: Question, { value }: QuestionChoice): string =>
  about === 'rows' ? `--join-rows ${quoted(value)}` : `--set ${quoted(`${about}=${value}`)}`;

function questionText(question: Question): string[] {
  const rows = question.choices.map((choice) => ({
    choice: choice.label,
    filled: choice.filled === null ? '' : fillPercent(choice.filled, 1),
    'in the file': choice.samples.map((value) => value.slice(0, 24)).join(' · '),
    answer: answerText(question, choice),
    effect: choice.effect,
  }));
  const shown = ['choice', 'filled', 'in the file', 'answer'].filter((name) =>
    rows.some((row) => row[name as keyof typeof row] !== ''),
  );
  return [question.text, tableText(shown, rows), ...rows.map(({ choice, effect }) => `  ${choice}: ${effect}`)];
}

const joinText = ({ file, parcel, table, share, several }: Proposal['joins'][number]): string[] => [
  `${file} joins by ${parcel} = ${table}: ${percent(share)} of parcels find a row.`,
  ...(several > 0
    ? [
        `  ${several === 1 ? '1 of the first parcels finds' : `${several} of the first parcels find`} several rows that differ: name more columns of the key in the mapping’s join, or say with --join-rows which row counts.`,
      ]
    : []),
];

function unmappedText(unmapped: Proposal['unmapped']): string[] {
  if (unmapped.length === 0) return [];
  const known = unmapped.filter(({ reason }) => reason !== null);
  const others = unmapped.filter(({ reason }) => reason === null);
  const byReason = Map.groupBy(known, ({ reason }) => reason ?? '');
  return [
    '',
    `Unused columns of the file (${unmapped.length}):`,
    ...others.map(({ name, sample }) => `  ${name}${sample === null ? ', empty' : `: ${sample.slice(0, 50)}`}`),
    ...[...byReason].map(([reason, columns]) => `  ${columns.map(({ name }) => name).join(', ')}: ${reason}`),
  ];
}

interface NextStep {
  readonly file: string;
  readonly flags: Pick<
    MapFlags,
    'join' | 'join_rows' | 'join_key' | 'layer' | 'crs' | 'header_row' | 'without_shapes' | 'where'
  >;
  readonly fips: string | null;
  readonly saved: string | null;
}

/** Without it an import is refused where a key has several rows that differ. */
function joinRowsGiven(joins: Proposal['joins'], chosen: string | undefined): string[] {
  if (chosen !== undefined) return ['--join-rows', quoted(chosen)];
  return joins.some(({ several }) => several > 0) ? ['--join-rows', '<CHOICE>'] : [];
}

/** The next commands, ready to copy. */
export function nextText(
  { profile, mapping, isSure, joins, questions }: Proposal,
  { file, flags, fips, saved }: NextStep,
): string {
  const given = [
    ...joinFilesOf(flags.join).flatMap((file) => ['--join', quoted(file)]),
    ...joinRowsGiven(joins, flags.join_rows),
    ...joinFilesOf(flags.join_key).flatMap((key) => ['--join-key', quoted(key)]),
    ...(flags.layer === undefined ? [] : ['--layer', quoted(flags.layer)]),
    ...(flags.crs === undefined ? [] : ['--crs', flags.crs]),
    ...(flags.header_row === undefined ? [] : ['--header-row', String(flags.header_row)]),
    ...(flags.without_shapes ? ['--without-shapes'] : []),
    ...(flags.where === undefined ? [] : ['--where', quoted(flags.where)]),
  ];
  const county = fips ?? '<FIPS>';
  const importWith = (mappingName: string) =>
    `  platbook import parcels ${[quoted(file), '--county', county, '--mapping', quoted(mappingName), ...given].join(' ')}`;
  if (saved !== null)
    return [`Saved as ${saved}: edit it there if necessary, then`, importWith(path.basename(saved, '.json'))].join(
      '\n',
    );
  if (mapping === null)
    return 'Write a mapping yourself, {"name": "mine", "columns": {"apn": "YOUR_COLUMN"}} in a file, and pass it with --mapping.';
  if (profile && isSure) return ['Next:', importWith(profile.name)].join('\n');
  const name = suggestedName(file);
  const keep = [quoted(file), '--county', county, ...given];
  const answers = questions.flatMap((question) => {
    const [first] = question.choices;
    return first && question.about !== 'rows' ? [answerText(question, first)] : [];
  });
  keep.push(...answers);
  return [
    'Next, to name columns yourself (--set "owner_name=COLUMN") and save the mapping as a file that you can edit:',
    `  platbook map ${[...keep, '--save', name].join(' ')}`,
    ...(isSure || answers.length > 0
      ? [
          'or at once:',
          `  platbook import parcels ${[quoted(file), '--county', county, ...given, ...answers].join(' ')}`,
        ]
      : []),
  ].join('\n');
}
