/**
 * The interface `window.platbook` of pages in the desktop app: named functions with plain values, nothing of Electron.
 */
import type { Position } from './gps/position.ts';

/**
 * Functions of the bridge that call main, by their names in messages. The table of desktop-ipc.ts has a row for each.
 */
export const callNames = [
  'connect',
  'choose_files',
  'choose_folder',
  'open_home',
  'open_sample',
  'show_file',
  'save_file',
  'open_pdf',
  'read_location',
  'set_location',
  'watch_position',
  'unwatch_position',
] as const;
export type CallName = (typeof callNames)[number];

/** Channels from main to a page. */
export const newsChannels = {
  command: 'platbook:command',
  opened: 'platbook:opened',
  position: 'platbook:position',
  port: 'platbook:port',
} as const;

export const callChannel = (name: CallName): string => `platbook:${name}`;

/** A port reaches the page's own world as a message of the window to itself, because no bridge can carry one. */
export const portMessage = 'platbook-port';

/** Something the user opened: a link to a parcel, files dropped on the icon. */
export interface OpenedNews {
  readonly parcel: number | null;
  readonly files: readonly string[];
}

/** `system`: the system's location, requested by the page; main reads the others. */
export const locationSources = ['system', 'serial', 'gpsd', 'file'] as const;
export type LocationSource = (typeof locationSources)[number];

export interface LocationChoice {
  /** The user's switch: off by default. */
  readonly on: boolean;
  readonly source: LocationSource;
  /** The serial port, gpsd's address, or the recorded file; empty for `system`. */
  readonly place: string;
}

/** One of the two is null. */
export interface PositionNews {
  readonly position: Position | null;
  /** A sentence. */
  readonly problem: string | null;
}

export interface DesktopBridge {
  /** Requests a port to the engine; it arrives as `portMessage`, now and after every restart of the engine. */
  connect(): Promise<void>;
  /** Paths the user chose; empty if the dialog was closed. */
  chooseFiles(): Promise<string[]>;
  chooseFolder(): Promise<string[]>;
  /** The address of a window that shows it. */
  openHome(): Promise<string>;
  openSample(): Promise<string>;
  /** Shows it in the system's file manager; only a path from a dialog or a drop. */
  showFile(path: string): Promise<void>;
  /** Asks where to save a file that the engine has made. @returns its new path; null if the dialog was closed */
  saveFile(id: string): Promise<string | null>;
  /** Opens a PDF that the engine has made in the system's PDF viewer. */
  openPdf(id: string): Promise<void>;
  readLocation(): Promise<LocationChoice>;
  setLocation(choice: LocationChoice): Promise<void>;
  /** Sends positions of the chosen receiver until `unwatchPosition`. */
  watchPosition(): Promise<void>;
  unwatchPosition(): Promise<void>;
  /** Path of a dropped file; empty if it has none. */
  pathOf(file: unknown): string;
  /** @returns a function that stops listening */
  onCommand(listener: (id: string) => void): () => void;
  /** @returns a function that stops listening */
  onOpened(listener: (news: OpenedNews) => void): () => void;
  /** @returns a function that stops listening */
  onPosition(listener: (news: PositionNews) => void): () => void;
}
