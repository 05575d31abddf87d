/** The windows: made in one way, put where they were, asked before they close. */
import path from 'node:path';
import { app, BrowserWindow, dialog, screen } from 'electron/main';
import { appAddress, type HomeName, homeOf } from './app-scheme.ts';
import { newsChannels, type OpenedNews } from './bridge.ts';
import { type Closing, closeQuestion, mustAsk } from './close-policy.ts';
import type { SettingsFile } from './desktop-settings.ts';
import { placeWindow } from './window-bounds.ts';
import { windowOptions } from './window-options.ts';

export interface Windows {
  /** Brings the home's window to the front, or makes one. */
  show(home: HomeName): BrowserWindow;
  all(): BrowserWindow[];
  focused(): BrowserWindow | null;
  /** Tells the frontmost page what the user opened, or the next one that connects. */
  tell(news: OpenedNews): void;
  /** What waits for a page that has just connected. */
  tellWaiting(window: BrowserWindow): void;
}

export interface WindowsOptions {
  readonly settings: SettingsFile;
  /** Told the number of a page whose window is closed. */
  readonly onGone: (page: number) => void;
  readonly runningJobs: () => number;
  /** Stops all work and ends the app. */
  readonly quit: () => void;
  readonly isQuitting: () => boolean;
}

/** Where the page is drawn from, beside this file in a build and in the sources. */
const preload = path.join(import.meta.dirname, 'preload.cjs');
const icon = path.join(import.meta.dirname, 'icons', 'icon.png');

export function openWindows(options: WindowsOptions): Windows {
  let waiting: OpenedNews[] = [];
  /** Pages that have said that they listen; a message before that is lost. */
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
  // Once it is closed, its page can no longer be asked for its number.
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
    // Quitting has asked already.
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
