/** Whether all columns of a list have room (state/settings.ts decides, in the size of the text). */
import { useSyncExternalStore } from 'react';

const isWide = (): boolean => document.documentElement.dataset.width === 'wide';

export const useIsWide = (): boolean =>
  useSyncExternalStore((listener) => {
    const observer = new MutationObserver(listener);
    observer.observe(document.documentElement, { attributeFilter: ['data-width'] });
    return () => observer.disconnect();
  }, isWide);
