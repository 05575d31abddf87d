/**
 * Stands in for Electron when main is booted without its binary: records every call and lets a scenario trigger every
 * event. Each object is typed as a piece of Electron's own declarations, so that a method that Electron lacks, or has
 * differently, fails the compiler here or in main.
 */
import { EventEmitter } from 'node:events';
import type { shell as ElectronShell } from 'electron/common';
import type * as Electron from 'electron/main';

export interface Call {
  readonly name: string;
  readonly args: readonly unknown[];
}

/** In the order in which main made them; `ready` marks when the scenario let Electron become ready. */
export const calls: Call[] = [];

export const note = (name: string, ...args: unknown[]): void => {
  calls.push({ name, args });
};

export const called = (name: string): Call[] => calls.filter((call) => call.name === name);

/** Set by the scenario beforehand. */
export const circumstances = {
  hasLock: process.argv[3] !== 'second',
  userData: process.argv[4] ?? '',
  /** Answer to every message box. */
  response: 0,
  chosenFiles: ['/data/county.gpkg'],
  /** Answer to the save dialog; undefined: closed. */
  savePath: undefined as string | undefined,
};

let becomeReady: () => void = () => {};
const ready = new Promise<void>((resolve) => {
  becomeReady = resolve;
});

export const makeReady = (): void => {
  note('ready');
  becomeReady();
};

const appEvents = new EventEmitter();
export const emitApp = (name: string, ...args: unknown[]): boolean => appEvents.emit(name, ...args);

type AppPart = Pick<
  Electron.App,
  | 'setName'
  | 'setPath'
  | 'getPath'
  | 'enableSandbox'
  | 'requestSingleInstanceLock'
  | 'setAsDefaultProtocolClient'
  | 'whenReady'
  | 'on'
  | 'quit'
  | 'isPackaged'
  | 'showAboutPanel'
>;

export const app: AppPart = {
  setName: (name) => note('app.setName', name),
  setPath: (name, path) => note('app.setPath', name, path),
  getPath: (name) => (name === 'userData' ? circumstances.userData : `/electron/${name}`),
  enableSandbox: () => note('app.enableSandbox'),
  requestSingleInstanceLock: () => {
    note('app.requestSingleInstanceLock');
    return circumstances.hasLock;
  },
  setAsDefaultProtocolClient: (scheme) => {
    note('app.setAsDefaultProtocolClient', scheme);
    return true;
  },
  whenReady: () => ready,
  on: ((name: string, listener: (...args: unknown[]) => void) =>
    appEvents.on(name, listener)) as unknown as AppPart['on'],
  quit: () => note('app.quit'),
  isPackaged: true,
  showAboutPanel: () => note('app.showAboutPanel'),
};

export const protocol: Pick<Electron.Protocol, 'registerSchemesAsPrivileged' | 'handle'> = {
  registerSchemesAsPrivileged: (schemes) => note('protocol.registerSchemesAsPrivileged', schemes),
  handle: (scheme, handler) => note('protocol.handle', scheme, handler),
};

/** A page: what main does to it is written down under its number. */
export class WebContentsDouble extends EventEmitter {
  readonly id: number;
  url = '';
  windowOpen: (details: Electron.HandlerDetails) => Electron.WindowOpenHandlerResponse = () => ({ action: 'allow' });

  constructor(id: number) {
    super();
    this.id = id;
  }

  getURL(): string {
    return this.url;
  }

  setWindowOpenHandler(handler: typeof this.windowOpen): void {
    this.windowOpen = handler;
  }

  send(channel: string, ...args: unknown[]): void {
    note('page.send', this.id, channel, ...args);
  }

  postMessage(channel: string, message: unknown, ports: readonly unknown[]): void {
    note('page.postMessage', this.id, channel, message, ports);
  }
}

export class BrowserWindow extends EventEmitter {
  static readonly #windows: BrowserWindow[] = [];
  readonly webContents: WebContentsDouble;
  readonly options: Electron.BrowserWindowConstructorOptions;
  #isDestroyed = false;

  constructor(options: Electron.BrowserWindowConstructorOptions) {
    super();
    note('BrowserWindow', options);
    this.options = options;
    this.webContents = new WebContentsDouble(BrowserWindow.#windows.length + 1);
    BrowserWindow.#windows.push(this);
    emitApp('web-contents-created', {}, this.webContents);
  }

  static getAllWindows(): BrowserWindow[] {
    return BrowserWindow.#windows.filter((window) => !window.#isDestroyed);
  }

  static getFocusedWindow(): BrowserWindow | null {
    return null;
  }

  loadURL(url: string): Promise<void> {
    note('window.loadURL', url);
    this.webContents.url = url;
    return Promise.resolve();
  }

  isDestroyed = (): boolean => this.#isDestroyed;
  isMinimized = (): boolean => false;
  isMaximized = (): boolean => false;
  getNormalBounds = (): Electron.Rectangle => ({ x: 40, y: 60, width: 1200, height: 800 });
  show = (): void => note('window.show');
  focus = (): void => note('window.focus');
  restore = (): void => note('window.restore');
  maximize = (): void => note('window.maximize');

  destroy(): void {
    this.#isDestroyed = true;
    emitApp('window-all-closed');
  }

  /** The effect of the user's click on the close button. */
  pressClose(): void {
    let isPrevented = false;
    this.emit('close', {
      preventDefault: () => {
        isPrevented = true;
      },
    });
    if (!isPrevented) this.destroy();
  }
}

export const screen: Pick<Electron.Screen, 'getPrimaryDisplay' | 'getAllDisplays'> = {
  getPrimaryDisplay: () => ({ workArea: { x: 0, y: 0, width: 1920, height: 1040 } }) as Electron.Display,
  getAllDisplays: () => [],
};

type PermissionRequest = NonNullable<Parameters<Electron.Session['setPermissionRequestHandler']>[0]>;
type PermissionCheck = NonNullable<Parameters<Electron.Session['setPermissionCheckHandler']>[0]>;

const sessionEvents = new EventEmitter();
export const emitSession = (name: string, ...args: unknown[]): boolean => sessionEvents.emit(name, ...args);

/** What main has set on the session; a scenario asks it. */
export const sessionHandlers: {
  request?: PermissionRequest;
  check?: PermissionCheck;
  device?: (details: never) => boolean;
  beforeRequest?: (
    details: Electron.OnBeforeRequestListenerDetails,
    answer: (response: Electron.CallbackResponse) => void,
  ) => void;
} = {};

type SessionPart = Pick<
  Electron.Session,
  | 'setPermissionRequestHandler'
  | 'setPermissionCheckHandler'
  | 'setDevicePermissionHandler'
  | 'setSpellCheckerEnabled'
  | 'on'
> & { readonly webRequest: Pick<Electron.WebRequest, 'onBeforeRequest'> };

const defaultSession: SessionPart = {
  setPermissionRequestHandler: (handler) => {
    if (handler) sessionHandlers.request = handler;
  },
  setPermissionCheckHandler: (handler) => {
    if (handler) sessionHandlers.check = handler;
  },
  setDevicePermissionHandler: (handler) => {
    if (handler) sessionHandlers.device = handler as (details: never) => boolean;
  },
  setSpellCheckerEnabled: (isOn) => note('session.setSpellCheckerEnabled', isOn),
  on: ((name: string, listener: (...args: unknown[]) => void) =>
    sessionEvents.on(name, listener)) as unknown as SessionPart['on'],
  webRequest: {
    onBeforeRequest: ((handler: NonNullable<typeof sessionHandlers.beforeRequest>) => {
      sessionHandlers.beforeRequest = handler;
    }) as Electron.WebRequest['onBeforeRequest'],
  },
};

export const session = { defaultSession };

/** Handlers of the pages' calls, by channel. */
export const ipcHandlers = new Map<string, (event: Electron.IpcMainInvokeEvent, input: unknown) => unknown>();

export const ipcMain: Pick<Electron.IpcMain, 'handle'> = {
  handle: (channel, handler) => void ipcHandlers.set(channel, handler),
};

export const dialog: Pick<Electron.Dialog, 'showMessageBox' | 'showOpenDialog' | 'showSaveDialog'> = {
  showMessageBox: (async (...args: unknown[]) => {
    note('dialog.showMessageBox', args.at(-1));
    return { response: circumstances.response, checkboxChecked: false };
  }) as Electron.Dialog['showMessageBox'],
  showOpenDialog: (async (...args: unknown[]) => {
    note('dialog.showOpenDialog', args.at(-1));
    return { canceled: false, filePaths: circumstances.chosenFiles };
  }) as Electron.Dialog['showOpenDialog'],
  showSaveDialog: (async (...args: unknown[]) => {
    note('dialog.showSaveDialog', args.at(-1));
    return { canceled: circumstances.savePath === undefined, filePath: circumstances.savePath };
  }) as Electron.Dialog['showSaveDialog'],
};

/** Options go to Electron's own type, whatever main passes. */
export const Menu: Pick<typeof Electron.Menu, 'buildFromTemplate' | 'setApplicationMenu'> = {
  buildFromTemplate: (template) => {
    note('Menu.buildFromTemplate', template);
    return {} as Electron.Menu;
  },
  setApplicationMenu: (menu) => note('Menu.setApplicationMenu', menu),
};

export class MessageChannelMain {
  readonly port1 = { name: 'port of the host' };
  readonly port2 = { name: 'port of the page' };
}

/** A started process: its messages are written down, its own are emitted by the scenario. */
export class ProcessDouble extends EventEmitter {
  readonly pid = undefined;
  readonly stderr = new EventEmitter();
  readonly script: string;

  constructor(script: string) {
    super();
    this.script = script;
  }

  postMessage(message: unknown, ports?: readonly unknown[]): void {
    note('process.postMessage', message, ports ?? []);
  }

  kill(): boolean {
    note('process.kill');
    this.emit('exit', 0);
    return true;
  }
}

export const processes: ProcessDouble[] = [];

export const utilityProcess: Pick<typeof Electron.utilityProcess, 'fork'> = {
  fork: (script, args, options) => {
    note('utilityProcess.fork', script, args, options);
    const started = new ProcessDouble(script);
    processes.push(started);
    return started as unknown as Electron.UtilityProcess;
  },
};

export const shell: Pick<typeof ElectronShell, 'showItemInFolder' | 'openPath'> = {
  showItemInFolder: (path) => note('shell.showItemInFolder', path),
  openPath: async (path) => {
    note('shell.openPath', path);
    return '';
  },
};
