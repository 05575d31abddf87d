/** The engine hosts, one per home with a window, and the ports between them and the windows. */
import { app, dialog, MessageChannelMain, type MessagePortMain, utilityProcess, type WebContents } from 'electron/main';
import { sampleHomeFolder } from '../engine/home-folder.ts';
import { type HomeName, homeNames, homeOf } from './app-scheme.ts';
import { newsChannels } from './bridge.ts';
import type { SettingsFile } from './desktop-settings.ts';
import { Supervisor } from './supervisor.ts';
import { forkHost, forkWorkerProcess } from './utility-processes.ts';

export interface Hosts {
  /** Gives the page a port to its home's engine, now or as soon as there is one. */
  connect(page: WebContents): void;
  runningJobs(): number;
  stop(): Promise<void>;
}

interface HostsOptions {
  readonly home: string;
  readonly settings: SettingsFile;
  /** Pages of open windows. */
  readonly pages: () => readonly WebContents[];
  readonly onJobs: () => void;
}

export function openHosts(options: HostsOptions): Hosts {
  const running = new Map<HomeName, Supervisor<MessagePortMain>>();
  /** Pages that have requested a port since they loaded. */
  const asking = new WeakSet<WebContents>();

  const hand = (supervisor: Supervisor<MessagePortMain>, page: WebContents): void => {
    const { port1, port2 } = new MessageChannelMain();
    if (supervisor.connect(port1)) page.postMessage(newsChannels.port, null, [port2]);
  };

  const hostOf = (home: HomeName): Supervisor<MessagePortMain> => {
    const known = running.get(home);
    if (known) return known;
    const supervisor: Supervisor<MessagePortMain> = startHost(home, options, () => {
      for (const page of options.pages())
        if (asking.has(page) && homeOf(page.getURL()) === home) hand(supervisor, page);
    });
    running.set(home, supervisor);
    supervisor.start();
    return supervisor;
  };

  return {
    connect: (page) => {
      const home = homeOf(page.getURL());
      if (home === null) return;
      asking.add(page);
      hand(hostOf(home), page);
    },
    runningJobs: () => [...running.values()].reduce((sum, { runningJobs }) => sum + runningJobs, 0),
    stop: async () => {
      await Promise.all(homeNames.map((home) => running.get(home)?.stop()));
      running.clear();
    },
  };
}

function startHost(
  home: HomeName,
  { home: folder, settings, onJobs }: HostsOptions,
  onReady: () => void,
): Supervisor<MessagePortMain> {
  const supervisor: Supervisor<MessagePortMain> = new Supervisor({
    home: home === 'sample' ? sampleHomeFolder(folder) : folder,
    isSample: home === 'sample',
    listener: settings.get().listener,
    fork: forkHost(utilityProcess.fork),
    spawnWorker: forkWorkerProcess(utilityProcess.fork),
    now: () => performance.now(),
    onReady,
    // The pages notice it themselves: their ports close.
    onDown: () => {},
    onRefused: ({ message }) => void askAgain(supervisor, 'Platbook cannot open its files', message),
    onGivenUp: () =>
      void askAgain(
        supervisor,
        'The part of Platbook that reads the files keeps stopping',
        'None of your data is lost. If trying again does not help, "platbook check" shows what is wrong.',
      ),
    onJobs,
    onListener: (listener) => settings.change({ listener }),
    onTold: (sentence) => void dialog.showMessageBox({ type: 'info', message: sentence, noLink: true }),
    log: (line) => console.error(line),
  });
  return supervisor;
}

async function askAgain(supervisor: Supervisor<MessagePortMain>, message: string, detail: string): Promise<void> {
  const { response } = await dialog.showMessageBox({
    type: 'error',
    message,
    detail,
    buttons: ['Try Again', 'Quit'],
    cancelId: 1,
    noLink: true,
  });
  if (response === 0) supervisor.start();
  else app.quit();
}
