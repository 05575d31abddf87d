/** The comp under the pointer or keyboard, and the one opened beside a value, shared by tables and maps. */
import { createStore } from '../state/store.ts';

export const highlightedComp = createStore<{ readonly id: string | null }>(null, { id: null });

export const highlightComp = (id: string | null): void => {
  if (highlightedComp.get().id !== id) highlightedComp.set({ id });
};

export const openedComp = createStore<{ readonly id: string | null }>(null, { id: null });

export const openComp = (id: string | null): void => openedComp.set({ id });
