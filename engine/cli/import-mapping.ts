/** The mapping of an import: a saved one by name, or one proposed from the file. */
import type { Proposal } from '../importing/guess/propose-mapping.ts';
import { mappingPath, savedMappingNames } from '../importing/mapping/saved-mappings.ts';
import type { ParcelsInput } from '../jobs/task-kinds.ts';
import { defined } from '../spec/defined.ts';
import { EngineError } from '../spec/errors.ts';
import { askFile } from './ask-file.ts';
import { nextText, proposalText } from './map-command.ts';
import type { Output } from './output.ts';

interface Asking {
  readonly home: string;
  readonly output: Output;
  /** Goes on with an uncertain mapping: nothing is written. */
  readonly isDryRun: boolean;
}

/**
 * The input with a mapping, if it needs one. Reports a mapping that was chosen automatically.
 * @throws EngineError mapping_invalid if a person has to decide; the proposal is printed first
 */
export async function withMapping(input: ParcelsInput, { home, output, isDryRun }: Asking): Promise<ParcelsInput> {
  const { mapping, files, county, join, join_rows, layer, crs, header_row, without_shapes } = input;
  if (typeof mapping === 'string') {
    return savedMappingNames(home).includes(mapping) ? { ...input, mapping: mappingPath(home, mapping) } : input;
  }
  const [file] = files;
  if (mapping !== undefined || file === undefined) return input;
  const reading = defined({ county, join, join_rows, layer, crs, header_row, without_shapes });
  const chosen = await askFile('choose_mapping', { path: file, ...reading }, { home, output });
  if (chosen.kind === 'dictionary') return input;
  const { proposal } = chosen;
  if (chosen.kind === 'ask') {
    const next = nextText(proposal, { file, flags: reading, fips: county ?? null, saved: null });
    output.note([...proposalText(proposal), '', next].join('\n'));
    if (isDryRun && proposal.mapping !== null) {
      output.note(`The column of the parcel number is uncertain: ${apnWords(proposal)} The import itself asks.\n`);
      return { ...input, mapping: proposal.mapping as unknown as Readonly<Record<string, unknown>> };
    }
    throw new EngineError(
      'mapping_invalid',
      `${file}: nothing was imported, because the column of the parcel number is uncertain. The proposal is above; save it, or another, with "platbook map … --save NAME", and import with --mapping NAME.`,
    );
  }
  output.note(
    proposal.profile
      ? `Mapping: the profile ${proposal.profile.name}. "platbook map" shows it.`
      : `Mapping: guessed, ${proposal.columns.map(({ column, source }) => `${column} from ${source}`).join(', ')}.${leftWords(proposal.unmapped)} "platbook map" shows why; "--mapping" takes another.`,
  );
  return { ...input, mapping: chosen.mapping as unknown as Readonly<Record<string, unknown>> };
}

function apnWords({ columns }: Proposal): string {
  const apn = columns.find(({ column }) => column === 'apn');
  return apn
    ? `the dry run goes on with ${apn.source} (${Math.round(apn.confidence * 100)} %).`
    : 'the dry run goes on without one; parcels are known by their shapes.';
}

const listed = 12;

/** Filled columns without a target: the user may otherwise search for them in vain. */
function leftWords(unmapped: Proposal['unmapped']): string {
  const names = unmapped.filter(({ sample, reason }) => sample !== null && reason === null).map(({ name }) => name);
  if (names.length === 0) return '';
  return ` Left out: ${names.slice(0, listed).join(', ')}${names.length > listed ? ` and ${names.length - listed} more` : ''}.`;
}
