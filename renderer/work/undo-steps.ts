/**
 * What Ctrl+Z takes back, in the order in which the user did it: changes of the filter, whose way back Explore keeps, and
 * changes of the user's work, whose way back the engine's journal keeps.
 */
import { type ExploreState, explore } from '../explore/explore-state.ts';
import { createStore } from '../state/store.ts';

/** A change of the filter, or an entry of the journal. */
export type Step = 'filter' | number;

interface Steps {
  readonly done: readonly Step[];
  readonly undone: readonly Step[];
}

export const steps = createStore<Steps>('platbook.steps', { done: [], undone: [] });

const keptSteps = 300;

/** Something new was done: what was undone before it can no longer be redone. */
export const noteStep = (step: Step): void =>
  steps.set(({ done }) => ({ done: [...done, step].slice(-keptSteps), undone: [] }));

const withoutLast = (list: readonly Step[], step: Step): Step[] => {
  const at = list.lastIndexOf(step);
  return at < 0 ? [...list] : list.toSpliced(at, 1);
};

/** A step went from one side to the other, wherever it stood. */
export const moveStep = (step: Step, to: 'done' | 'undone'): void =>
  steps.set(({ done, undone }) =>
    to === 'undone'
      ? { done: withoutLast(done, step), undone: [...undone, step] }
      : { done: [...done, step], undone: withoutLast(undone, step) },
  );

export const dropStep = (step: Step): void =>
  steps.set(({ done, undone }) => ({ done: withoutLast(done, step), undone: withoutLast(undone, step) }));

/** Follows the filter, whoever changes it, undoes it and redoes it. @returns a function that stops */
export function watchFilterSteps(): () => void {
  let before: ExploreState = explore.get();
  return explore.subscribe(() => {
    const after = explore.get();
    const was = before;
    before = after;
    const isBegunAnew = after.past.length + after.future.length === 0 && was.past.length + was.future.length > 0;
    if (isBegunAnew) {
      const others = (list: readonly Step[]) => list.filter((step) => step !== 'filter');
      steps.set(({ done, undone }) => ({ done: others(done), undone: others(undone) }));
    } else if (after.future.length > was.future.length) moveStep('filter', 'undone');
    else if (after.future.length < was.future.length && after.filter === was.future[0]) moveStep('filter', 'done');
    else if (after.past !== was.past && after.past.at(-1) === was.filter) noteStep('filter');
  });
}
