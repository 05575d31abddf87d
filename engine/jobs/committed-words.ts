/**
 * Sentences for a cancelled or failed job that had already committed part of its work.
 */
import { layerTitle } from '../spec/layer-titles.ts';
import type { JobStatus } from './job-status.ts';
import type { TaskName } from './task-kinds.ts';

/** Where the sentence appears: the window names buttons, the terminal commands. */
export type Reader = 'window' | 'terminal';

/** Facts that the report of any kind may have. */
interface Committed {
  readonly fips?: string;
  readonly import_id?: number | null;
  readonly completed?: readonly string[];
  readonly is_redone?: boolean;
}

const mayWait = 'Layers may not be computed again for all new and redrawn parcels';
const testedLater =
  'The values of their counties were not all tested on them yet: a county is tested when it is next looked at.';

/** How to complete a county's layers. */
const toCompute = (reader: Reader, fips = '<FIPS>'): string =>
  reader === 'window' ? 'Loaded says which wait' : `"platbook layers compute ${fips}" does that`;

/** How to undo what has a number. */
const toReverse = (reader: Reader, how: 'taken' | 'brought', id: number | null | undefined): string => {
  if (reader === 'window' && id !== null) return ` and can be ${how} back under Loaded`;
  return typeof id === 'number' ? ` and can be ${how} back ("platbook undo ${id}")` : '';
};

const words: { readonly [Name in TaskName<'listed'>]: ((report: Committed, reader: Reader) => string) | null } = {
  import_parcels: ({ import_id: id, fips }, reader) =>
    `The import of the parcels is in${toReverse(reader, 'taken', id)}. ${mayWait}; ${toCompute(reader, fips)}.`,
  plan_parcels: null,
  plat_book: null,
  plat_page: null,
  visit_report: null,
  import_comps: () => `The comps are in, and land is priced from them; their import has no undo. ${testedLater}`,
  import_contacts: () => 'The contacts are in.',
  derive_comps: () => `The comps are made, in place of those made before, and land is priced from them. ${testedLater}`,
  enrich: () => 'The layer is in, with all it says of the parcels.',
  enrich_again: ({ completed = [] }, reader) =>
    `Computed again: ${completed.map((kind) => layerTitle(kind).toLowerCase()).join(', ')}. Other layers may still wait; ${reader === 'window' ? 'Loaded says which' : 'the same command goes on with them'}.`,
  undo_import: ({ fips, is_redone: isRedone }, reader) =>
    `The import is ${isRedone ? 'in again' : 'taken back'}. ${mayWait}; ${toCompute(reader, fips)}.`,
  add_imagery: () => 'The photos are on the map, as far as they are sharpened.',
  sharpen_imagery: null,
  delete_dataset: ({ import_id: id }, reader) => `The dataset is removed${toReverse(reader, 'brought', id)}.`,
};

/** Null if nothing was committed, or no sentence is needed: a list run shows its own progress. */
export function committedWords({ kind, report }: Pick<JobStatus, 'kind' | 'report'>, reader: Reader): string | null {
  if (report === null) return null;
  return words[kind as TaskName<'listed'>]?.(report as Committed, reader) ?? null;
}
