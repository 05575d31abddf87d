/**
 * Cards picked up and put down, by keys or by the pointer. Holding a card changes only the picture; putting it down
 * makes the change.
 */
import type { KeyboardEvent, PointerEvent } from 'react';
import { followPointer } from './follow-pointer.ts';
import type { Market } from './market-card.tsx';
import { type Arrow, inColumn, type Place, placed, placeOf, stepped } from './placing.ts';
import { cardOf, useHeldCard } from './use-held-card.ts';

const isArrow = (key: string): key is Arrow => /^Arrow(Left|Right|Up|Down)$/.test(key);

/** @param markets in the API's order */
export function useBoard(markets: readonly Market[], columns: readonly string[]) {
  const card = useHeldCard(markets);
  const { held } = card;

  /** @returns whether the key acts on a held card */
  const pressHeld = (key: string, at: Place & { id: number }): boolean => {
    if (isArrow(key)) card.carry(at.id, stepped(markets, columns, at, key));
    else if (key === ' ' || key === 'Enter') card.putDown(at.id, at);
    else if (key === 'Escape' || key === 'Tab') card.putBack(at.id, key === 'Escape');
    else return false;
    // Tab moves on from here.
    return key !== 'Tab';
  };
  const shown = held ? placed(markets, held.id, held) : markets;
  const pressFree = (key: string, id: number): boolean => {
    const place = placeOf(shown, id);
    if (!place) return false;
    if (isArrow(key)) neighbour(shown, columns, place, key)?.focus();
    else if (key === ' ') {
      // Not while another card is being saved.
      if (!held) card.pickUp(id, place);
    } else return false;
    return true;
  };

  return {
    shown,
    heldId: held?.id ?? null,
    said: card.said,
    press: (event: KeyboardEvent<HTMLLIElement>, { id }: Market): void => {
      // Keys of the buttons in the card belong to them.
      if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
      const isTaken = held?.id === id && !held.isDown ? pressHeld(event.key, held) : pressFree(event.key, id);
      if (isTaken) event.preventDefault();
    },
    grab: (event: PointerEvent<HTMLElement>, { id }: Market): void => {
      if (event.button !== 0 || held || (event.target as Element).closest('button')) return;
      followPointer(event, id, {
        move: (place) => card.carry(id, place),
        drop: (place) => card.putDown(id, place),
        giveUp: () => card.putBack(id),
      });
    },
    moveToEnd: ({ id, status: before }: Market, status: string): void => {
      if (status !== before) card.putDown(id, { status, index: inColumn(markets, status).length });
    },
    step: ({ id }: Market, by: -1 | 1): void => {
      const at = placeOf(markets, id);
      if (at) card.putDown(id, stepped(markets, columns, { ...at, id }, by < 0 ? 'ArrowUp' : 'ArrowDown'));
    },
  };
}

/** The adjacent card, in the next column that has one. */
function neighbour(
  markets: readonly Market[],
  columns: readonly string[],
  at: Place,
  arrow: Arrow,
): HTMLElement | null {
  if (arrow === 'ArrowUp' || arrow === 'ArrowDown') {
    const next = inColumn(markets, at.status)[at.index + (arrow === 'ArrowUp' ? -1 : 1)];
    return next ? cardOf(next.id) : null;
  }
  const by = arrow === 'ArrowLeft' ? -1 : 1;
  for (let i = columns.indexOf(at.status) + by; i >= 0 && i < columns.length; i += by) {
    const cards = inColumn(markets, columns[i] ?? '');
    const next = cards[Math.min(at.index, cards.length - 1)];
    if (next) return cardOf(next.id);
  }
  return null;
}
