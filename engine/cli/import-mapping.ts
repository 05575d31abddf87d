/** The mapping of an import: a saved one by name, or one proposed from the file. */
import type { Question } from '../importing/guess/guess-questions.ts';
import type { ListChoices } from '../importing/guess/list-proposal.ts';
import type { Proposal } from '../importing/guess/propose-mapping.ts';
import { withJoinRows } from '../importing/mapping/join-rows.ts';
import { mappingPath, savedMappingNames } from '../importing/mapping/saved-mappings.ts';
import type { ParcelsInput } from '../jobs/task-kinds.ts';
import { defined } from '../spec/defined.ts';
import { EngineError } from '../spec/errors.ts';
import { askFile } from './ask-file.ts';
import { answerText, nextText, proposalText } from './map-command.ts';
import type { Output } from './output.ts';

interface Asking {
  readonly home: string;
  readonly output: Output;
  /** Goes on with an uncertain mapping: nothing is written. */
  readonly isDryRun: boolean;
  /** Answers to what a proposal asks: from a column of the dictionary to one of the file. */
  readonly choices?: ListChoices;
  /** Columns of the key of each table. */
  readonly joinKey?: string | readonly string[] | undefined;
}

/**
 * The input with a mapping, if it needs one. Reports a mapping that was chosen automatically.
 * @throws EngineError mapping_invalid if a person has to decide; the proposal is printed first
 */
export async function withMapping(
  input: ParcelsInput,
  { home, output, isDryRun, choices = {}, joinKey }: Asking,
): Promise<ParcelsInput> {
  const { mapping, files, county, join, join_rows, layer, crs, header_row, without_shapes, where } = input;
  if (mapping !== undefined && (Object.keys(choices).length > 0 || joinKey !== undefined))
    throw new EngineError('usage', 'Expected --mapping, or --set and --join-key for a guess, found both.');
  if (typeof mapping === 'string') {
    return savedMappingNames(home).includes(mapping) ? { ...input, mapping: mappingPath(home, mapping) } : input;
  }
  const [file] = files;
  if (mapping !== undefined || file === undefined) return input;
  const reading = defined({ county, join, join_rows, layer, crs, header_row, without_shapes, where });
  const asked = { path: file, ...reading, ...defined({ join_key: joinKey }), choices };
  const chosen = await askFile('choose_mapping', asked, { home, output });
  if (chosen.kind === 'dictionary') return input;
  const { proposal } = chosen;
  if (chosen.kind === 'ask') {
    const next = nextText(proposal, {
      ...{ file, fips: county ?? null, saved: null },
      flags: { ...reading, ...defined({ join_key: joinKey }) },
    });
    output.note([...proposalText(proposal), '', next].join('\n'));
    return { ...input, mapping: uncertain(proposal, { file, output, isDryRun }) };
  }
  output.note(
    proposal.profile
      ? `Mapping: the profile ${proposal.profile.name}. "platbook map" shows it.`
      : `Mapping: guessed, ${proposal.columns.map(({ column, source }) => `${column} from ${source}`).join(', ')}.${leftWords(proposal.unmapped)} "platbook map" shows why; "--mapping" takes another.`,
  );
  return { ...input, mapping: chosen.mapping as unknown as Readonly<Record<string, unknown>> };
}

interface Uncertain {
  readonly file: string;
  readonly output: Output;
  readonly isDryRun: boolean;
}

/** What a dry run goes on with. @throws EngineError mapping_invalid for an import */
function uncertain(proposal: Proposal, { file, output, isDryRun }: Uncertain): Readonly<Record<string, unknown>> {
  const { questions, mapping } = proposal;
  const open = questions.map(({ text }) => text).join(' ') || 'The file matches its profile only in part.';
  if (isDryRun && mapping !== null) {
    const how = questions.map(meanwhile(proposal)).join(', ') || 'with what is above';
    output.note(`Open: ${open} The dry run goes on ${how}. The import itself asks.\n`);
    const isOfRows = questions.some(({ about }) => about === 'rows');
    return { ...(isOfRows ? withJoinRows(mapping, 'first') : mapping) };
  }
  const answers = questions.flatMap((one) => one.choices.slice(0, 1).map((choice) => answerText(one, choice)));
  throw new EngineError(
    'mapping_invalid',
    `${file}: nothing was imported. ${open} ${answers.length === 0 ? '' : `Answer in the same command, like ${answers.join(' ')}; the choices are above. `}Look through the proposal, save it or another with "platbook map … --save NAME", and import with --mapping NAME.`,
  );
}

/** What a dry run does about an open question. */
const meanwhile =
  ({ columns }: Proposal) =>
  ({ about }: Question): string => {
    if (about === 'rows') return 'with the first row';
    const column = columns.find((one) => one.column === about);
    if (column) return `with ${column.source} (${Math.round(column.confidence * 100)} %)`;
    return about === 'apn' ? 'without a number: parcels are known by their shapes' : `without ${about}`;
  };

const listed = 12;

/** Filled columns without a target: the user may otherwise search for them in vain. */
function leftWords(unmapped: Proposal['unmapped']): string {
  const names = unmapped.filter(({ sample, reason }) => sample !== null && reason === null).map(({ name }) => name);
  if (names.length === 0) return '';
  return ` Left out: ${names.slice(0, listed).join(', ')}${names.length > listed ? ` and ${names.length - listed} more` : ''}.`;
}
