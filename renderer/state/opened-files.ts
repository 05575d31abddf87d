/** Files the user opened with the app or dropped on it: the import screen takes them from here. */
import { createStore } from './store.ts';

/** Files that hold a walk as well as parcels: which of both is wanted. */
interface WalkQuestion {
  readonly names: readonly string[];
  readonly answer: (isWalk: boolean) => void;
}

interface OpenedFiles {
  readonly paths: readonly string[];
  readonly asked: WalkQuestion | null;
}

export const openedFiles = createStore<OpenedFiles>(null, { paths: [], asked: null });
