/** Puts the keyboard where a command sends it: a screen that was only now asked for is waited for. */

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
