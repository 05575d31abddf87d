/** How much room the window has (state/settings.ts decides, in the size of the text). */
import { useSyncExternalStore } from 'react';

const follow = (listener: () => void): (() => void) => {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ['data-width'] });
  return () => observer.disconnect();
};

const widthName = (): string => document.documentElement.dataset.width ?? '';

/** Whether all columns of a list have room. */
export const useIsWide = (): boolean => useSyncExternalStore(follow, () => widthName() === 'wide');

/** Whether the filter panel does not fit beside the rest. */
export const useIsNarrow = (): boolean => useSyncExternalStore(follow, () => /narrow|tiny/.test(widthName()));
