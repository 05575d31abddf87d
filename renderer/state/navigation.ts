/** The current screen (the address after #, so that reload and the browser's Back keep it) and what lies over it. */
import { createStore } from './store.ts';

/** What the dialog for one line of text asks. */
export interface NameQuestion {
  readonly title: string;
  readonly label: string;
  readonly value: string;
  readonly button: string;
  /** @returns whether it succeeded; otherwise the dialog stays */
  readonly done: (name: string) => Promise<boolean>;
}

export const navigation = createStore<{
  readonly screen: string;
  readonly over: 'palette' | 'shortcuts' | 'trace' | 'tag' | 'add-to-list' | 'name' | null;
  /** The last question of the dialog `name`. */
  readonly asked: NameQuestion | null;
}>(null, {
  screen: 'explore',
  over: null,
  asked: null,
});

const fromAddress = (): string => location.hash.replace(/^#\/?/, '') || 'explore';

export function followAddress(known: readonly string[]): void {
  const follow = () => {
    const screen = fromAddress();
    navigation.set({ screen: known.includes(screen) ? screen : 'explore', over: null });
  };
  addEventListener('hashchange', follow);
  follow();
}

/** By the address: the displayed screen may be about to change. */
export const goTo = (screen: string): void => {
  if (fromAddress() !== screen) location.hash = `/${screen}`;
};
