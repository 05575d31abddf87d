/**
 * The order in which Ctrl+Z steps back: changes of the filter, which Explore undoes, and changes of the user's work, which
 * the engine's journal undoes.
 */
import { type ExploreState, explore } from '../explore/explore-state.ts';
import { createStore } from '../state/store.ts';
import { dismissToastsOf, type Step } from '../state/toasts.ts';

interface Steps {
  readonly done: readonly Step[];
  readonly undone: readonly Step[];
}

export const steps = createStore<Steps>('platbook.steps', { done: [], undone: [] });

const keptSteps = 300;

/** Adds a new step; earlier undone steps can no longer be redone. */
export function noteStep(step: Step): void {
  dismissToastsOf(step);
  steps.set(({ done }) => ({ done: [...done, step].slice(-keptSteps), undone: [] }));
}

const withoutLast = (list: readonly Step[], step: Step): Step[] => {
  const at = list.lastIndexOf(step);
  return at < 0 ? [...list] : list.toSpliced(at, 1);
};

/** Moves a step from one list to the other; removes notes that offer it. */
export function moveStep(step: Step, to: 'done' | 'undone'): void {
  dismissToastsOf(step);
  steps.set(({ done, undone }) =>
    to === 'undone'
      ? { done: withoutLast(done, step), undone: [...undone, step] }
      : { done: [...done, step], undone: withoutLast(undone, step) },
  );
}

export const dropStep = (step: Step): void =>
  steps.set(({ done, undone }) => ({ done: withoutLast(done, step), undone: withoutLast(undone, step) }));

/** Turns every change, undo and redo of the filter into a step. @returns a function that stops it */
export function watchFilterSteps(): () => void {
  let before: ExploreState = explore.get();
  return explore.subscribe(() => {
    const after = explore.get();
    const was = before;
    before = after;
    const isReset = after.past.length + after.future.length === 0 && was.past.length + was.future.length > 0;
    if (isReset) {
      const others = (list: readonly Step[]) => list.filter((step) => step !== 'filter');
      steps.set(({ done, undone }) => ({ done: others(done), undone: others(undone) }));
    } else if (after.future.length > was.future.length) moveStep('filter', 'undone');
    else if (after.future.length < was.future.length && after.filter === was.future[0]) moveStep('filter', 'done');
    else if (after.past !== was.past && after.past.at(-1) === was.filter) noteStep('filter');
  });
}
