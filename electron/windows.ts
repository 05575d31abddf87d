/** The windows: created alike, restored to their position, with a question before closing. */
import path from 'node:path';
import { app, BrowserWindow, dialog, screen } from 'electron/main';
import { appAddress, type HomeName, homeOf } from './app-scheme.ts';
import { newsChannels, type OpenedNews } from './bridge.ts';
import { type Closing, closeQuestion, mustAsk } from './close-policy.ts';
import type { SettingsFile } from './desktop-settings.ts';
import { placeWindow } from './window-bounds.ts';
import { windowOptions } from './window-options.ts';

export interface Windows {
  /** Brings the home's window to the front, or creates it. */
  show(home: HomeName): BrowserWindow;
  all(): BrowserWindow[];
  focused(): BrowserWindow | null;
  /** Tells the frontmost page, or the next one that connects, what the user opened. */
  tell(news: OpenedNews): void;
  /** Delivers what waits for a page that has just connected. */
  tellWaiting(window: BrowserWindow): void;
}

interface WindowsOptions {
  readonly settings: SettingsFile;
  /** Receives the number of a page whose window closed. */
  readonly onGone: (page: number) => void;
  readonly runningJobs: () => number;
  /** Stops all work and ends the app. */
  readonly quit: () => void;
  readonly isQuitting: () => boolean;
}

/** The bundled preload, beside this file in a build and in the sources. */
const preload = path.join(import.meta.dirname, 'preload.cjs');
const icon = path.join(import.meta.dirname, 'icons', 'icon.png');

export function openWindows(options: WindowsOptions): Windows {
  let waiting: OpenedNews[] = [];
  /** Pages that have started listening; earlier messages would be lost. */
  const listening = new WeakSet<BrowserWindow>();
  const all = (): BrowserWindow[] => BrowserWindow.getAllWindows().filter((window) => !window.isDestroyed());
  const focused = (): BrowserWindow | null => BrowserWindow.getFocusedWindow() ?? all()[0] ?? null;
  return {
    show: (home) => {
      const standing = all().find((window) => homeOf(window.webContents.getURL()) === home);
      if (!standing) return makeWindow(home, options);
      if (standing.isMinimized()) standing.restore();
      standing.focus();
      return standing;
    },
    all,
    focused,
    tell: (news) => {
      const window = focused();
      if (window && listening.has(window)) window.webContents.send(newsChannels.opened, news);
      else waiting.push(news);
    },
    tellWaiting: (window) => {
      listening.add(window);
      for (const news of waiting) window.webContents.send(newsChannels.opened, news);
      waiting = [];
    },
  };
}

function makeWindow(home: HomeName, options: WindowsOptions): BrowserWindow {
  const { settings } = options;
  const remembered = settings.get().windows[home] ?? null;
  const screens = [screen.getPrimaryDisplay(), ...screen.getAllDisplays()].map(({ workArea }) => workArea);
  const place = placeWindow(remembered, screens);
  const window = new BrowserWindow(windowOptions({ place, preload, icon, hasDevTools: !app.isPackaged }));
  if (remembered?.isMaximized) window.maximize();
  // After closing, the page's number is no longer available.
  const page = window.webContents.id;
  window.on('closed', () => options.onGone(page));
  window.once('ready-to-show', () => window.show());
  window.on('close', (event) => {
    remember(window, home, settings);
    const closing: Closing = {
      runningJobs: options.runningJobs(),
      isLast: BrowserWindow.getAllWindows().length === 1,
      isQuitting: options.isQuitting(),
    };
    // Quitting has already asked.
    if (closing.isQuitting || !mustAsk(closing)) return;
    event.preventDefault();
    void askToClose(window, closing, options);
  });
  void window.loadURL(appAddress(home));
  return window;
}

async function askToClose(window: BrowserWindow, closing: Closing, { quit }: WindowsOptions): Promise<void> {
  const { box, answers } = closeQuestion(closing);
  const { response } = await dialog.showMessageBox(window, box);
  const answer = answers[response] ?? 'stay';
  if (answer === 'keep_working') window.destroy();
  else if (answer === 'stop_and_go_on') quit();
}

function remember(window: BrowserWindow, home: HomeName, settings: SettingsFile): void {
  const bounds = { ...window.getNormalBounds(), isMaximized: window.isMaximized() };
  settings.change({ windows: { ...settings.get().windows, [home]: bounds } });
}
