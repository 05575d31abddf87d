/**
 * What a page may do besides drawing itself: stay where it is, copy, keep the screen on, and use the location if the
 * user allows it.
 */
import { homeOf } from './app-scheme.ts';

/** A window shows only the app's own pages; everything else is refused. */
export const mayNavigate = (address: string): boolean => homeOf(address) !== null;

/** Chromium's own tools, the page's blobs, and its own files. No network. */
export function mayLoad(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, origin } = new URL(address);
  if (protocol === 'blob:') return homeOf(address.slice('blob:'.length)) !== null || origin === 'null';
  return homeOf(address) !== null || protocol === 'data:' || protocol === 'devtools:';
}

const always: ReadonlySet<string> = new Set(['clipboard-sanitized-write', 'screen-wake-lock']);

/** Copying, at a button press; keeping the screen on, in Field mode; the location, by the user's switch. */
export function mayHave(permission: string, page: string, isLocationOn: boolean): boolean {
  if (homeOf(page) === null) return false;
  return always.has(permission) || (permission === 'geolocation' && isLocationOn);
}

/** Files made by the page itself, which the user saves. */
export const mayDownload = (address: string): boolean =>
  address.startsWith('blob:') && homeOf(address.slice('blob:'.length)) !== null;
