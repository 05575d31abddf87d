/** The app in a browser: its one-time links, and the sample county beside the home, in a listener of its own. */
import path from 'node:path';
import type { Engine } from '../engine.ts';
import { sampleHomeFolder } from '../home-folder.ts';
import type { AppDoor } from '../http/app-routes.ts';
import { AppSessions } from '../http/app-sessions.ts';
import { type RunningServer, type ServerOptions, startServer } from '../http/server.ts';
import { packageRoot } from '../package-root.ts';
import { loadSampleCounty } from '../sample-county.ts';
import { openHome } from './home.ts';
import type { Output } from './output.ts';

/** Where `vite build` puts the pages. */
const rendererFolder = path.join(packageRoot, 'dist', 'renderer');

export interface AppWindow {
  readonly server: RunningServer;
  /** A new link; the one before it ends. */
  readonly link: () => string;
  close(): Promise<void>;
}

/**
 * Starts the listener with the public API and the app.
 * @param pages folder of the built pages; for tests
 * @throws EngineError usage when the port cannot be had
 */
export async function openAppWindow(
  engine: Engine,
  options: ServerOptions,
  output: Output,
  pages: string = rendererFolder,
): Promise<AppWindow> {
  const sessions = new AppSessions(() => performance.now());
  let sample: Promise<SampleWindow> | null = null;
  const openSample = async (): Promise<string> => {
    sample ??= openSampleWindow(engine.home, output, pages);
    return (await sample).window.link();
  };
  const app: AppDoor = { sessions, rendererFolder: pages, ...(engine.land.kind === 'sample' ? {} : { openSample }) };
  const server = await startServer(engine, { ...options, app });
  return {
    server,
    link: () => `${server.baseUrl}/open/${sessions.issueLink()}`,
    close: async () => {
      await (await sample)?.close();
      await server.close();
    },
  };
}

interface SampleWindow {
  readonly window: AppWindow;
  close(): Promise<void>;
}

async function openSampleWindow(home: string, output: Output, pages: string): Promise<SampleWindow> {
  const engine = openHome(sampleHomeFolder(home), output);
  if (engine.land.parcelCount === 0) await loadSampleCounty(engine);
  const window = await openAppWindow(engine, { port: 0 }, output, pages);
  output.print(`The sample county (not real people) is open at ${window.server.baseUrl}`);
  return {
    window,
    close: async () => {
      await window.close();
      engine.close();
    },
  };
}

/** Prints a link now and another one whenever Enter is pressed, where there is somebody to press it. */
export function printLinks(window: AppWindow, output: Output): void {
  const isTerminal = process.stdin.isTTY === true;
  output.print(
    `App: ${window.link()}\n     (opens once, within ten minutes${isTerminal ? '; Enter prints a new link' : ''})`,
  );
  if (!isTerminal) return;
  // Sent to the background, a program that reads the terminal would be stopped; this way the read fails instead.
  process.on('SIGTTIN', () => {});
  process.stdin.on('error', () => {});
  process.stdin.on('data', () => output.print(`App: ${window.link()}`));
}

export function stopPrintingLinks(): void {
  process.stdin.removeAllListeners('data');
  process.stdin.pause();
}
