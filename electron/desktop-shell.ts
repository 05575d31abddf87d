/** The running app: its windows, its hosts, and their exchange with the system. */
import path from 'node:path';
import process from 'node:process';
import { shell } from 'electron/common';
import { app, dialog, ipcMain, Menu, protocol, session } from 'electron/main';
import { sampleHomeFolder } from '../engine/home-folder.ts';
import { listStaticFiles } from '../engine/http/static-files.ts';
import { appAddress, appScheme, homeOf } from './app-scheme.ts';
import { newsChannels } from './bridge.ts';
import { closeQuestion, mustAsk } from './close-policy.ts';
import { linkScheme } from './deep-link.ts';
import { type CallHandlers, serveDesktopCalls } from './desktop-ipc.ts';
import { openSettings, type SettingsFile } from './desktop-settings.ts';
import { checkLocation } from './gps/location-choice.ts';
import { openPositionWatch, type PositionWatch } from './gps/position-watch.ts';
import { type Hosts, openHosts } from './hosts.ts';
import { lockDownSession } from './lock-down.ts';
import { type MenuAction, menuTable, menuTemplate } from './menu-table.ts';
import { isNothing, lookAt, openedWith } from './opened-with.ts';
import { schemeHandler } from './scheme-handler.ts';
import { openShelvedPdf, saveShelved } from './shelved-files.ts';
import { openWindows, type Windows } from './windows.ts';

const isMac = process.platform === 'darwin';

/** The user's arguments. A packaged app has no script path in argv. */
const ownArgs = (args: readonly string[]): string[] => args.slice(app.isPackaged ? 1 : 2);

export class DesktopShell {
  readonly #home: string;
  readonly #pages: string;
  readonly #settings: SettingsFile = openSettings(app.getPath('userData'));
  readonly #windows: Windows;
  readonly #hosts: Hosts;
  /** Paths the user has chosen here: a page may show only these in the file manager. */
  readonly #chosen = new Set<string>();
  readonly #positions: PositionWatch = openPositionWatch({
    choice: () => this.#settings.get().location,
    tell: (page, news) => this.#windowOf(page)?.webContents.send(newsChannels.position, news),
  });
  #isQuitting = false;
  #isStopped = false;

  /**
   * @param home folder of the three files
   * @param pages folder of the built renderer
   */
  constructor(home: string, pages: string) {
    this.#home = home;
    this.#pages = pages;
    this.#hosts = openHosts({
      home,
      settings: this.#settings,
      pages: () => this.#windows.all().map(({ webContents }) => webContents),
      onJobs: () => this.#quitWhenIdle(),
    });
    this.#windows = openWindows({
      settings: this.#settings,
      onGone: (page) => this.#positions.stop(page),
      runningJobs: () => this.#hosts.runningJobs(),
      isQuitting: () => this.#isQuitting,
      quit: () => this.#quit(),
    });
  }

  /** Handles system events that may come before the first window exists. */
  listen(): void {
    serveDesktopCalls(ipcMain, this.#handlers(), (sender) => this.#windowOf(sender) !== undefined);
    app.setAsDefaultProtocolClient(linkScheme);
    app.on('second-instance', (_event, args, folder) => {
      this.#windows.show(homeOf(this.#windows.focused()?.webContents.getURL() ?? '') ?? 'home');
      this.#hear(ownArgs(args), folder);
    });
    // macOS delivers links and files in separate events.
    app.on('open-url', (event, url) => {
      event.preventDefault();
      this.#hear([url], this.#home);
    });
    app.on('open-file', (event, file) => {
      event.preventDefault();
      this.#hear([file], this.#home);
    });
    app.on('activate', () => this.#windows.show('home'));
    app.on('window-all-closed', () => this.#quitWhenIdle());
    app.on('before-quit', (event) => {
      if (this.#isStopped) return;
      event.preventDefault();
      void this.#leave();
    });
  }

  /** Call it once Electron is ready. */
  open(): void {
    protocol.handle(appScheme, schemeHandler(listStaticFiles(this.#pages)));
    lockDownSession(session.defaultSession, () => this.#settings.get().location.on);
    const actions = this.#actions();
    const ears = {
      command: (id: string): void => this.#windows.focused()?.webContents.send(newsChannels.command, id),
      action: (name: MenuAction): void => void actions[name](),
    };
    Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(menuTable, process.platform, ears)));
    this.#windows.show('home');
    this.#hear(ownArgs(process.argv), process.cwd());
  }

  #handlers(): CallHandlers {
    return {
      connect: (_input, sender) => {
        const window = this.#windowOf(sender);
        if (!window) return;
        // A reloaded page has not requested positions yet.
        this.#positions.stop(sender);
        this.#hosts.connect(window.webContents);
        this.#windows.tellWaiting(window);
      },
      choose_files: () => this.#choose('openFile'),
      choose_folder: () => this.#choose('openDirectory'),
      open_home: () => appAddress('home'),
      open_sample: () => appAddress('sample'),
      show_file: ({ path: file }) => {
        if (!this.#chosen.has(file)) throw new Error('This file was not chosen in Platbook.');
        shell.showItemInFolder(file);
      },
      save_file: ({ id }, sender) => this.#save(id, sender),
      open_pdf: ({ id }, sender) => openShelvedPdf(this.#homeFolderOf(sender), id, shell.openPath),
      read_location: () => this.#settings.get().location,
      set_location: (choice) => {
        const { place } = this.#settings.get().location;
        checkLocation(choice, (file) => file === place || this.#chosen.has(file));
        this.#settings.change({ location: choice });
        this.#positions.choose();
      },
      watch_position: (_input, sender) => this.#positions.start(sender),
      unwatch_position: (_input, sender) => this.#positions.stop(sender),
    };
  }

  async #save(id: string, sender: number): Promise<string | null> {
    const window = this.#windowOf(sender);
    if (!window) return null;
    const saved = await saveShelved(this.#homeFolderOf(sender), id, async (name) => {
      const defaultPath = path.join(app.getPath('downloads'), name);
      return (await dialog.showSaveDialog(window, { defaultPath })).filePath;
    });
    if (saved !== null) this.#chosen.add(saved);
    return saved;
  }

  /** The home whose data the page shows. Its address, set by the app, decides what it may read. */
  #homeFolderOf(sender: number): string {
    const home = homeOf(this.#windowOf(sender)?.webContents.getURL() ?? '');
    return home === 'sample' ? sampleHomeFolder(this.#home) : this.#home;
  }

  #actions(): Record<MenuAction, () => unknown> {
    const importFrom = async (kind: 'openFile' | 'openDirectory'): Promise<void> => {
      const files = await this.#choose(kind);
      if (files.length > 0) this.#windows.tell({ parcel: null, files });
    };
    return {
      choose_files: () => importFrom('openFile'),
      choose_folder: () => importFrom('openDirectory'),
      open_home: () => this.#windows.show('home'),
      open_sample: () => this.#windows.show('sample'),
      show_home: () => shell.openPath(this.#home),
      about: () => app.showAboutPanel(),
    };
  }

  #windowOf(sender: number) {
    return this.#windows.all().find(({ webContents }) => webContents.id === sender);
  }

  async #choose(kind: 'openFile' | 'openDirectory'): Promise<string[]> {
    const properties = [kind, 'multiSelections' as const];
    const window = this.#windows.focused();
    const { filePaths } = await (window
      ? dialog.showOpenDialog(window, { properties })
      : dialog.showOpenDialog({ properties }));
    for (const file of filePaths) this.#chosen.add(file);
    return filePaths;
  }

  #hear(args: readonly string[], folder: string): void {
    const opened = openedWith(args, folder, lookAt);
    if (isNothing(opened)) return;
    for (const file of opened.files) this.#chosen.add(file);
    this.#windows.tell(opened);
  }

  /** On macOS an app stays open without windows, as its users expect. */
  #quitWhenIdle(): void {
    if (!isMac && this.#hosts.runningJobs() === 0 && this.#windows.all().length === 0) this.#quit();
  }

  /** The caller has asked the user already, or need not. */
  #quit(): void {
    this.#isQuitting = true;
    app.quit();
  }

  /** Closes the files before the process ends; asks first if work is running. */
  async #leave(): Promise<void> {
    const closing = { runningJobs: this.#hosts.runningJobs(), isLast: true, isQuitting: true };
    if (!this.#isQuitting && mustAsk(closing)) {
      const { box, answers } = closeQuestion(closing);
      const { response } = await dialog.showMessageBox(box);
      if (answers[response] !== 'stop_and_go_on') return;
    }
    this.#isQuitting = true;
    await this.#hosts.stop();
    this.#isStopped = true;
    app.quit();
  }
}
