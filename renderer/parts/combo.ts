/** The keys and roles of a text field with a list of options (the ARIA combobox pattern). */
import { type FocusEvent, type KeyboardEvent, type PointerEvent, useId, useRef, useState } from 'react';
import { focusBack } from '../state/focus-place.ts';

interface ComboOptions<Offer> {
  readonly offers: readonly Offer[];
  readonly onTake: (offer: Offer) => void;
  /** Whether there is a list to open, even an empty one with a message. */
  readonly canOpen: boolean;
}

export function useCombo<Offer>({ offers, onTake, canOpen }: ComboOptions<Offer>) {
  const [isOpen, setOpen] = useState(false);
  const [wanted, setAt] = useState(0);
  const list = useId();
  const before = useRef<HTMLElement | null>(null);
  // The list may have become shorter.
  const at = Math.max(0, Math.min(wanted, offers.length - 1));
  const isShown = isOpen && canOpen;

  const move = (event: KeyboardEvent, by: number) => {
    event.preventDefault();
    setOpen(true);
    setAt(Math.max(0, Math.min(offers.length - 1, at + by)));
  };
  const leave = (event: KeyboardEvent<HTMLInputElement>) => {
    // One Escape closes the list, the next leaves the field; neither reaches what lies behind.
    event.preventDefault();
    setOpen(false);
    if (isShown) return;
    event.currentTarget.blur();
    focusBack(before.current);
  };
  /** @returns whether the list handled the key */
  const press = (event: KeyboardEvent<HTMLInputElement>): boolean => {
    const offer = offers[at];
    if (event.key === 'ArrowDown') move(event, 1);
    else if (event.key === 'ArrowUp') move(event, -1);
    else if (event.key === 'Escape') leave(event);
    else if (event.key === 'Enter' && isShown && offer !== undefined) onTake(offer);
    else return false;
    return true;
  };

  return {
    isShown,
    press,
    open: () => {
      setAt(0);
      setOpen(true);
    },
    close: () => setOpen(false),
    listProps: (label: string) => ({ id: list, role: 'listbox' as const, 'aria-label': label }),
    inputProps: {
      role: 'combobox' as const,
      'aria-expanded': isShown,
      'aria-controls': list,
      'aria-autocomplete': 'list' as const,
      'aria-activedescendant': isShown && offers.length > 0 ? `${list}-${at}` : undefined,
      autoComplete: 'off',
      onFocus: ({ relatedTarget: from }: FocusEvent) => {
        // Nowhere: the window itself had lost it.
        if (from instanceof HTMLElement) before.current = from;
        setOpen(true);
      },
      onBlur: () => setOpen(false),
    },
    optionProps: (offer: Offer, i: number) => ({
      id: `${list}-${i}`,
      role: 'option' as const,
      tabIndex: -1,
      className: 'menu-item',
      'aria-selected': i === at,
      'data-selected': i === at,
      onPointerDown: (event: PointerEvent) => {
        // Before the field loses the focus, which would close the list under the pointer.
        event.preventDefault();
        onTake(offer);
      },
    }),
  };
}
