/** Chooses the mapping of an import when none is named. */
import { importColumns } from '../../spec/parcel-columns.ts';
import type { Mapping } from '../mapping/mapping.ts';
import { applyChoices } from './apply-choices.ts';
import type { ListChoices } from './list-proposal.ts';
import { identityColumns, type Proposal, type ProposeOptions, proposeMapping } from './propose-mapping.ts';

export type ChosenMapping =
  /** The file's columns are named as in the dictionary: no mapping is needed. */
  | { readonly kind: 'dictionary' }
  /** Certain enough to continue; still shown. */
  | { readonly kind: 'mapping'; readonly mapping: Mapping; readonly proposal: Proposal }
  /** A person has to decide. */
  | { readonly kind: 'ask'; readonly proposal: Proposal };

const dictionaryNames = new Set(importColumns.map(({ name }) => name));
const isDictionaryName = (name: string): boolean =>
  dictionaryNames.has(name.trim().toLowerCase().replace(/[ -]/g, '_'));

/**
 * @param choices a person's answers, from a column of the dictionary to one of the file
 * @throws EngineError like `proposeMapping` and `applyChoices`
 */
export function chooseMapping(options: ProposeOptions, choices: ListChoices = {}): ChosenMapping {
  const proposal = applyChoices(options, proposeMapping(options), choices);
  if (Object.keys(choices).length === 0 && isOwn(proposal)) return { kind: 'dictionary' };
  const { mapping, isSure } = proposal;
  return isSure && mapping !== null ? { kind: 'mapping', mapping, proposal } : { kind: 'ask', proposal };
}

/**
 * Written by Platbook or the hosted service: the parcel number is among the columns named as in the dictionary, and no
 * other column could be meant. A county's file that merely has a column ZONING or ACRES does not qualify.
 */
function isOwn({ columns, undecided, unmapped, profile, questions }: Proposal): boolean {
  const names = [...columns.map(({ source }) => source), ...unmapped.map(({ name }) => name)];
  const own = names.filter(isDictionaryName);
  const hasNumber = identityColumns.every((name) => own.some((one) => one.trim().toLowerCase() === name));
  const isAllOwn = own.length >= columns.length && undecided.every(({ source }) => isDictionaryName(source));
  return profile === null && hasNumber && isAllOwn && questions.every(({ about }) => about === 'apn');
}
