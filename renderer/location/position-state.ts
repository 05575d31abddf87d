/** The latest position, while somebody watches: read by the map and by Where am I. */
import type { PositionNews } from '../../electron/bridge.ts';
import { findDesktop } from '../client/desktop.ts';
import { createStore } from '../state/store.ts';
import { locationSwitch } from './location-switch.ts';

export interface HerePosition {
  readonly longitude: number;
  readonly latitude: number;
  /** The true place is within so many metres, most often. */
  readonly accuracyMeters: number;
  /** When it came, in milliseconds of this window's clock. */
  readonly cameAt: number;
}

export const here = createStore<{
  /** Stays when nothing comes any more: it is shown as old. */
  readonly position: HerePosition | null;
  /** Why nothing comes, in a sentence; null while nothing is wrong. */
  readonly problem: string | null;
  /** Since when Where am I waits for the first position, by this window's clock; null if none was requested. */
  readonly askedAt: number | null;
}>(null, { position: null, problem: null, askedAt: null });

/** Who asked longer ago does something else by now: a parcel that is selected under their hands would only disturb. */
export const askedMilliseconds = 60_000;

/** A receiver tells its place once a second; a browser at least when it moves. */
export const oldMilliseconds = 15_000;

const browserProblems: Readonly<Record<number, string>> = {
  1: 'The browser may not use the place of this computer: allow it beside the address, then switch Location off and on.',
  2: 'This computer does not know where it is.',
  3: 'No position came in time. It is still tried.',
};

const waitMilliseconds = 30_000;

const take = ({ position, problem }: PositionNews): void =>
  position
    ? here.set({ position: { ...position, cameAt: performance.now() }, problem: null })
    : here.set({ problem: problem ?? null });

function watchBrowser(): () => void {
  if (!('geolocation' in navigator)) {
    here.set({ problem: 'This browser does not tell the place of the computer.' });
    return () => {};
  }
  const watch = navigator.geolocation.watchPosition(
    ({ coords: { longitude, latitude, accuracy } }) =>
      take({ position: { longitude, latitude, accuracyMeters: accuracy, at: null }, problem: null }),
    ({ code }) => take({ position: null, problem: browserProblems[code] ?? 'The place could not be read.' }),
    // A place that is remembered from elsewhere would put the user onto the wrong parcel.
    { enableHighAccuracy: true, maximumAge: 0, timeout: waitMilliseconds },
  );
  return () => navigator.geolocation.clearWatch(watch);
}

/**
 * Asks for positions by the switch as it stands.
 * @returns what ends it; the position is then forgotten
 */
export function watchHere(): () => void {
  const { on, source } = locationSwitch.get();
  const forget = () => here.set({ position: null, problem: null });
  if (!on) return forget;
  const desktop = source === 'system' ? null : findDesktop();
  if (!desktop) {
    const stop = watchBrowser();
    return () => {
      stop();
      forget();
    };
  }
  const stopListening = desktop.onPosition(take);
  void desktop.watchPosition();
  return () => {
    stopListening();
    void desktop.unwatchPosition();
    forget();
  };
}
