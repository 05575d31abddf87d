/**
 * Moves the keyboard focus for a command, waiting for a screen that is still loading; and back to where a dialog took
 * it from.
 */

const lookMilliseconds = 40;
/** Four seconds: the place's content may still be loading from the engine. */
const mostLooks = 100;

/** Calls `work` with the element once it is drawn; gives up on one that never appears. */
export function whenThere(selector: string, work: (place: HTMLElement) => void, looks = mostLooks): void {
  const place = document.querySelector<HTMLElement>(selector);
  if (place) work(place);
  else if (looks > 0) setTimeout(() => whenThere(selector, work, looks - 1), lookMilliseconds);
}

/** @param name of `data-focus` */
const placeNamed = (name: string): string => `[data-focus="${name}"]`;

/** Focuses it if it is already drawn. @returns the element */
export function focusNow(name: string): HTMLElement | null {
  const place = document.querySelector<HTMLElement>(placeNamed(name));
  place?.focus();
  return place;
}

export const focusWhenThere = (name: string): void => whenThere(placeNamed(name), (place) => place.focus());

/** Layers over the screen with keys of their own; popovers have the role of dialogs. */
export const isInLayer = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[role=menu], [role=dialog]') !== null;

/** Whether a dialog covers the window: the focus may have left it with a removed button. */
export const isDialogOpen = (): boolean => document.querySelector('[role=dialog].dialog') !== null;

let place: HTMLElement | null = null;

/** Where the focus was last outside of menus and dialogs; null: nowhere. */
export const lastPlace = (): HTMLElement | null => place;

/** Tracks it. @returns a function that stops */
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

/** After a dialog: focuses `to`, or near it if it is gone, unless a command has moved the focus meanwhile. */
export function focusBack(to: HTMLElement | null): void {
  if (!isNowhere()) return;
  to?.focus({ preventScroll: true });
  if (isNowhere()) focusNow('table');
  if (isNowhere()) focusNow('main');
}
