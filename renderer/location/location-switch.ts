/**
 * The user's switch for this computer's location, and its source. Off by default. In a browser the window remembers it;
 * in the desktop app main does, because main grants the permission and reads the receiver.
 */
import type { LocationChoice, LocationSource } from '../../electron/bridge.ts';
import { findDesktop } from '../client/desktop.ts';
import { createStore } from '../state/store.ts';

export const locationSwitch = createStore<LocationChoice>(findDesktop() ? null : 'platbook.location', {
  on: false,
  source: 'system',
  place: '',
});

/** Loads the state stored in main; does nothing in a browser. */
export async function readLocationSwitch(): Promise<void> {
  const choice = await findDesktop()?.readLocation();
  if (choice) locationSwitch.set(choice);
}

/** @throws Error with a sentence if the receiver's address is invalid; the switch then stays unchanged */
export async function chooseLocation(change: Partial<LocationChoice>): Promise<void> {
  const choice = { ...locationSwitch.get(), ...change };
  await findDesktop()?.setLocation(choice);
  locationSwitch.set(choice);
}

interface SourceWords {
  readonly label: string;
  /** Label of the address field; null: it has none. */
  readonly place: string | null;
  readonly hint: string;
}

/** The sources in Settings. */
export const sourceWords: Readonly<Record<LocationSource, SourceWords>> = {
  system: { label: 'this computer', place: null, hint: 'The location known to the system or the browser.' },
  serial: {
    label: 'GPS receiver',
    place: 'Serial port',
    hint: 'A receiver on USB or Bluetooth that speaks NMEA: /dev/ttyUSB0, /dev/ttyACM0, COM3.',
  },
  gpsd: {
    label: 'gpsd',
    place: 'Address',
    hint: 'gpsd on this machine or your own network: localhost:2947. Platbook only receives positions and sends nothing.',
  },
  file: { label: 'a recording', place: 'File', hint: 'Lines of NMEA or gpsd, replayed one per second.' },
};
