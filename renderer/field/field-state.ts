/** Field mode's state, lost with the window: what the map follows, the open sheet, and where to go. */

import { here } from '../location/position-state.ts';
import { goTo, navigation } from '../state/navigation.ts';
import { createStore } from '../state/store.ts';
import type { LonLat } from './bearing.ts';

/** What lies over the buttons: one at a time. */
export type SheetName = 'whose' | 'waypoint' | 'photo' | 'go' | 'mark' | 'layers';

export interface Aim extends LonLat {
  /** `Corner pin NE`, `9-94`. */
  readonly name: string;
}

interface FieldState {
  /** Whether the map keeps the position in its middle; a drag ends it. */
  readonly isFollowing: boolean;
  readonly sheet: SheetName | null;
  /** The place that the open sheet is about, kept while the user walks on. */
  readonly place: FieldPlace | null;
  /** The stored waypoint or photo of the sheet `mark`. */
  readonly mark: { readonly kind: 'waypoint' | 'photo'; readonly id: number } | null;
  readonly aim: Aim | null;
  /** The middle of the map's free part, where its cross is. */
  readonly cross: LonLat | null;
}

export interface FieldPlace extends LonLat {
  /** Null: not where the user stands. */
  readonly accuracyMeters: number | null;
}

const begin: FieldState = { isFollowing: true, sheet: null, place: null, mark: null, aim: null, cross: null };

export const field = createStore<FieldState>(null, begin);

/** Where the user stands while the map follows, else the place under the cross; null: neither is known. */
function placeMeant(): FieldPlace | null {
  const { isFollowing, cross } = field.get();
  const { position } = here.get();
  if (isFollowing && position) return position;
  return cross && { ...cross, accuracyMeters: null };
}

/** The same sheet again closes it. */
export function toggleSheet(name: SheetName): void {
  if (field.get().sheet === name) closeSheet();
  else field.set({ sheet: name, place: placeMeant(), mark: null });
}

/** For a place the user points at. */
export const askWhose = (place: LonLat): void =>
  field.set({ sheet: 'whose', place: { ...place, accuracyMeters: null }, mark: null });

/** A waypoint or photo that was pressed on the map. */
export const openMark = (kind: 'waypoint' | 'photo', id: number): void =>
  field.set({ sheet: 'mark', place: null, mark: { kind, id } });

export const closeSheet = (): void => field.set({ sheet: null, place: null, mark: null });

/** @returns closes the sheet that is open now; another one, opened meanwhile, stays */
export function closerOfSheet(): () => void {
  const { sheet, place, mark } = field.get();
  return () => {
    const now = field.get();
    if (now.sheet === sheet && now.place === place && now.mark === mark) closeSheet();
  };
}

export const follow = (): void => field.set({ isFollowing: true });

export const aimAt = (aim: Aim | null): void => field.set({ aim, sheet: null, place: null, mark: null });

const address = 'field';

let before = 'explore';

export const isInField = (): boolean => navigation.get().screen === address;

export function enterField(): void {
  if (isInField()) return;
  before = navigation.get().screen;
  field.set(begin);
  goTo(address);
}

export const leaveField = (to = before): void => goTo(to);

/** Escape: the sheet, then the whole mode. */
export function closeTopOfField(): void {
  if (field.get().sheet) closeSheet();
  else leaveField();
}
