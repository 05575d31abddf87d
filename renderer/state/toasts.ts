/** Notes: short messages about what was done, with buttons to undo or redo it, or to go on with it. */
import { createStore } from './store.ts';

/** A step of Ctrl+Z: a change of the filter, or an entry of the journal. */
export type Step = 'filter' | number;

interface ToastAction {
  readonly label: string;
  readonly run: () => void;
  /** The step of the button: the note disappears once the keyboard or another note takes that step. */
  readonly step?: Step;
}

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly actions: readonly ToastAction[];
}

export const toasts = createStore<{ readonly shown: readonly Toast[] }>(null, { shown: [] });

export const shownMilliseconds = 6000;
let latest = 0;

export function toast(text: string, ...actions: readonly ToastAction[]): void {
  latest += 1;
  const id = latest;
  toasts.set(({ shown }) => ({ shown: [...shown.slice(-2), { id, text, actions }] }));
  setTimeout(() => dismissToast(id), shownMilliseconds);
}

export const dismissToast = (id: number): void =>
  toasts.set(({ shown }) => ({ shown: shown.filter((one) => one.id !== id) }));

export const dismissToastsOf = (step: Step): void =>
  toasts.set(({ shown }) => ({ shown: shown.filter(({ actions }) => !actions.some((one) => one.step === step)) }));

/** An error is told, not thrown. */
export async function tried(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error));
  }
}
