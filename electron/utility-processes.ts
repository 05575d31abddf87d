/** Electron's child processes. They run without `--inspect` and similar options, which the fuses disable. */
import path from 'node:path';
import process from 'node:process';
import type { MessagePortMain, UtilityProcess, utilityProcess } from 'electron/main';
import { workerSurroundings } from '../engine/jobs/fork-worker.ts';
import type { WorkerProcess } from '../engine/jobs/worker-messages.ts';
import type { HostEars, HostProcess } from './supervisor.ts';

type ForkUtility = typeof utilityProcess.fork;

/** TypeScript where the sources run, JavaScript in a build. */
const extension = path.extname(import.meta.filename);
const hostScript = path.join(import.meta.dirname, `engine-host${extension}`);
const workerScript = path.join(import.meta.dirname, '..', 'engine', 'jobs', `worker-child${extension}`);

/** Electron's own `kill` sends a signal that a hanging process ignores. */
function killNow(child: UtilityProcess): void {
  if (child.pid === undefined) child.kill();
  else process.kill(child.pid, 'SIGKILL');
}

export const forkHost =
  (fork: ForkUtility) =>
  ({ onMessage, onExit }: HostEars): HostProcess<MessagePortMain> => {
    const child = fork(hostScript, [], { serviceName: 'Platbook engine', stdio: 'inherit' });
    child.on('message', onMessage);
    child.on('exit', onExit);
    return {
      post: (message, port) => child.postMessage(message, port ? [port] : []),
      kill: () => killNow(child),
    };
  };

export const forkWorkerProcess =
  (fork: ForkUtility) =>
  ({ onNews, onExit }: { onNews: (news: never) => void; onExit: (lastWords: string) => void }): WorkerProcess => {
    const { env, remove } = workerSurroundings();
    const child = fork(workerScript, [], { serviceName: 'Platbook job', stdio: 'pipe', env });
    let lastWords = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      lastWords = `${lastWords}${chunk}`.slice(-4000);
    });
    child.on('message', (news) => onNews(news as never));
    child.on('exit', () => {
      remove();
      onExit(lastWords);
    });
    return {
      send: (order) => child.postMessage(order),
      kill: () => killNow(child),
    };
  };
