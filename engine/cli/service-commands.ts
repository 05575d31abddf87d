/** `platbook serve` and `start`: the API and the app. */
import type { Command } from 'commander';
import { createKey, listKeys } from '../account/api-keys.ts';
import { firstKeyName } from '../account/first-search.ts';
import { keptPort } from '../account/last-port.ts';
import type { Engine } from '../engine.ts';
import { sampleHomeFolder } from '../home-folder.ts';
import { type RequestLine, type RunningServer, type ServerOptions, startServer } from '../http/server.ts';
import { keepSampleGround } from '../sample-county.ts';
import { counted } from '../spec/counted.ts';
import { EngineError } from '../spec/errors.ts';
import { sampleSearch } from '../spec/sample-search.ts';
import { standardPort } from '../spec/standard-port.ts';
import {
  openAppWindow,
  openBrowser,
  openKeptWindow,
  printLinks,
  RunsAlready,
  stopPrintingLinks,
} from './app-window.ts';
import { chosenHome, openHome, withNewEngine } from './home.ts';
import { type LandFlags, landHelp, landOption, plainPasswordOption, withLand } from './land-option.ts';
import { type Output, readableJson, seconds } from './output.ts';

export function addServiceCommands(program: Command, output: Output): void {
  program
    .command('serve')
    .option('--port <n>', 'port; 0 takes a free one', String(standardPort))
    .option('--rate <n>', 'requests a second, all keys together', '100')
    .option('--burst <n>', 'requests at once', '1000')
    .option('--open', 'open the app in the browser; if it runs already, only that')
    .option(...landOption)
    .option(...plainPasswordOption)
    .addHelpText('after', `\nExample:\n  platbook keys create --name curl && platbook serve --port 4780\n${landHelp}`)
    .action((options: ServeFlags, command: Command) => {
      if (options.land !== undefined) return serveLand(options, command, output);
      if (options.open) return serveAndOpen(options, command, output);
      return withNewEngine(command, output, async (engine) => {
        const window = await openAppWindow(engine, listenerOptions(options, output), output);
        // Listens for the signal before announcing anything that could be stopped.
        const interrupted = untilInterrupted();
        output.print(`listening on ${window.server.baseUrl}`);
        printLinks(window, output);
        await interrupted;
        stopPrintingLinks();
        await window.close();
      });
    });
  program
    .command('start', { hidden: true })
    .description('what `npm start` does: open a home or the sample, serve it, show a first query')
    .option('--port <n>', `port (default: the one that the home had, else ${standardPort}; if taken, a free one)`)
    .action((options: { port?: string }, command: Command) =>
      start(command, options.port === undefined ? null : parsePort(options.port), output),
    );
}

interface ServeFlags extends LandFlags {
  readonly port: string;
  readonly rate: string;
  readonly burst: string;
  readonly open?: boolean;
}

/** What a double click does. */
const serveAndOpen = (options: ServeFlags, command: Command, output: Output): Promise<void> =>
  withNewEngine(command, output, async (engine) => {
    const { port, ...limits } = listenerOptions(options, output);
    const isNamed = command.getOptionValueSource('port') !== 'default';
    const ports = isNamed ? [port] : [keptPort(engine.account) ?? standardPort, standardPort];
    try {
      const window = await openKeptWindow(engine, ports, output, limits);
      // The window with the text may be closed instead.
      const interrupted = untilInterrupted('SIGHUP');
      output.print(`listening on ${window.server.baseUrl}`);
      const link = window.link();
      printLinks(window, output, link);
      output.print('Platbook runs until you close this window or press Ctrl+C.');
      await Promise.all([openBrowser(link, output), interrupted]);
      stopPrintingLinks();
      await window.close();
    } catch (error) {
      if (!(error instanceof RunsAlready)) throw error;
      output.print('Platbook runs already: its app opens in the browser.');
      await openBrowser(error.link, output);
    }
  });

const listenerOptions = ({ port, rate, burst }: ServeFlags, output: Output): ServerOptions => ({
  port: parsePort(port),
  rate: { perSecond: parseRate(rate), burst: parseCount('--burst', burst) },
  log: faultLog(output),
});

/** The app's map and tables read a home of their own: over the land of a server the API alone answers. */
const pullAdvice =
  'The app reads the land of a home: "platbook pull <address> --county <fips>" brings a county into one, and "platbook serve" without --land opens it.';

const serveLand = (options: ServeFlags, command: Command, output: Output): Promise<void> =>
  withLand(command, output, options, async (engine) => {
    const server = await startServer(engine, { ...listenerOptions(options, output), insteadOfApp: pullAdvice });
    const interrupted = untilInterrupted();
    output.print(`listening on ${server.baseUrl}`);
    output.note(pullAdvice);
    await interrupted;
    await server.close();
  });

/** Logs faults only, with the caller's request id; no paths and no names of people. */
const faultLog =
  (output: Output) =>
  ({ requestId, operation, error }: RequestLine): void => {
    if (error === undefined) return;
    // The engine has already logged a fault of Platbook itself, with its location.
    if (error instanceof EngineError && error.code !== 'internal_error')
      output.note(`request ${requestId} (${operation}): ${error.message}`);
  };

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535)
    throw new EngineError('usage', `--port: expected 0 to 65535, found ${JSON.stringify(text)}`);
  return port;
}

function parseCount(option: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new EngineError('usage', `${option}: expected a whole number from 1, found ${JSON.stringify(text)}`);
  return Number(text);
}

function parseRate(text: string): number {
  if (!/^\d{1,9}(\.\d{1,6})?$/.test(text) || Number(text) === 0)
    throw new EngineError('usage', `--rate: expected a number above 0, found ${JSON.stringify(text)}`);
  return Number(text);
}

/** Ctrl+C, or a supervisor's signal to end. */
const untilInterrupted = (...more: NodeJS.Signals[]): Promise<void> =>
  new Promise((resolve) => {
    const signals: NodeJS.Signals[] = ['SIGINT', 'SIGTERM', ...more];
    const stop = () => {
      for (const signal of signals) process.off(signal, stop);
      resolve();
    };
    for (const signal of signals) process.on(signal, stop);
  });

/** The home if it holds parcels, else the sample's own home. */
async function openOrSample(command: Command, output: Output): Promise<Engine> {
  const { folder } = chosenHome(command);
  const engine = openHome(folder, output, { create: true, keepsMarkets: true });
  if (engine.land.parcelCount > 0) return engine;
  engine.close();
  output.print('No parcels yet: this is the synthetic sample county (no real people or places).');
  const sample = openHome(sampleHomeFolder(folder), output, { create: true, keepsMarkets: true, isSample: true });
  await keepSampleGround(sample);
  return sample;
}

/** @param port the requested one; null: the home's previous port, else the default */
async function start(command: Command, port: number | null, output: Output): Promise<void> {
  const began = performance.now();
  const engine = await openOrSample(command, output);
  try {
    const isSample = engine.land.kind === 'sample';
    output.print(
      `Home: ${engine.home} (${isSample ? 'the synthetic sample county, not real people' : 'your data'}, ${counted(engine.land.parcelCount, 'parcel', 'parcels')})`,
    );
    const window = await openKeptWindow(
      engine,
      port === null ? [keptPort(engine.account) ?? standardPort, standardPort] : [port],
      output,
    );
    await firstQuery(engine, window.server, isSample, output);
    const interrupted = untilInterrupted();
    printLinks(window, output);
    output.print(
      `Ready in ${seconds(performance.now() - began)}. Tokens are a counter on this computer; they cost no money. Ctrl+C stops.`,
    );
    await interrupted;
    stopPrintingLinks();
    await window.close();
    output.print('Closed.');
  } finally {
    engine.close();
  }
}

/** The first time, makes the user's key; on the sample it sends a real request, whose search the window shows. Later starts cost nothing. */
async function firstQuery(engine: Engine, server: RunningServer, isSample: boolean, output: Output): Promise<void> {
  output.print(`API: ${server.baseUrl}/api/public/v1/ (described at ${server.baseUrl}/docs)`);
  if (listKeys(engine.account).length > 0)
    return output.print(
      `Keys: existing ones; another with: npm run -s platbook -- keys create --name NAME --home '${engine.home}'`,
    );
  const { key } = createKey(engine.account, firstKeyName, ['read', 'write', 'trace'], engine.now());
  output.print(`Key (shown only now): ${key}`);
  if (isSample) await showFilter(server, key, output);
}

async function showFilter(server: RunningServer, key: string, output: Output): Promise<void> {
  const url = `${server.baseUrl}/api/public/v1/properties/filter/?page_size=3`;
  const body = JSON.stringify(sampleSearch);
  output.print(
    `\n  curl -s '${url}' -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '${body}'\n`,
  );
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body,
  });
  output.print(
    `POST properties/filter/ ${body}\n→ ${response.status}, ${response.headers.get('x-tokens-used')} tokens\n${readableJson(await response.json())}`,
  );
}
