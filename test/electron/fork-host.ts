/** The supervisor's two ways to start a process, with Node instead of Electron. */
import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { onTestFinished } from 'vitest';
import type { ListenerSwitch } from '../../electron/host-messages.ts';
import { type HostEars, type HostProcess, Supervisor, type SupervisorOptions } from '../../electron/supervisor.ts';
import { forkWorker } from '../../engine/jobs/fork-worker.ts';

const script = path.join(import.meta.dirname, 'forked-host.ts');

export interface Forked {
  readonly child: ChildProcess;
  isLoaded: boolean;
  /** While true, answers of the host are lost on their way. */
  losesAnswers: boolean;
}

/** @param forked gets every host that is started */
const forkHost =
  (forked: Forked[], hostScript: string) =>
  ({ onMessage, onExit }: HostEars): HostProcess<MessagePort> => {
    const child = fork(hostScript, {
      serialization: 'advanced',
      execArgv: [],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const self: Forked = { child, isLoaded: false, losesAnswers: false };
    forked.push(self);
    const ports: MessagePort[] = [];
    child.on('message', (message: { onPort?: number; data?: unknown; kind?: string }) => {
      self.isLoaded ||= message.kind === 'loaded';
      if (message.onPort === undefined) onMessage(message);
      else if (!self.losesAnswers) ports[message.onPort - 1]?.postMessage(message.data);
    });
    child.on('exit', () => {
      // As Electron does when a process that holds a port dies.
      for (const port of ports) port.close();
      onExit();
    });
    return {
      post: (message, port) => {
        if (port) {
          const onPort = ports.push(port);
          port.on('message', (data) => child.connected && child.send({ onPort, data }, () => {}));
          port.on('close', () => child.connected && child.send({ onPort, isClosed: true }, () => {}));
        }
        if (child.connected) child.send(message, () => {});
      },
      kill: () => void child.kill('SIGKILL'),
    };
  };

export interface Supervised {
  readonly supervisor: Supervisor<MessagePort>;
  readonly forked: Forked[];
  /** What happened, in order. */
  readonly news: string[];
  readonly listeners: ListenerSwitch[];
  /** Sentences for the user. */
  readonly told: string[];
  /** A port to the host that runs now. */
  readonly connect: () => MessagePort;
}

/** Stopped when the test is over. */
export function supervise(
  home: string,
  options: Partial<SupervisorOptions<MessagePort>> = {},
  hostScript = script,
): Supervised {
  const forked: Forked[] = [];
  const news: string[] = [];
  const listeners: ListenerSwitch[] = [];
  const told: string[] = [];
  const supervisor = new Supervisor<MessagePort>({
    home,
    isSample: false,
    listener: { on: false, port: 0 },
    fork: forkHost(forked, hostScript),
    spawnWorker: forkWorker as never,
    now: () => performance.now(),
    onReady: () => news.push('ready'),
    onDown: () => news.push('down'),
    onRefused: ({ code }) => news.push(`refused ${code}`),
    onGivenUp: () => news.push('given up'),
    onJobs: (running) => news.push(`${running} jobs`),
    onListener: (listener) => listeners.push(listener),
    onTold: (sentence) => told.push(sentence),
    log: (line) => console.error(line),
    ...options,
  });
  onTestFinished(() => supervisor.stop());
  supervisor.start();
  const connect = (): MessagePort => {
    const { port1, port2 } = new MessageChannel();
    if (!supervisor.connect(port1)) throw new Error('there is no host that is ready');
    return port2;
  };
  return { supervisor, forked, news, listeners, told, connect };
}
