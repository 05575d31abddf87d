/** The width of a part of a screen relative to the text size: decides what fits side by side. */
import { type RefObject, useEffect, useState } from 'react';
import { useShownTheme } from '../state/settings.ts';

/** 0 until it is drawn. */
export function useWidthInRem(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  const theme = useShownTheme();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the outdoor theme has larger text
  useEffect(() => {
    const watched = element.current;
    if (!watched) return;
    const observer = new ResizeObserver(([entry]) => {
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
      setWidth((entry?.contentRect.width ?? 0) / rem);
    });
    observer.observe(watched);
    return () => observer.disconnect();
  }, [element, theme]);
  return width;
}
