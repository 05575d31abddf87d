/** Every change of the app. A new change is one file and one line here. */

import { addEntry, type JournalMark } from '../account/journal.ts';
import type { Engine } from '../engine.ts';
import { validationError } from '../spec/errors.ts';
import { findProblems, unknownName } from '../spec/validate.ts';
import { createApiKey, revokeApiKey } from './api-keys.ts';
import { cancelRestoreChange, planRestore } from './backups.ts';
import type { ChangeDefinition, Done } from './change.ts';
import { allowContactChange, deleteContactChange } from './contacts.ts';
import { importDeals, updateDeal } from './deals.ts';
import { doNotMailAdd, doNotMailAddAll, doNotMailRemove, judgeOwners } from './do-not-mail.ts';
import { makeFeedChange, renewFeedChange, revokeFeedChange } from './feeds.ts';
import { addImagery, changeImagery, removeImageryChange, sharpenImagery } from './imagery.ts';
import { importPhotos, stagePhoto } from './import-photos.ts';
import { importFieldNotes } from './import-walk.ts';
import { cancelListRun, continueListRun, pauseListRun, startListRun } from './list-run-changes.ts';
import { setListener } from './listener.ts';
import { addMembers, deleteList, makeList, removeMembers, renameList, setMailedOn, setOfferPercent } from './lists.ts';
import {
  cancelJob,
  deleteDatasetChange,
  startDeriveComps,
  startEnrichAgain,
  startEnrichment,
  startImport,
  undoImportChange,
} from './long-work.ts';
import {
  addMailingCost,
  changeMailing,
  chooseLetters,
  deleteMailing,
  logReply,
  makeMailing,
  markReturned,
  markSent,
  writeLetters,
} from './mailings.ts';
import { saveListMappingChange, saveMappingChange } from './mappings.ts';
import { renameMarketColumn } from './market-columns.ts';
import { saveMarket, unsaveMarket, updateSavedMarket } from './markets.ts';
import { addNote, deleteNote, editNote } from './notes.ts';
import { addPhoto, captionPhoto, deletePhoto } from './photos.ts';
import { setPlan } from './plan.ts';
import { startBook } from './print-book.ts';
import { judgeSales } from './sale-verdicts.ts';
import { deleteSearch, noteSearchRun, renameSearch, saveSearch } from './searches.ts';
import { acceptOwners, star, unstar } from './stars.ts';
import { changeTag, deleteTag, tag, untag } from './tags.ts';
import { addTrackPoints, deleteTrack, endTrack, startTrack } from './tracks.ts';
import { redoChange, undoChange } from './undo.ts';
import { deleteVisit, keepVisit, setVisitFields, startVisitReport } from './visits.ts';
import { addWaypoint, deleteWaypoint, renameWaypoint } from './waypoints.ts';
import { keepWindowMemory } from './window-memory.ts';

/** Looked up at run time: the table is defined below. */
const runUnnoted = async (engine: Engine, name: string, input: unknown): Promise<Done<unknown>> =>
  getChange(name).run(input as never, engine);

/** Each change by its name, typed: `ChangeInputOf<'add_note'>`. */
const changeTable = {
  undo: undoChange(runUnnoted),
  redo: redoChange(runUnnoted),
  save_search: saveSearch,
  rename_search: renameSearch,
  delete_search: deleteSearch,
  note_search_run: noteSearchRun,
  judge_sales: judgeSales,
  star,
  unstar,
  accept_owners: acceptOwners,
  add_note: addNote,
  edit_note: editNote,
  delete_note: deleteNote,
  tag,
  untag,
  change_tag: changeTag,
  delete_tag: deleteTag,
  add_waypoint: addWaypoint,
  rename_waypoint: renameWaypoint,
  delete_waypoint: deleteWaypoint,
  start_track: startTrack,
  add_track_points: addTrackPoints,
  end_track: endTrack,
  delete_track: deleteTrack,
  import_field_notes: importFieldNotes,
  add_photo: addPhoto,
  delete_photo: deletePhoto,
  caption_photo: captionPhoto,
  stage_photo: stagePhoto,
  import_photos: importPhotos,
  set_visit_fields: setVisitFields,
  keep_visit: keepVisit,
  delete_visit: deleteVisit,
  start_visit_report: startVisitReport,
  make_list: makeList,
  rename_list: renameList,
  delete_list: deleteList,
  add_members: addMembers,
  remove_members: removeMembers,
  set_mailed_on: setMailedOn,
  set_offer_percent: setOfferPercent,
  make_mailing: makeMailing,
  change_mailing: changeMailing,
  choose_letters: chooseLetters,
  write_letters: writeLetters,
  mark_sent: markSent,
  mark_returned: markReturned,
  log_reply: logReply,
  add_mailing_cost: addMailingCost,
  delete_mailing: deleteMailing,
  start_list_run: startListRun,
  continue_list_run: continueListRun,
  pause_list_run: pauseListRun,
  cancel_list_run: cancelListRun,
  create_key: createApiKey,
  revoke_key: revokeApiKey,
  set_listener: setListener,
  start_book: startBook,
  do_not_mail_add: doNotMailAdd,
  do_not_mail_add_all: doNotMailAddAll,
  do_not_mail_remove: doNotMailRemove,
  judge_owners: judgeOwners,
  update_deal: updateDeal,
  import_deals: importDeals,
  save_market: saveMarket,
  update_saved_market: updateSavedMarket,
  unsave_market: unsaveMarket,
  rename_market_column: renameMarketColumn,
  allow_contact: allowContactChange,
  delete_contact: deleteContactChange,
  set_plan: setPlan,
  keep_window_memory: keepWindowMemory,
  start_import: startImport,
  start_enrichment: startEnrichment,
  start_enrich_again: startEnrichAgain,
  start_derive_comps: startDeriveComps,
  add_imagery: addImagery,
  sharpen_imagery: sharpenImagery,
  change_imagery: changeImagery,
  remove_imagery: removeImageryChange,
  cancel_job: cancelJob,
  undo_import: undoImportChange,
  delete_dataset: deleteDatasetChange,
  save_mapping: saveMappingChange,
  save_list_mapping: saveListMappingChange,
  make_feed: makeFeedChange,
  renew_feed: renewFeedChange,
  revoke_feed: revokeFeedChange,
  plan_restore: planRestore,
  cancel_restore: cancelRestoreChange,
} as const;

export type ChangeName = keyof typeof changeTable;
export type ChangeInputOf<Name extends ChangeName> =
  (typeof changeTable)[Name] extends ChangeDefinition<infer Input, infer _Output> ? Input : never;
export type ChangeOutputOf<Name extends ChangeName> =
  (typeof changeTable)[Name] extends ChangeDefinition<infer _Input, infer Output> ? Output : never;

/** A change without static types: external input is checked against `input` first. */
type AnyChange = ChangeDefinition<never, unknown>;

export const changes: readonly AnyChange[] = Object.values(changeTable) as readonly unknown[] as readonly AnyChange[];

const changesByName: ReadonlyMap<string, AnyChange> = new Map(changes.map((change) => [change.name, change]));

/** The answer for a screen; `undo` refers to the journal entry. */
export interface Changed {
  readonly data: unknown;
  readonly undo: JournalMark | null;
}

/**
 * Runs a change by name.
 * @throws EngineError not_found for an unknown name, validation_error for invalid input, or the change's own errors
 */
export async function runChange(engine: Engine, name: string, input: unknown): Promise<Changed> {
  const change = getChange(name);
  const problems = findProblems(change.input, input);
  if (problems) throw validationError(problems);
  const done = await change.run(input as never, engine);
  return { data: done.data ?? null, undo: done.mark ?? noteUndo(engine, name, input, done) };
}

/** Changes that write elsewhere than in account.sqlite name the change that undoes them. */
function noteUndo(
  { account, now }: Engine,
  change: string,
  input: unknown,
  { undo }: Done<unknown>,
): JournalMark | null {
  if (!undo) return null;
  const entry = {
    made_at: now().toISOString(),
    sentence: undo.sentence,
    change,
    input: JSON.stringify(input),
    inverse_change: undo.change,
    inverse_input: JSON.stringify(undo.input),
  };
  return account.file.transaction(() => addEntry(account.file, entry));
}

/** @throws EngineError not_found for an unknown name */
function getChange(name: string): AnyChange {
  const change = changesByName.get(name);
  if (!change) throw unknownName('change', name, [...changesByName.keys()]);
  return change;
}
