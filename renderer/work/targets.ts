/** The parcels that star, tag and note are about: those chosen on the screen that is shown. */
import { explore } from '../explore/explore-state.ts';
import { listView } from '../lists/list-state.ts';
import { navigation } from '../state/navigation.ts';

type Place = 'explore' | 'list' | null;

/** Whose choice is seen; the table of a live search in Lists is that of Explore. */
export function choosingPlace(): Place {
  const { screen } = navigation.get();
  if (screen === 'lists') return listView.get().shown?.kind === 'search' ? 'explore' : 'list';
  return screen === 'explore' ? 'explore' : null;
}

export function targets(): readonly number[] {
  const place = choosingPlace();
  if (place !== 'explore') return place === 'list' ? listView.get().selected : [];
  const { selected, selectedMany } = explore.get();
  if (selectedMany.length > 0) return selectedMany;
  return selected === null ? [] : [selected];
}

/** The one that a tab is to be opened of: the row reached last in a list, else the one that Explore shows. */
export function target(): number | null {
  const chosen = choosingPlace() === 'list' ? listView.get().selected.at(-1) : undefined;
  return chosen ?? explore.get().selected;
}
