/** How wide a part of a screen is, in the size of the text: what fits beside what. */
import { type RefObject, useEffect, useState } from 'react';

/** 0 until it is drawn. */
export function useWidthInRem(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const watched = element.current;
    if (!watched) return;
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
    const observer = new ResizeObserver(([entry]) => setWidth((entry?.contentRect.width ?? 0) / rem));
    observer.observe(watched);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
