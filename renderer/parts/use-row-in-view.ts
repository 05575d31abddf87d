/** Keeps the chosen row of a virtualized list in view. */
import type { Virtualizer } from '@tanstack/react-virtual';
import { useEffect } from 'react';

/** @param index null or −1: none is chosen, or it is not known yet */
export function useRowInView(scroller: Virtualizer<HTMLDivElement, Element>, index: number | null): void {
  useEffect(() => {
    if (index !== null && index >= 0) scroller.scrollToIndex(index, { align: 'auto' });
  }, [index, scroller]);
}
