/**
 * The browser's Back and Forward walk screens, parcels and tabs, and never leave the app. The address has the screen,
 * the entry's state the parcel; below the first entry lies a floor, from which Back returns at once.
 */
import { chooseParcels, explore } from '../explore/explore-state.ts';

interface Place {
  readonly homeKey: string;
  readonly selected: number | null;
  readonly detailTab: string;
  readonly ownerOf: number | null;
}

type Entry = Place | 'floor' | null;

/** Parcels passed within it, by a held arrow key for instance, are no steps of their own. */
const restMilliseconds = 300;

const entry = (): Entry => history.state as Entry;

function here(): Place {
  const { homeKey, selected, detailTab, ownerOf } = explore.get();
  return { homeKey, selected, detailTab: selected === null ? '' : detailTab, ownerOf };
}

const isSame = (a: Entry, b: Place): boolean => JSON.stringify(a) === JSON.stringify(b);

export function walkHistory(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hasFloor = entry() !== null;
  // Browsers skip entries of pages that were never touched, so the floor waits for the first press.
  const lay = () => {
    removeEventListener('pointerdown', lay, true);
    removeEventListener('keydown', lay, true);
    if (hasFloor) return;
    hasFloor = true;
    history.replaceState('floor', '');
    history.pushState(here(), '');
  };
  addEventListener('pointerdown', lay, true);
  addEventListener('keydown', lay, true);
  const note = () => {
    const place = here();
    if (!hasFloor || isSame(entry(), place)) return;
    // A screen that was just opened has an entry of its own.
    if (entry() === null) history.replaceState(place, '');
    else history.pushState(place, '');
  };
  explore.subscribe(() => {
    clearTimeout(timer);
    timer = setTimeout(note, restMilliseconds);
  });
  addEventListener('hashchange', () => {
    if (entry() === null) note();
  });
  addEventListener('popstate', () => {
    clearTimeout(timer);
    const to = entry();
    if (to === 'floor') history.forward();
    else if (to && to.homeKey === explore.get().homeKey) show(to);
  });
}

function show({ selected, detailTab, ownerOf }: Place): void {
  chooseParcels({ ids: selected === null ? [] : [selected], shown: selected });
  explore.set({ ownerOf: ownerOf ?? null, ...(detailTab === '' ? {} : { detailTab }) });
}
