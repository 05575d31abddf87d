/** The shell's stored state: window positions, and two switches. Stored beside the app, never in a home. */
import fs from 'node:fs';
import path from 'node:path';
import { standardPort } from '../engine/spec/standard-port.ts';
import type { HomeName } from './app-scheme.ts';
import type { LocationChoice } from './bridge.ts';
import { noLocation, parseLocation } from './gps/location-choice.ts';
import type { ListenerSwitch } from './host-messages.ts';
import type { RememberedWindow } from './window-bounds.ts';

interface DesktopSettings {
  readonly windows: Readonly<Partial<Record<HomeName, RememberedWindow>>>;
  readonly listener: ListenerSwitch;
  readonly location: LocationChoice;
}

const first: DesktopSettings = { windows: {}, listener: { on: false, port: standardPort }, location: noLocation };

type Loose = Readonly<Record<string, unknown>>;

const isLoose = (value: unknown): value is Loose => typeof value === 'object' && value !== null;
const isPixels = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Math.abs(value as number) < 100_000;

function parseWindow(value: unknown): RememberedWindow | null {
  if (!isLoose(value)) return null;
  const { x, y, width, height, isMaximized } = value;
  if (!isPixels(x) || !isPixels(y) || !isPixels(width) || !isPixels(height) || width < 1 || height < 1) return null;
  return { x, y, width, height, isMaximized: isMaximized === true };
}

function parseListener(value: unknown): ListenerSwitch {
  const port = isLoose(value) ? value.port : undefined;
  const isPort = Number.isInteger(port) && (port as number) >= 0 && (port as number) <= 65_535;
  return { on: isLoose(value) && value.on === true && isPort, port: isPort ? (port as number) : standardPort };
}

/** Accepts any text: invalid parts get their default. */
export function parseSettings(text: string): DesktopSettings {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return first;
  }
  if (!isLoose(value)) return first;
  const windows = isLoose(value.windows) ? value.windows : {};
  const [home, sample] = [parseWindow(windows.home), parseWindow(windows.sample)];
  return {
    windows: { ...(home ? { home } : {}), ...(sample ? { sample } : {}) },
    listener: parseListener(value.listener),
    location: parseLocation(value.location),
  };
}

export interface SettingsFile {
  readonly get: () => DesktopSettings;
  /** A failed write is ignored: losing a window position does not matter. */
  readonly change: (change: Partial<DesktopSettings>) => void;
}

export function openSettings(folder: string): SettingsFile {
  const file = path.join(folder, 'desktop.json');
  let settings = first;
  try {
    settings = parseSettings(fs.readFileSync(file, 'utf8'));
  } catch {
    // The first start.
  }
  return {
    get: () => settings,
    change: (change) => {
      settings = { ...settings, ...change };
      try {
        fs.mkdirSync(folder, { recursive: true });
        fs.writeFileSync(`${file}.new`, JSON.stringify(settings, null, 2));
        fs.renameSync(`${file}.new`, file);
      } catch {}
    },
  };
}
