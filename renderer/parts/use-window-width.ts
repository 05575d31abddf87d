/** The window's width class (computed by state/settings.ts, relative to the text size). */
import { useSyncExternalStore } from 'react';

const follow = (listener: () => void): (() => void) => {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ['data-width'] });
  return () => observer.disconnect();
};

const widthName = (): string => document.documentElement.dataset.width ?? '';

/** Whether all columns of a list fit. */
export const useIsWide = (): boolean => useSyncExternalStore(follow, () => widthName() === 'wide');

/** Whether the filter panel does not fit beside the rest. */
export const isNarrow = (): boolean => /narrow|tiny/.test(widthName());
export const useIsNarrow = (): boolean => useSyncExternalStore(follow, isNarrow);

/** A phone. */
export const useIsTiny = (): boolean => useSyncExternalStore(follow, () => widthName() === 'tiny');
