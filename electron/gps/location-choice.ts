/** The user's choice of a position source, with its validation. */
import { type LocationChoice, locationSources } from '../bridge.ts';
import { type GpsdAddress, gpsdPort } from './gpsd.ts';

export const noLocation: LocationChoice = { on: false, source: 'system', place: '' };

/** `/dev/ttyUSB0`, `/dev/serial/by-id/usb-u-blox`, `/dev/cu.usbmodem1`, `/dev/rfcomm0`: a receiver, never any file. */
const unixDevice = /^\/dev\/(?:tty|cu\.|rfcomm|serial\/by-(?:id|path)\/)[\w.:+-]+$/;
const windowsDevice = /^COM\d{1,3}$/i;

/** The path to open. @throws Error with what was expected */
export function serialDevice(place: string): string {
  if (windowsDevice.test(place)) return `\\\\.\\${place.toUpperCase()}`;
  if (unixDevice.test(place)) return place;
  throw new Error(`Expected a serial port, as /dev/ttyUSB0 or COM3, found ${JSON.stringify(place)}.`);
}

/** This machine, and private networks (RFC 1918): a receiver shared by a phone, not a distant one. */
const nearHost =
  /^(?:localhost|127(?:\.\d{1,3}){3}|10(?:\.\d{1,3}){3}|192\.168(?:\.\d{1,3}){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2})$/;

/** `localhost:2947`; default: gpsd's own port. @throws Error with what was expected */
export function gpsdAddress(place: string): GpsdAddress {
  const [host = '', digits = String(gpsdPort), ...more] = (place || 'localhost').split(':');
  const port = /^\d{1,5}$/.test(digits) ? Number(digits) : 0;
  if (more.length === 0 && nearHost.test(host) && port >= 1 && port <= 65_535)
    return { host: host === 'localhost' ? '127.0.0.1' : host, port };
  throw new Error(
    `Expected gpsd on this machine or your own network, as localhost:${gpsdPort} or 192.168.1.20:${gpsdPort}, found ${JSON.stringify(place)}.`,
  );
}

/**
 * @param mayOpen whether the user has chosen this file in the app: a page cannot name one by itself
 * @throws Error with what was expected
 */
export function checkLocation({ source, place }: LocationChoice, mayOpen: (file: string) => boolean): void {
  if (source === 'serial') serialDevice(place);
  if (source === 'gpsd') gpsdAddress(place);
  if (source === 'file' && !mayOpen(place)) throw new Error('Choose the recorded file with its button.');
}

/** Accepts any stored value: invalid parts get their default, switched off. */
export function parseLocation(value: unknown): LocationChoice {
  const { on, source, place } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const known = locationSources.find((one) => one === source);
  if (known === undefined || typeof place !== 'string') return noLocation;
  const choice = { on: on === true, source: known, place };
  try {
    checkLocation(choice, () => true);
  } catch {
    return noLocation;
  }
  return choice;
}
