/** What a page of the desktop app finds as `window.platbook`: named functions with plain values, nothing of Electron. */
import type { Position } from './gps/position.ts';

/** Functions of the bridge that ask main, in the words of the wire. The table of desktop-ipc.ts has a row for each. */
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

/** How a port reaches the page's own world: as a message of the window to itself, because no bridge carries one. */
export const portMessage = 'platbook-port';

/** Something that the user opened: a link to a parcel, files dropped on the icon. */
export interface OpenedNews {
  readonly parcel: number | null;
  readonly files: readonly string[];
}

/** `system`: what the system knows, asked by the page; the others are read by main. */
export const locationSources = ['system', 'serial', 'gpsd', 'file'] as const;
export type LocationSource = (typeof locationSources)[number];

export interface LocationChoice {
  /** The user's switch: off at first. */
  readonly on: boolean;
  readonly source: LocationSource;
  /** The serial port, gpsd's address, the recorded file; empty for `system`. */
  readonly place: string;
}

/** One of the two is null. */
export interface PositionNews {
  readonly position: Position | null;
  /** In a sentence. */
  readonly problem: string | null;
}

export interface DesktopBridge {
  /** Asks for a port to the engine; it comes as `portMessage`, now and again after every restart of the engine. */
  connect(): Promise<void>;
  /** Paths that the user chose; empty when the dialog was closed. */
  chooseFiles(): Promise<string[]>;
  chooseFolder(): Promise<string[]>;
  /** The address of the window that shows it. */
  openHome(): Promise<string>;
  openSample(): Promise<string>;
  /** In the system's file manager; only a path that came from a dialog or a drop. */
  showFile(path: string): Promise<void>;
  /** Asks where to save a file that the engine has made. @returns where it is now; null when the dialog was closed */
  saveFile(id: string): Promise<string | null>;
  /** Opens a PDF that the engine has made with the system's own program. */
  openPdf(id: string): Promise<void>;
  readLocation(): Promise<LocationChoice>;
  setLocation(choice: LocationChoice): Promise<void>;
  /** From now on positions of the chosen receiver come, until `unwatchPosition`. */
  watchPosition(): Promise<void>;
  unwatchPosition(): Promise<void>;
  /** Where a dropped file lies; empty for one that lies nowhere. */
  pathOf(file: unknown): string;
  /** @returns a function that stops listening */
  onCommand(listener: (id: string) => void): () => void;
  /** @returns a function that stops listening */
  onOpened(listener: (news: OpenedNews) => void): () => void;
  /** @returns a function that stops listening */
  onPosition(listener: (news: PositionNews) => void): () => void;
}
