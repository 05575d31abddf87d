/** For what opens over a screen and is no dialog: the keyboard comes back from it. */
import { useEffect, useRef } from 'react';
import { focusBack, lastPlace } from '../state/focus-place.ts';

/**
 * When it closes with the focus inside, focuses what had it before.
 * @param take gives it the focus as it opens
 */
export function useFocusBack(isOver: boolean, take?: () => void): void {
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    if (!isOver) return;
    const before = lastPlace();
    latest.current?.();
    return () => focusBack(before);
  }, [isOver]);
}
