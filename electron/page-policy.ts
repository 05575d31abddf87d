/** What a page may do beyond drawing itself: stay where it is, copy, and know where it stands when the user wants that. */
import { homeOf } from './app-scheme.ts';

/** A window shows the app's own pages; everything else is refused, whoever asks. */
export const mayNavigate = (address: string): boolean => homeOf(address) !== null;

/** Chromium's own tools, blobs that the page made, and its own files. Nothing of a network. */
export function mayLoad(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, origin } = new URL(address);
  if (protocol === 'blob:') return homeOf(address.slice('blob:'.length)) !== null || origin === 'null';
  return homeOf(address) !== null || protocol === 'data:' || protocol === 'devtools:';
}

/** Copying is asked for by a press of a button; the place, by the user's switch. Nothing else is ever granted. */
export function mayHave(permission: string, page: string, isLocationOn: boolean): boolean {
  if (homeOf(page) === null) return false;
  return permission === 'clipboard-sanitized-write' || (permission === 'geolocation' && isLocationOn);
}

/** Files that the page made itself, to be saved where the user says. */
export const mayDownload = (address: string): boolean =>
  address.startsWith('blob:') && homeOf(address.slice('blob:'.length)) !== null;
