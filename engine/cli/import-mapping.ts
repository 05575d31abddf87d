/** The mapping of an import: kept in the home by its name, or proposed from the file when none was named. */
import { chooseMapping } from '../importing/guess/choose-mapping.ts';
import type { Proposal } from '../importing/guess/propose-mapping.ts';
import { mappingPath, savedMappingNames } from '../importing/mapping/saved-mappings.ts';
import type { ParcelsInput } from '../jobs/job-kinds.ts';
import { proposeOptions } from '../jobs/question-work.ts';
import { defined } from '../spec/defined.ts';
import { EngineError } from '../spec/errors.ts';
import { isoToday } from './iso-today.ts';
import { nextText, proposalText } from './map-command.ts';
import type { Output } from './output.ts';

/**
 * The same input with a mapping, where one is needed. What is taken without being asked for is said.
 * @throws EngineError mapping_invalid when a person has to look: the proposal is printed before
 */
export function withMapping(input: ParcelsInput, home: string, output: Output): ParcelsInput {
  const { mapping, files, county, join, layer, crs } = input;
  if (typeof mapping === 'string') {
    return savedMappingNames(home).includes(mapping) ? { ...input, mapping: mappingPath(home, mapping) } : input;
  }
  const [file] = files;
  if (mapping !== undefined || file === undefined) return input;
  const reading = defined({ county, join, layer, crs });
  const chosen = chooseMapping(proposeOptions({ path: file, ...reading }, isoToday()));
  if (chosen.kind === 'dictionary') return input;
  const { proposal } = chosen;
  if (chosen.kind === 'ask') {
    const next = nextText(proposal, { file, flags: reading, fips: county ?? null, saved: null });
    output.note([...proposalText(proposal), '', next].join('\n'));
    throw new EngineError(
      'mapping_invalid',
      `${file}: nothing was imported, because it is not sure which column is the parcel number. The proposal is above; keep it, or another, with "platbook map … --save NAME", and import with --mapping NAME.`,
    );
  }
  output.note(
    proposal.profile
      ? `Mapping: the profile ${proposal.profile.name}. "platbook map" shows it.`
      : `Mapping: guessed, ${proposal.columns.map(({ column, source }) => `${column} from ${source}`).join(', ')}.${leftWords(proposal.unmapped)} "platbook map" shows why; "--mapping" takes another.`,
  );
  return { ...input, mapping: chosen.mapping as unknown as Readonly<Record<string, unknown>> };
}

const listed = 12;

/** Columns that hold something and go nowhere: what a user may look for in vain afterwards. */
function leftWords(unmapped: Proposal['unmapped']): string {
  const names = unmapped.filter(({ sample, reason }) => sample !== null && reason === null).map(({ name }) => name);
  if (names.length === 0) return '';
  return ` Left out: ${names.slice(0, listed).join(', ')}${names.length > listed ? ` and ${names.length - listed} more` : ''}.`;
}
