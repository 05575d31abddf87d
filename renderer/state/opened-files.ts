/** Files the user opened with the app or dropped on it: the import screen takes them from here. */
import { createStore } from './store.ts';

export const openedFiles = createStore<{ readonly paths: readonly string[] }>(null, { paths: [] });
