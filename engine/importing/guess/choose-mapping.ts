/** Chooses the mapping of an import when none is named. */
import { importColumns } from '../../spec/parcel-columns.ts';
import type { Mapping } from '../mapping/mapping.ts';
import { type Proposal, type ProposeOptions, proposeMapping } from './propose-mapping.ts';

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

/** @throws EngineError like `proposeMapping` */
export function chooseMapping(options: ProposeOptions): ChosenMapping {
  const proposal = proposeMapping(options);
  const { columns, unmapped, mapping, isSure, profile } = proposal;
  const names = [...columns.map(({ source }) => source), ...unmapped.map(({ name }) => name)];
  const own = names.filter(isDictionaryName).length;
  // Written by Platbook or the hosted service; a county's file that merely has a column ZONING or ACRES does not
  // qualify.
  if (profile === null && own > 0 && own >= columns.length) return { kind: 'dictionary' };
  return isSure && mapping !== null ? { kind: 'mapping', mapping, proposal } : { kind: 'ask', proposal };
}
