/** Whether the filter panel does not fit beside the rest (state/settings.ts decides, in the size of the text). */
import { useSyncExternalStore } from 'react';

const isNarrow = (): boolean => /narrow|tiny/.test(document.documentElement.dataset.width ?? '');

export const useIsNarrow = (): boolean =>
  useSyncExternalStore((listener) => {
    const observer = new MutationObserver(listener);
    observer.observe(document.documentElement, { attributeFilter: ['data-width'] });
    return () => observer.disconnect();
  }, isNarrow);
