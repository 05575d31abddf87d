/** The comp under the pointer or the keyboard, in a table or on a map: one for all of them. */
import { createStore } from '../state/store.ts';

export const highlightedComp = createStore<{ readonly id: string | null }>(null, { id: null });

export const highlightComp = (id: string | null): void => {
  if (highlightedComp.get().id !== id) highlightedComp.set({ id });
};
