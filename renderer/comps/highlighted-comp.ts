/** The comp under the pointer or keyboard, shared by tables and maps. */
import { createStore } from '../state/store.ts';

export const highlightedComp = createStore<{ readonly id: string | null }>(null, { id: null });

export const highlightComp = (id: string | null): void => {
  if (highlightedComp.get().id !== id) highlightedComp.set({ id });
};
