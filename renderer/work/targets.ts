/** The targets of star, tag and note: the parcels selected on the current screen. */
import { desk } from '../desk/desk-state.ts';
import { explore } from '../explore/explore-state.ts';
import { listView } from '../lists/list-state.ts';
import { navigation } from '../state/navigation.ts';

type Place = 'explore' | 'list' | 'desk' | null;

/** The screen whose selection is visible; the table of a live search in Lists shares Explore's. */
export function choosingPlace(): Place {
  const { screen } = navigation.get();
  if (screen === 'lists') return listView.get().shown?.kind === 'search' ? 'explore' : 'list';
  return screen === 'explore' || screen === 'desk' ? screen : null;
}

export function targets(): readonly number[] {
  const place = choosingPlace();
  if (place === 'desk') return desk.get().selected;
  if (place !== 'explore') return place === 'list' ? listView.get().selected : [];
  const { selected, selectedMany } = explore.get();
  if (selectedMany.length > 0) return selectedMany;
  return selected === null ? [] : [selected];
}

/** The parcel for a tab: the row reached last in a list or on the Desk, else the one in Explore. */
export function target(): number | null {
  const chosen = choosingPlace() === 'explore' ? undefined : targets().at(-1);
  return chosen ?? explore.get().selected;
}
