/** Keeps one engine host running. supervisor-state.ts decides the steps; this file executes them. */
import type { WorkerProcess } from '../engine/jobs/worker-messages.ts';
import { type FromHost, isFromHost, type ListenerSwitch, type ToHost } from './host-messages.ts';
import {
  type HostEffect,
  type HostEvent,
  type HostState,
  idleHost,
  nextHostStep,
  type Phase,
} from './supervisor-state.ts';

/** A running host: Electron's utility process, or a fork of Node in tests. */
export interface HostProcess<Port> {
  post(message: ToHost, port?: Port): void;
  kill(): void;
}

export interface HostEars {
  readonly onMessage: (message: unknown) => void;
  readonly onExit: () => void;
}

export interface SupervisorOptions<Port> {
  readonly home: string;
  readonly isSample: boolean;
  readonly listener: ListenerSwitch;
  readonly fork: (ears: HostEars) => HostProcess<Port>;
  /** A process for a job; it ends with the host that requested it. */
  readonly spawnWorker: (ears: { onNews: (news: never) => void; onExit: (lastWords: string) => void }) => WorkerProcess;
  /** Milliseconds of a steady clock. */
  readonly now: () => number;
  readonly onReady: () => void;
  /** The host has ended; another one starts unless `onGivenUp` follows. */
  readonly onDown: () => void;
  readonly onRefused: (refusal: { readonly code: string; readonly message: string }) => void;
  readonly onGivenUp: () => void;
  /** The number of queued and running jobs. */
  readonly onJobs: (running: number) => void;
  readonly onListener: (listener: ListenerSwitch) => void;
  /** A sentence for the user. */
  readonly onTold: (sentence: string) => void;
  readonly log: (line: string) => void;
}

/** The first window is drawn first. */
const spareDelayMilliseconds = 1500;

export class Supervisor<Port> {
  readonly #options: SupervisorOptions<Port>;
  #state: HostState = idleHost;
  #host: HostProcess<Port> | null = null;
  /** Started, but without a `start` message. */
  #spare: HostProcess<Port> | null = null;
  #spareTimer: NodeJS.Timeout | undefined;
  #timer: NodeJS.Timeout | undefined;
  #pings = 0;
  #listener: ListenerSwitch;
  #refusal = { code: 'internal_error', message: '' };
  #runningJobs = 0;
  #hasBeenReady = false;
  readonly #workers = new Map<number, WorkerProcess>();
  readonly #stopped: (() => void)[] = [];

  constructor(options: SupervisorOptions<Port>) {
    this.#options = options;
    this.#listener = options.listener;
  }

  get phase(): Phase {
    return this.#state.phase;
  }

  get runningJobs(): number {
    return this.#runningJobs;
  }

  start(): void {
    this.#take({ kind: 'start' });
  }

  /** Settles when the host has closed its files, or was killed. */
  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#stopped.push(resolve);
      if (this.phase === 'stopped') this.#tell('stopped');
      else this.#take({ kind: 'stop' });
    });
  }

  /** Passes a window's port to the host. @returns whether there is a host; if not, `onReady` says when to retry */
  connect(port: Port): boolean {
    if (this.phase !== 'ready' || !this.#host) return false;
    this.#host.post({ kind: 'port' }, port);
    return true;
  }

  #take(event: HostEvent): void {
    const { state, effects } = nextHostStep(this.#state, event, this.#options.now());
    this.#state = state;
    for (const effect of effects) this.#do(effect);
  }

  #do(effect: HostEffect): void {
    if (effect.kind === 'fork') this.#fork();
    else if (effect.kind === 'ping') this.#host?.post({ kind: 'ping', count: ++this.#pings });
    else if (effect.kind === 'kill') this.#host?.kill();
    else if (effect.kind === 'ask_to_stop') this.#host?.post({ kind: 'stop' });
    else if (effect.kind === 'tell') this.#tell(effect.what);
    else {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#take({ kind: 'timer' }), effect.milliseconds);
    }
  }

  #fork(): void {
    const host = this.#spare ?? this.#spawn();
    this.#spare = null;
    this.#host = host;
    const { home, isSample } = this.#options;
    host.post({ kind: 'start', home, isSample, listener: this.#listener, hasWindows: this.#hasBeenReady });
  }

  #spawn(): HostProcess<Port> {
    const host: HostProcess<Port> = this.#options.fork({
      // A host that was given up may still have sent messages.
      onMessage: (message) => {
        if (this.#host === host && isFromHost(message)) this.#hear(message);
      },
      onExit: () => {
        if (this.#spare === host) this.#spare = null;
        if (this.#host !== host) return;
        this.#host = null;
        this.#endWorkers();
        this.#take({ kind: 'exited' });
      },
    });
    return host;
  }

  /** Loading two thousand modules takes most of a start: the spare host has done that when the current one dies. */
  #keepSpare(): void {
    clearTimeout(this.#spareTimer);
    this.#spareTimer = setTimeout(() => {
      if (this.phase === 'ready') this.#spare ??= this.#spawn();
    }, spareDelayMilliseconds);
  }

  #hear(message: FromHost): void {
    const { onListener, onTold, log } = this.#options;
    if (message.kind === 'ready') {
      this.#hasBeenReady = true;
      this.#take({ kind: 'ready' });
    } else if (message.kind === 'pong') this.#take({ kind: 'pong' });
    else if (message.kind === 'refused') {
      this.#refusal = message;
      this.#take({ kind: 'refused' });
    } else if (message.kind === 'listener') {
      this.#listener = message.listener;
      onListener(message.listener);
    } else if (message.kind === 'jobs') this.#countJobs(message.running);
    else if (message.kind === 'told') onTold(message.sentence);
    else if (message.kind === 'log') log(message.line);
    else if (message.kind !== 'loaded') this.#hearOfWorker(message);
  }

  #countJobs(running: number): void {
    this.#runningJobs = running;
    this.#options.onJobs(running);
  }

  #hearOfWorker(message: Extract<FromHost, { worker: number }>): void {
    const { worker } = message;
    if (message.kind === 'worker_order') this.#workers.get(worker)?.send(message.order);
    else if (message.kind === 'worker_kill') this.#workers.get(worker)?.kill();
    else this.#startWorker(worker);
  }

  #startWorker(worker: number): void {
    const process = this.#options.spawnWorker({
      onNews: (news) => this.#host?.post({ kind: 'worker_news', worker, news }),
      onExit: (lastWords) => {
        if (this.#workers.delete(worker)) this.#host?.post({ kind: 'worker_exit', worker, lastWords });
      },
    });
    this.#workers.set(worker, process);
  }

  /** Their listeners are gone, and the next host counts its own workers. */
  #endWorkers(): void {
    const workers = [...this.#workers.values()];
    this.#workers.clear();
    for (const worker of workers) worker.kill();
    if (this.#runningJobs > 0) this.#countJobs(0);
  }

  #tell(what: Extract<HostEffect, { kind: 'tell' }>['what']): void {
    const { onReady, onDown, onRefused, onGivenUp } = this.#options;
    if (what === 'ready') {
      onReady();
      this.#keepSpare();
    } else if (what === 'down') onDown();
    else if (what === 'refused') onRefused(this.#refusal);
    else if (what === 'given_up') onGivenUp();
    else {
      clearTimeout(this.#timer);
      clearTimeout(this.#spareTimer);
      this.#spare?.kill();
      for (const resolve of this.#stopped.splice(0)) resolve();
    }
  }
}
