/** The parcels that star, tag and note are about: those chosen in the list that is shown, else in Explore. */
import { explore } from '../explore/explore-state.ts';
import { listView } from '../lists/list-state.ts';
import { navigation } from '../state/navigation.ts';

export function targets(): readonly number[] {
  const { shown, selected: chosen } = listView.get();
  // The table of a live search is that of Explore.
  if (navigation.get().screen === 'lists' && shown?.kind !== 'search') return chosen;
  const { selected, selectedMany } = explore.get();
  if (selectedMany.length > 0) return selectedMany;
  return selected === null ? [] : [selected];
}
