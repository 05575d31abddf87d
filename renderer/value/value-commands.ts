/** What V, C and Escape do to the parcel's tabs. */
import { isWideTab } from '../explore/detail/detail-tabs.tsx';
import { explore } from '../explore/explore-state.ts';
import { focusNow } from '../state/focus-place.ts';
import { goTo, navigation } from '../state/navigation.ts';
import { toast } from '../state/toasts.ts';

const triesMilliseconds = 50;
const maxTries = 60;

/**
 * To the parcel at once, then to what Enter should do next as soon as it is there, unless the user has gone elsewhere
 * meanwhile. Never to a button that would charge a second time.
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

export function showValue(): void {
  if (explore.get().selected === null) {
    toast('Choose a parcel first: the value is of one parcel');
    return;
  }
  explore.set({ detailTab: 'value' });
  focusSoon('value-first');
}

/** Around the parcel that is open; without one the screen of comps. */
export function showComps(): void {
  if (navigation.get().screen !== 'explore' || explore.get().selected === null) {
    goTo('comps');
    return;
  }
  explore.set({ detailTab: 'comps' });
  focusSoon('comps-button');
}

/** From a tab that has the whole screen back to the parcel beside its map. @returns whether there was one */
export function leaveWideTab(): boolean {
  const { selected, detailTab } = explore.get();
  if (navigation.get().screen !== 'explore' || selected === null || !isWideTab(detailTab)) return false;
  explore.set({ detailTab: 'parcel' });
  return true;
}
