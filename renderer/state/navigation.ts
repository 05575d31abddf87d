/** The current screen (the address after #, so that reload and the browser's Back keep it) and what lies over it. */
import { createStore } from './store.ts';

export const navigation = createStore<{
  readonly screen: string;
  readonly over: 'palette' | 'shortcuts' | 'trace' | 'tag' | 'add-to-list' | 'name' | null;
}>(null, {
  screen: 'explore',
  over: null,
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
