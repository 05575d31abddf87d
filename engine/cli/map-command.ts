/**
 * `platbook map FILE`: shows how a file's columns map to the parcel dictionary, with samples, before anything is
 * imported.
 */
import path from 'node:path';
import { type Command, Option } from 'commander';
import { type ListChoices, type ListKind, listKinds } from '../importing/guess/list-proposal.ts';
import type { Proposal, ProposedColumn } from '../importing/guess/propose-mapping.ts';
import { saveMapping } from '../importing/mapping/saved-mappings.ts';
import { mappingTargets } from '../importing/values/mapping-target.ts';
import { type QuestionInput, questions } from '../jobs/question-kinds.ts';
import { EngineError } from '../spec/errors.ts';
import { quoted, suggestedName } from './arguments.ts';
import { askFile } from './ask-file.ts';
import { chosenHome } from './home.ts';
import { listNextText, listProposalText } from './list-proposal-text.ts';
import { type Output, tableText } from './output.ts';
import { addSchemaOptions, givenFields } from './schema-options.ts';

const { input: schema } = questions.propose_mapping;

interface MapFlags extends Omit<QuestionInput<'propose_mapping'>, 'path'> {
  save?: string;
  as?: ListKind;
  set?: string[];
  json?: boolean;
}

export function addMapCommand(program: Command, output: Output): void {
  const command = program
    .command('map <file>')
    .description("propose how a file's columns map to the parcel dictionary; nothing is imported")
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
      const saved = flags.save === undefined ? null : save(subcommand, flags.save, proposal);
      if (flags.json) output.print(JSON.stringify({ ...proposal, saved }));
      else output.print([...proposalText(proposal), '', nextText(proposal, { file, flags, fips, saved })].join('\n'));
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
  const proposal = await askFile('propose_list', { path: file, as, choices }, { output });
  const saved = flags.save ?? null;
  if (saved !== null) saveMapping(chosenHome(subcommand).folder, saved, proposal.mapping, mappingTargets[as]);
  if (flags.json) output.print(JSON.stringify({ ...proposal, saved }));
  else output.print([...listProposalText(proposal), '', listNextText(proposal, saved)].join('\n'));
}

function parseChoices(texts: readonly string[]): ListChoices {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf('=');
      if (at > 0) return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
      throw new EngineError('usage', `Expected --set as "field=column", found ${JSON.stringify(text)}.`);
    }),
  );
}

function save(command: Command, name: string, { mapping, file }: Proposal): string {
  if (mapping === null) {
    throw new EngineError('mapping_invalid', `Nothing in ${file} is certain enough to save as a mapping.`);
  }
  return saveMapping(chosenHome(command).folder, name, { ...mapping });
}

const percent = (confidence: number): string => `${Math.round(confidence * 100)} %`;

const rowsOf = (columns: readonly ProposedColumn[]) =>
  columns.map(({ column, source, confidence, sample, after }) => ({
    column,
    from: source.replaceAll('table.', 'table:').slice(0, 40),
    sure: percent(confidence),
    'in the file': sample?.slice(0, 34) ?? '',
    becomes: after?.slice(0, 34) ?? '(nothing)',
  }));

const headings = ['column', 'from', 'sure', 'in the file', 'becomes'];

/** The table and the unused columns as lines; an import that needs a mapping prints the same. */
export function proposalText(proposal: Proposal): string[] {
  const { profile, columns, undecided, unmapped, join, notes } = proposal;
  const doubtful = columns.filter(({ confidence }) => confidence < 0.8);
  return [
    profile
      ? `It matches the profile ${profile.name}: ${profile.title} (score ${percent(profile.score)}; ${profile.document}).`
      : `No profile fits; ${columns.length} columns of the dictionary are guessed from names and values.`,
    ...(join
      ? [`The table joins by ${join.parcel} = ${join.table}: ${percent(join.share)} of parcels find a row.`]
      : []),
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
  ];
}

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
  readonly flags: Pick<MapFlags, 'join' | 'layer' | 'crs'>;
  readonly fips: string | null;
  readonly saved: string | null;
}

/** The next commands, ready to copy. */
export function nextText({ profile, mapping, isSure }: Proposal, { file, flags, fips, saved }: NextStep): string {
  const given = [
    ...(flags.join === undefined ? [] : ['--join', quoted(flags.join)]),
    ...(flags.layer === undefined ? [] : ['--layer', quoted(flags.layer)]),
    ...(flags.crs === undefined ? [] : ['--crs', flags.crs]),
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
  if (!('apn' in mapping.columns)) keep.push('--set', '"apn=COLUMN"');
  return [
    'Next, to name columns yourself (--set "owner_name=COLUMN") and save the mapping as a file that you can edit:',
    `  platbook map ${[...keep, '--save', name].join(' ')}`,
    ...(isSure
      ? ['or at once:', `  platbook import parcels ${[quoted(file), '--county', county, ...given].join(' ')}`]
      : []),
  ].join('\n');
}
