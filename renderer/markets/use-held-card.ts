/** The held card: where it is shown, its announcements, and the change when it is put down. */
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useClient } from '../state/client-context.tsx';
import { makeChange } from '../work/make-change.ts';
import { type Market, regionTitle } from './market-card.tsx';
import { inColumn, moveTo, type Place, placeOf } from './placing.ts';

interface Held extends Place {
  readonly id: number;
  /** Put down, and being saved. */
  readonly isDown: boolean;
}

export const cardOf = (id: number): HTMLElement | null => document.querySelector(`[data-market="${id}"]`);

const nameOf = (markets: readonly Market[], id: number): string => {
  const market = markets.find((one) => one.id === id);
  return market ? regionTitle(market.region) : 'The market';
};

const placeWords = (markets: readonly Market[], id: number, place: Place): string => {
  const others = inColumn(markets, place.status).filter((one) => one.id !== id);
  return `${place.status}, place ${place.index + 1} of ${others.length + 1}`;
};

export function useHeldCard(markets: readonly Market[]) {
  const client = useClient();
  const [held, setHeld] = useState<Held | null>(null);
  const [said, say] = useState('');
  const focus = useFocusOfCard();
  useLetGo(held !== null && !held.isDown, () => setHeld(null));
  const words = (id: number, place: Place) => `${nameOf(markets, id)}: ${placeWords(markets, id, place)}.`;

  const show = (id: number, { status, index }: Place, isDown: boolean): void => {
    focus(id);
    setHeld({ id, status, index, isDown });
  };
  const putDown = async (id: number, place: Place): Promise<void> => {
    const move = moveTo(markets, id, place);
    say(`Put down. ${words(id, place)}`);
    focus(id);
    if (!move) return setHeld(null);
    show(id, place, true);
    if (!(await makeChange(client, 'update_saved_market', move))) say(`${nameOf(markets, id)} could not be moved.`);
    if (document.activeElement === document.body) focus(id);
    setHeld(null);
  };
  return {
    held,
    said,
    pickUp: (id: number, place: Place): void => {
      show(id, place, false);
      say(`Picked up. ${words(id, place)} Arrow keys move it, Space puts it down, Escape puts it back.`);
    },
    carry: (id: number, place: Place): void => {
      show(id, place, false);
      say(words(id, place));
    },
    putBack: (id: number, keepsFocus = true): void => {
      if (keepsFocus) focus(id);
      setHeld(null);
      const place = placeOf(markets, id);
      if (place) say(`Put back. ${words(id, place)}`);
    },
    putDown: (id: number, place: Place): void => void putDown(id, place),
  };
}

/** A card that changes its column becomes a new element there, and would lose the focus. */
function useFocusOfCard(): (id: number) => void {
  const wanted = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (wanted.current === null) return;
    const card = cardOf(wanted.current);
    if (card && card !== document.activeElement) card.focus();
    card?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    wanted.current = null;
  });
  return (id) => {
    wanted.current = id;
  };
}

/** A press elsewhere does not put a card down. */
function useLetGo(isHeld: boolean, letGo: () => void): void {
  const latest = useRef(letGo);
  latest.current = letGo;
  useEffect(() => {
    if (!isHeld) return;
    const onPress = () => latest.current();
    addEventListener('pointerdown', onPress);
    return () => removeEventListener('pointerdown', onPress);
  }, [isHeld]);
}
