/** Star, note, tag and list by key or from the palette. */
import type { EngineClient } from '../client/engine-client.ts';
import { openTab } from '../explore/explore-state.ts';
import { focusWhenThere } from '../state/focus-place.ts';
import { goTo, navigation } from '../state/navigation.ts';
import { toast } from '../state/toasts.ts';
import { makeFoundChange } from './make-change.ts';
import { targets } from './targets.ts';

/** @returns null, with a message, while nothing is selected */
function chosen(verb: string): readonly number[] | null {
  const ids = targets();
  if (ids.length > 0) return ids;
  toast(`Select a parcel to ${verb}`);
  return null;
}

/** Removes the stars if all have one. */
export async function toggleStars(client: EngineClient, ids: readonly number[]): Promise<void> {
  await makeFoundChange(client, { name: 'toggle stars', key: ids.join() }, async () => {
    const starred = new Set((await client.read('marks', {})).starred);
    return { name: ids.every((id) => starred.has(id)) ? 'unstar' : 'star', input: { ids } };
  });
}

export function starChosen(client: EngineClient): void {
  const ids = chosen('star it');
  if (ids) void toggleStars(client, ids);
}

/** Opens the parcel's notes, with the keyboard focus in the field. */
export function noteChosen(): void {
  const id = chosen('write a note on it')?.at(-1);
  if (id === undefined) return;
  showNotes(id);
}

export function showNotes(id: number): void {
  openTab(id, 'notes');
  goTo('explore');
  setTimeout(() => focusWhenThere('note'), 0);
}

export function tagChosen(): void {
  if (chosen('tag it')) navigation.set({ over: 'tag' });
}

export function listChosen(): void {
  if (chosen('put it on a list')) navigation.set({ over: 'add-to-list' });
}
