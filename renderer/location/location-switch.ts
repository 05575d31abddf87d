/**
 * The user's switch for the place of this computer, and where it comes from. Off at first. In a browser it is remembered by
 * the window; in the desktop app main keeps it, because main grants the permission and reads the receiver.
 */
import type { LocationChoice, LocationSource } from '../../electron/bridge.ts';
import { findDesktop } from '../client/desktop.ts';
import { createStore } from '../state/store.ts';

export const locationSwitch = createStore<LocationChoice>(findDesktop() ? null : 'platbook.location', {
  on: false,
  source: 'system',
  place: '',
});

/** What main remembers; nothing in a browser. */
export async function readLocationSwitch(): Promise<void> {
  const choice = await findDesktop()?.readLocation();
  if (choice) locationSwitch.set(choice);
}

/** @throws Error with a sentence where the place of a receiver is none; the switch then stays as it was */
export async function chooseLocation(change: Partial<LocationChoice>): Promise<void> {
  const choice = { ...locationSwitch.get(), ...change };
  await findDesktop()?.setLocation(choice);
  locationSwitch.set(choice);
}

export interface SourceWords {
  readonly label: string;
  /** Label of the field for its place; null: it has none. */
  readonly place: string | null;
  readonly hint: string;
}

/** The sources as Settings shows them. */
export const sourceWords: Readonly<Record<LocationSource, SourceWords>> = {
  system: { label: 'this computer', place: null, hint: 'What the system or the browser knows of the place.' },
  serial: {
    label: 'GPS receiver',
    place: 'Serial port',
    hint: 'A receiver on USB or Bluetooth that speaks NMEA: /dev/ttyUSB0, /dev/ttyACM0, COM3.',
  },
  gpsd: {
    label: 'gpsd',
    place: 'Address',
    hint: 'gpsd on this machine or your own network: localhost:2947. Positions come in; nothing is sent.',
  },
  file: { label: 'a recording', place: 'File', hint: 'Lines of NMEA or gpsd, played back once a second.' },
};
