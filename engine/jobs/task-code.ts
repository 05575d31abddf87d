/** The file of code of each task, loaded by the worker process that has it to do. */
import { writeJobNote } from '../store/job-note.ts';
import type { TaskName } from './task-kinds.ts';
import type { Code } from './tasks/on-land.ts';
import type { WorkerOrder, WorkTools } from './worker-messages.ts';

const parcels = () => import('./tasks/import-parcels.ts');
const lists = () => import('./tasks/import-lists.ts');
const layers = () => import('./tasks/layers.ts');
const book = () => import('./tasks/book.ts');
const look = () => import('./tasks/look.ts');
const imagery = () => import('./tasks/imagery.ts');
const visit = () => import('./tasks/visit.ts');
const home = () => import('./tasks/home.ts');

const files: { readonly [Name in TaskName]: () => Promise<{ readonly code: Code<Name> }> } = {
  import_parcels: parcels,
  plan_parcels: parcels,
  undo_import: parcels,
  delete_dataset: parcels,
  import_comps: lists,
  import_contacts: lists,
  derive_comps: lists,
  enrich: layers,
  enrich_again: layers,
  plat_book: book,
  plat_page: book,
  plan_book: book,
  visit_report: visit,
  look_file: look,
  propose_mapping: look,
  choose_mapping: look,
  preview_mapping: look,
  propose_list: look,
  add_imagery: imagery,
  sharpen_imagery: imagery,
  imagery_tile: imagery,
  imagery_kind: imagery,
  index_stale: home,
  find_neighbours: home,
  keep_markets: home,
  keep_owners: home,
  backup: home,
  prepare_restore: home,
  delete_contact: home,
  share: home,
};

/** @throws EngineError the task's error */
export async function doTask({ kind, input, home: folder, threads, job }: WorkerOrder, tools: WorkTools) {
  const name = kind as TaskName;
  const { code } = (await files[name]()) as { readonly code: Code<TaskName> };
  return code[name](input as never, {
    ...tools,
    home: folder,
    threads,
    note: (file, report) => job !== undefined && writeJobNote(file, job, report),
  });
}
