/**
 * Puts the keyboard where a command sends it: a screen that was only now asked for is waited for; and back to where a
 * dialog took it from.
 */

const lookMilliseconds = 40;
/** Four seconds: what the place shows may still be on its way from the engine. */
const mostLooks = 100;

/** Tells `work` of the element once it is drawn; one that never comes is given up. */
export function whenThere(selector: string, work: (place: HTMLElement) => void, looks = mostLooks): void {
  const place = document.querySelector<HTMLElement>(selector);
  if (place) work(place);
  else if (looks > 0) setTimeout(() => whenThere(selector, work, looks - 1), lookMilliseconds);
}

/** @param name of `data-focus` */
const placeNamed = (name: string): string => `[data-focus="${name}"]`;

/** Where it is drawn already. @returns the place */
export function focusNow(name: string): HTMLElement | null {
  const place = document.querySelector<HTMLElement>(placeNamed(name));
  place?.focus();
  return place;
}

export const focusWhenThere = (name: string): void => whenThere(placeNamed(name), (place) => place.focus());

/** What lies over the screen and has keys of its own; popovers have the role of dialogs. */
export const isInLayer = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[role=menu], [role=dialog]') !== null;

/** One that lies over the whole window: the keyboard may have fallen out of it, with a button that is gone. */
export const isDialogOpen = (): boolean => document.querySelector('[role=dialog].dialog') !== null;

let place: HTMLElement | null = null;

/** Where the keyboard was last outside of menus and dialogs; null: nowhere. */
export const lastPlace = (): HTMLElement | null => place;

/** Remembers it. @returns a function that stops */
export function watchFocus(): () => void {
  const note = ({ target }: Event) => {
    const { activeElement: active, body } = document;
    if (isInLayer(target) || isInLayer(active)) return;
    place = active instanceof HTMLElement && active !== body ? active : null;
  };
  const kinds = ['focusin', 'pointerup'] as const;
  for (const kind of kinds) addEventListener(kind, note, true);
  return () => {
    for (const kind of kinds) removeEventListener(kind, note, true);
  };
}

const isNowhere = (): boolean => document.activeElement === null || document.activeElement === document.body;

/** After a dialog: to `to`, or near it when it is gone, unless a command has put the keyboard elsewhere meanwhile. */
export function focusBack(to: HTMLElement | null): void {
  if (!isNowhere()) return;
  to?.focus({ preventScroll: true });
  if (isNowhere()) focusNow('table');
  if (isNowhere()) focusNow('main');
}
