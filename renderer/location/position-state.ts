/** The latest position while something watches it: for the map and Where am I. */
import type { PositionNews } from '../../electron/bridge.ts';
import { findDesktop } from '../client/desktop.ts';
import { createStore } from '../state/store.ts';
import { locationSwitch } from './location-switch.ts';

export interface HerePosition {
  readonly longitude: number;
  readonly latitude: number;
  /** The usual error: the true place is most often within this many meters. */
  readonly accuracyMeters: number;
  /** ISO time of the fix, by the receiver; null if it does not say. */
  readonly at: string | null;
  /** Course over ground in degrees, true, and meters per second; null if unknown. `heading.ts` says what they are worth. */
  readonly course: number | null;
  readonly speed: number | null;
  /** Satellites in use; null if the receiver does not say. */
  readonly satellites: number | null;
  /** Time of arrival in milliseconds, by this window's clock. */
  readonly cameAt: number;
}

export const here = createStore<{
  /** Stays when positions stop arriving: it is then shown as old. */
  readonly position: HerePosition | null;
  /** Why no position arrives, in a sentence; null if nothing is wrong. */
  readonly problem: string | null;
  /** Since when Where am I waits for the first position, by this window's clock; null if none was requested. */
  readonly askedAt: number | null;
}>(null, { position: null, problem: null, askedAt: null });

/** After this time the user does something else: selecting a parcel would only disturb. */
export const askedMilliseconds = 60_000;

/** A receiver reports once a second; a browser at least on every move. */
export const oldMilliseconds = 15_000;

const browserProblems: Readonly<Record<number, string>> = {
  1: 'The browser may not use this computer’s location: allow it beside the address, then switch Location off and on.',
  2: 'This computer does not know its location.',
  3: 'No position arrived in time. Platbook keeps trying.',
};

const waitMilliseconds = 30_000;

let paceMilliseconds = 0;

/** The least time between two positions, to save power; 0: as they come. */
export const setPace = (milliseconds: number): void => {
  paceMilliseconds = milliseconds;
};

/** A receiver's clock and ours differ by a little. */
const paceSlackMilliseconds = 500;

function take({ position, problem }: PositionNews): void {
  if (!position) {
    here.set({ problem: problem ?? null });
    return;
  }
  const cameAt = performance.now();
  const before = here.get().position;
  if (before && cameAt - before.cameAt < paceMilliseconds - paceSlackMilliseconds) return;
  here.set({ position: { ...position, cameAt }, problem: null });
}

function watchBrowser(): () => void {
  if (!('geolocation' in navigator)) {
    here.set({ problem: 'This browser does not report the computer’s location.' });
    return () => {};
  }
  const watch = navigator.geolocation.watchPosition(
    ({ coords: { longitude, latitude, accuracy, heading, speed }, timestamp }) =>
      take({
        position: {
          longitude,
          latitude,
          accuracyMeters: accuracy,
          at: new Date(timestamp).toISOString(),
          // NaN while the device stands.
          course: Number.isFinite(heading) ? heading : null,
          speed: Number.isFinite(speed) ? speed : null,
          satellites: null,
        },
        problem: null,
      }),
    ({ code }) => take({ position: null, problem: browserProblems[code] ?? 'The location could not be read.' }),
    // A cached position from elsewhere would put the user on the wrong parcel.
    { enableHighAccuracy: true, maximumAge: 0, timeout: waitMilliseconds },
  );
  return () => navigator.geolocation.clearWatch(watch);
}

/**
 * Watches positions as the switch says.
 * @returns a function that stops and forgets the position
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
