/** The shown list, its order, and its selection. */
import type { Choice } from '../parts/use-row-choosing.ts';
import { navigation } from '../state/navigation.ts';
import { createStore } from '../state/store.ts';

export type Shown =
  | { readonly kind: 'search'; readonly id: number }
  | { readonly kind: 'list'; readonly id: number }
  | { readonly kind: 'mailing'; readonly id: number; readonly list: number }
  | { readonly kind: 'starred' | 'changed' | 'do_not_mail' };

interface ListView {
  /** Null: the first list. */
  readonly shown: Shown | null;
  /** `-acres`; null: the list's own order. */
  readonly ordering: string | null;
  readonly selected: readonly number[];
}

export const listView = createStore<ListView>('platbook.lists', { shown: null, ordering: null, selected: [] });

export const showList = (shown: Shown): void => listView.set({ shown, ordering: null, selected: [] });

export const isSameList = (a: Shown, b: Shown): boolean => JSON.stringify(a) === JSON.stringify(b);

export function chosenRows(): Choice {
  const { selected } = listView.get();
  return { ids: selected, shown: selected.at(-1) ?? null };
}

/** The one reached last is at the end. */
export const chooseRows = ({ ids, shown }: Choice): void =>
  listView.set({ selected: shown === null ? ids : [...ids.filter((id) => id !== shown), shown] });

/** On Lists. @returns whether rows of a list were selected there */
export function clearRows(): boolean {
  const { shown, selected } = listView.get();
  // The table of a live search shares Explore's selection.
  if (navigation.get().screen !== 'lists' || shown?.kind === 'search' || selected.length === 0) return false;
  listView.set({ selected: [] });
  return true;
}

/** From a mailing to its list. @returns whether one was shown */
export function leaveMailing(): boolean {
  const { shown } = listView.get();
  if (navigation.get().screen !== 'lists' || shown?.kind !== 'mailing') return false;
  showList({ kind: 'list', id: shown.list });
  return true;
}

/** A second click on a heading reverses the order. Numbers start with the largest. */
export const orderListBy = (column: string, isNumber: boolean): void =>
  listView.set(({ ordering }) => {
    const [first, second] = isNumber ? [`-${column}`, column] : [column, `-${column}`];
    return { ordering: ordering === first ? second : first };
  });
