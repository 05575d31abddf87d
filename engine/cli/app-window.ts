/** The app in a browser: its one-time links, and a second window for the other home with its own listener. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { keepPort, keptPort } from '../account/last-port.ts';
import { type KeptSessions, keptSessions } from '../account/stored-sessions.ts';
import { keepDailyCopies } from '../backup/daily-copies.ts';
import { syncWarning } from '../backup/home-place.ts';
import type { Engine } from '../engine.ts';
import { ownHomeFolder, sampleHomeFolder } from '../home-folder.ts';
import { AppSessions, linkOfRunning } from '../http/app-sessions.ts';
import { PortError, type RunningServer, type ServerOptions, startServer } from '../http/server.ts';
import { packageRoot } from '../package-root.ts';
import { keepSampleGround } from '../sample-county.ts';
import { EngineError } from '../spec/errors.ts';
import { attachListener, fixedListener } from '../work/listener-control.ts';
import { openHome } from './home.ts';
import type { Output } from './output.ts';

/** Where `vite build` puts the pages. */
const rendererFolder = path.join(packageRoot, 'dist', 'renderer');

export interface AppWindow {
  readonly server: RunningServer;
  /** A new link; the previous one expires. */
  readonly link: () => string;
  close(): Promise<void>;
}

/**
 * Starts the listener with the public API and the app. The other home (the sample's or the user's own) is opened from
 * this window on request, with an engine, a listener and a cookie of its own, so neither home ever sees the other's
 * data.
 * @param pages folder of the built pages; for tests
 * @throws EngineError usage if the port is taken
 */
export function openAppWindow(
  engine: Engine,
  options: ServerOptions,
  output: Output,
  pages: string = rendererFolder,
): Promise<AppWindow> {
  return openWindow(engine, options, { output, pages, wayBack: null });
}

/** Another process serves the home; `link` opens its app. */
export class RunsAlready extends EngineError {
  readonly link: string;

  constructor(link: string) {
    super('validation_error', `Platbook runs already. Open this address: ${link}`);
    this.link = link;
  }
}

/**
 * The same on the first port of several that is free, else on any free one. The home keeps the port it gets, so that its
 * feeds and bookmarks go on working after the next start.
 * @throws RunsAlready if one of the ports is taken by a listener of this home
 */
export const openKeptWindow = (
  engine: Engine,
  ports: readonly number[],
  output: Output,
  options: Omit<ServerOptions, 'port'> = {},
): Promise<AppWindow> =>
  onKeptPort(engine.account, [...new Set(ports)], output, async (port) => {
    try {
      return await openAppWindow(engine, { ...options, port }, output);
    } catch (error) {
      const link = error instanceof PortError && port !== 0 ? await linkOfRunning(storedSessions(engine), port) : null;
      throw link === null ? error : new RunsAlready(link);
    }
  });

const storedSessions = (engine: Engine): KeptSessions => keptSessions(engine.account, () => engine.now().getTime());

async function onKeptPort(
  account: Engine['account'],
  ports: readonly number[],
  output: Output,
  open: (port: number) => Promise<AppWindow>,
): Promise<AppWindow> {
  const [port = 0, ...others] = ports;
  try {
    const window = await open(port);
    keepPort(account, window.server.port);
    return window;
  } catch (error) {
    if (!(error instanceof PortError) || port === 0) throw error;
    output.note(`${error.sentence} Taking another one.`);
    return onKeptPort(account, others, output, open);
  }
}

interface Surroundings {
  readonly output: Output;
  readonly pages: string;
  /** Leads to the window that opened this one; null for the first. */
  readonly wayBack: (() => string) | null;
}

async function openWindow(engine: Engine, options: ServerOptions, around: Surroundings): Promise<AppWindow> {
  const { output, pages } = around;
  const sessions = new AppSessions(() => performance.now(), storedSessions(engine));
  let baseUrl = '';
  const link = (): string => `${baseUrl}/open/${sessions.issueLink()}`;
  const other = otherWindow(engine, { ...around, wayBack: link }, around.wayBack);
  const way = other && { [engine.land.kind === 'sample' ? 'openHome' : 'openSample']: other.link };
  const server = await startServer(engine, { ...options, app: { sessions, rendererFolder: pages, ...way } });
  baseUrl = server.baseUrl;
  attachListener(engine, fixedListener(server));
  const stopCopies = keepDailyCopies(engine, (error) => output.note(`The daily copy failed: ${String(error)}`));
  const warning = syncWarning(engine.home);
  if (warning !== null) output.note(warning);
  return {
    server,
    link,
    close: async () => {
      stopCopies();
      await other?.close();
      await server.close();
    },
  };
}

interface OtherWindow {
  /** Opens it on the first call; each call gives a new link. */
  readonly link: () => Promise<string>;
  close(): Promise<void>;
}

/** Null if it is unclear which home is the other one. */
function otherWindow(engine: Engine, around: Surroundings, wayBack: (() => string) | null): OtherWindow | null {
  if (wayBack) return { link: async () => wayBack(), close: async () => {} };
  const isSample = engine.land.kind === 'sample';
  const folder = isSample ? ownHomeFolder(engine.home) : sampleHomeFolder(engine.home);
  if (folder === null) return null;
  let opening: Promise<OpenOther> | null = null;
  return {
    link: async () => {
      opening ??= openOther(folder, isSample ? 'own' : 'sample', around).catch((error: unknown) => {
        // The cause of the failure may be gone at the next click.
        opening = null;
        throw error;
      });
      return (await opening).window.link();
    },
    close: async () => {
      const open = await opening?.catch(() => null);
      await open?.window.close();
      open?.engine.close();
    },
  };
}

interface OpenOther {
  readonly engine: Engine;
  readonly window: AppWindow;
}

async function openOther(folder: string, kind: 'own' | 'sample', around: Surroundings): Promise<OpenOther> {
  const isSample = kind === 'sample';
  const engine = openHome(folder, around.output, { create: true, keepsMarkets: true, isSample });
  try {
    if (isSample) await keepSampleGround(engine);
    const window = await onKeptPort(engine.account, [keptPort(engine.account) ?? 0], around.output, (port) =>
      openWindow(engine, { port }, around),
    );
    const what = isSample ? 'The sample county (not real people)' : `Your own home (${folder})`;
    around.output.print(`${what} is open at ${window.server.baseUrl}`);
    return { engine, window };
  } catch (error) {
    engine.close();
    throw error;
  }
}

/** Prints a link now, and another whenever Enter is pressed in a terminal. */
export function printLinks(window: AppWindow, output: Output, first: string = window.link()): void {
  const isTerminal = process.stdin.isTTY === true;
  output.print(`App: ${first}\n     (opens once, within ten minutes${isTerminal ? '; Enter prints a new link' : ''})`);
  if (!isTerminal) return;
  // In the background, reading the terminal would stop the program; this way the read fails instead.
  process.on('SIGTTIN', () => {});
  process.stdin.on('error', () => {});
  process.stdin.on('data', () => output.print(`App: ${window.link()}`));
}

export function stopPrintingLinks(): void {
  process.stdin.removeAllListeners('data');
  process.stdin.pause();
}

/** An opener that runs longer than this has a browser that starts, or is one. */
const openerMilliseconds = 5000;

export function openCommand(platform: NodeJS.Platform, address: string): { command: string; args: string[] } {
  // `start` takes its first quoted text for a title; the link holds no characters special to cmd.
  if (platform === 'win32') return { command: 'cmd.exe', args: ['/d', '/s', '/c', 'start', '""', address] };
  return { command: platform === 'darwin' ? 'open' : 'xdg-open', args: [address] };
}

/** Prints the address if there is no opener, or it fails. */
export async function openBrowser(address: string, output: Output): Promise<void> {
  const { command, args } = openCommand(process.platform, address);
  // Without a window of its own on Windows, where it is a console program.
  const hidden = { windowsHide: true, windowsVerbatimArguments: true };
  const opener = spawn(command, args, { stdio: 'ignore', detached: true, ...hidden });
  opener.unref();
  const isOpen = await new Promise<boolean>((resolve) => {
    const waiting = setTimeout(() => resolve(true), openerMilliseconds);
    const end = (isDone: boolean): void => {
      clearTimeout(waiting);
      resolve(isDone);
    };
    opener.on('error', () => end(false));
    opener.on('exit', (code) => end(code === 0));
  });
  if (!isOpen) output.print(`Open this address: ${address}`);
}
