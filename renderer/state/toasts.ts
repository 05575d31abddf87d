/** Short messages about what was done, with a way back. */
import { createStore } from './store.ts';

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void };
}

export const toasts = createStore<{ readonly shown: readonly Toast[] }>(null, { shown: [] });

const shownMilliseconds = 6000;
let latest = 0;

export function toast(text: string, action?: Toast['action']): void {
  latest += 1;
  const id = latest;
  toasts.set(({ shown }) => ({ shown: [...shown.slice(-2), { id, text, ...(action ? { action } : {}) }] }));
  setTimeout(() => dismissToast(id), shownMilliseconds);
}

export const dismissToast = (id: number): void =>
  toasts.set(({ shown }) => ({ shown: shown.filter((one) => one.id !== id) }));
