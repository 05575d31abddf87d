/** The effect of V, C and Escape on the parcel's tabs. */
import { isWideTab } from '../explore/detail/detail-tabs.tsx';
import { explore, openOwner, openTab } from '../explore/explore-state.ts';
import { focusNow, whenThere } from '../state/focus-place.ts';
import { goTo } from '../state/navigation.ts';
import { toast } from '../state/toasts.ts';
import { choosingPlace, target } from '../work/targets.ts';

const triesMilliseconds = 50;
const maxTries = 60;

/**
 * Focuses the parcel at once, then the element for Enter as soon as it appears, unless the user has moved the focus.
 * Never focuses a button that would charge a second time.
 */
function focusSoon(name: string): void {
  let tries = 0;
  const timer = setInterval(() => {
    const parcel = document.querySelector('[data-focus="detail"]');
    if (tries === 0) focusNow('detail');
    const hasMoved = document.activeElement !== parcel && document.activeElement !== document.body;
    tries += 1;
    if (hasMoved || focusNow(name) || tries > maxTries) clearInterval(timer);
  }, triesMilliseconds);
}

/** @param name of the element that Enter should press next */
function showTab(id: number, tab: string, name: string): void {
  openTab(id, tab);
  goTo('explore');
  whenThere('.explore', () => focusSoon(name));
}

export function showValue(): void {
  const id = target();
  if (id === null) toast('Choose a parcel first: the value is of one parcel');
  else showTab(id, 'value', 'value-first');
}

export function showNeighbours(): void {
  const id = target();
  if (id === null) toast('Choose a parcel first: the neighbours are those of one parcel');
  else showTab(id, 'neighbours', 'neighbours-first');
}

export function showOwner(): void {
  const id = target();
  if (id === null) return void toast('Choose a parcel first: the card is of its owner');
  openOwner(id);
  goTo('explore');
}

/** Around the parcel that is open or selected in a list; without one, the screen of comps. */
export function showComps(): void {
  const id = choosingPlace() === null ? null : target();
  if (id === null) goTo('comps');
  else showTab(id, 'comps', 'comps-button');
}

/** Returns from a full-screen tab to the parcel beside its map. @returns whether there was one */
export function leaveWideTab(): boolean {
  const { selected, detailTab } = explore.get();
  if (selected === null || !isWideTab(detailTab)) return false;
  explore.set({ detailTab: 'parcel' });
  return true;
}
