/** The way to Print from elsewhere: with what the screen shows. */
import { explore } from '../explore/explore-state.ts';
import { listView } from '../lists/list-state.ts';
import { focusWhenThere } from '../state/focus-place.ts';
import { goTo, navigation } from '../state/navigation.ts';
import { book } from './book-state.ts';
import { countyKey, exploreKey, listKey, starredKey } from './use-book-sources.ts';

export function printBookOfShown(): void {
  const source = shownSource();
  if (source !== null) book.set({ source });
  goTo('print');
  focusWhenThere('book');
}

/** Null: the choice of before stays. */
function shownSource(): string | null {
  const { screen } = navigation.get();
  const { shown } = listView.get();
  if (screen === 'lists' && shown?.kind === 'list') return listKey(shown.id);
  if (screen === 'lists' && shown?.kind === 'starred') return starredKey;
  if (screen !== 'explore') return null;
  const { filter } = explore.get();
  const isCounty = Object.keys(filter).every((field) => field === 'county');
  return isCounty ? countyKey(String(filter.county)) : exploreKey;
}
