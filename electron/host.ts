/**
 * The engine host: a separate process that keeps the files open and answers windows through their ports. It knows
 * nothing of Electron, so that tests can fork it with Node.
 */
import { keepDailyCopies } from '../engine/backup/daily-copies.ts';
import type { Engine } from '../engine/engine.ts';
import { switchedListener } from '../engine/http/switched-listener.ts';
import { hasEnded, type JobStatus } from '../engine/jobs/job.ts';
import type { SpawnWorker, WorkerEars } from '../engine/jobs/worker-messages.ts';
import { openHomeAtStart } from '../engine/open-home.ts';
import type { MessagePortLike } from '../engine/rpc/messages.ts';
import { servePort } from '../engine/rpc/serve-port.ts';
import { keepSampleGround } from '../engine/sample-county.ts';
import { EngineError } from '../engine/spec/errors.ts';
import { attachListener } from '../engine/work/listener-control.ts';
import type { FromHost, ToHost } from './host-messages.ts';

/** Main, from the host's point of view. */
interface HostParent {
  post(message: FromHost): void;
  /** @param listener gets the port with a message of kind `port` */
  onMessage(listener: (message: ToHost, port: MessagePortLike | null) => void): void;
  /** Ends the process after everything is closed. */
  exit(): void;
}

interface OpenHost {
  readonly engine: Engine;
  close(): Promise<void>;
}

export function runHost(parent: HostParent): void {
  const workers = workersOf(parent);
  let open: Promise<OpenHost | null> = Promise.resolve(null);
  parent.onMessage((message, port) => {
    if (message.kind === 'start') open = openHost(parent, workers.spawn, message);
    else if (message.kind === 'port')
      void open.then((host) => port && (host ? serve(parent, host.engine, port) : port.close()));
    else if (message.kind === 'ping') parent.post({ kind: 'pong', count: message.count });
    else if (message.kind === 'stop') void open.then((host) => host?.close()).finally(() => parent.exit());
    else workers.hear(message);
  });
  parent.post({ kind: 'loaded' });
}

async function openHost(
  parent: HostParent,
  spawnWorker: SpawnWorker,
  { home, isSample, listener: wanted, hasWindows }: Extract<ToHost, { kind: 'start' }>,
): Promise<OpenHost | null> {
  try {
    const log = logTo(parent);
    const engine = openHomeAtStart(
      {
        home,
        create: true,
        keepsMarkets: true,
        spawnWorker,
        log: ({ requestId, operation, error }) => log(requestId, operation, error),
      },
      { hasWindows, isSample, tell: (sentence) => parent.post({ kind: 'told', sentence }) },
    );
    if (isSample) await keepSampleGround(engine);
    // The sample has no API: it has its own keys and ledger, and would take the port.
    const listener = switchedListener(engine, {}, (next) => parent.post({ kind: 'listener', listener: next }));
    attachListener(engine, listener);
    // The next start goes on sharpening photos, so quitting does not ask about it.
    const isAsked = (job: JobStatus) => !hasEnded(job) && job.kind !== 'sharpen_imagery';
    engine.jobs.onChange(() => parent.post({ kind: 'jobs', running: engine.jobs.list().filter(isAsked).length }));
    const stopCopies = keepDailyCopies(engine, (error) => log('', 'daily copy', error));
    parent.post({ kind: 'ready' });
    if (wanted.on && !isSample) await listener.set(wanted);
    return {
      engine,
      close: async () => {
        stopCopies();
        await listener.close();
        engine.close();
      },
    };
  } catch (error) {
    const { code, message } = error instanceof EngineError ? error : new EngineError('internal_error');
    if (!(error instanceof EngineError)) logTo(parent)('', 'open', error);
    parent.post({ kind: 'refused', code, message });
    return null;
  }
}

const logTo = (parent: HostParent) => (requestId: string, request: string, error: unknown) =>
  parent.post({
    kind: 'log',
    line: `fault in ${request} (request ${requestId}): ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
  });

const serve = (parent: HostParent, engine: Engine, port: MessagePortLike): void =>
  servePort(engine, port, ({ requestId, request, error }) => logTo(parent)(requestId, request, error));

/** Jobs run in processes that main starts: where Electron may not run as Node, a host cannot fork. */
function workersOf(parent: HostParent): {
  readonly spawn: SpawnWorker;
  readonly hear: (message: Extract<ToHost, { worker: number }>) => void;
} {
  const ears = new Map<number, WorkerEars>();
  let latest = 0;
  return {
    spawn: (own) => {
      latest += 1;
      const worker = latest;
      ears.set(worker, own);
      parent.post({ kind: 'worker_start', worker });
      return {
        send: (order) => parent.post({ kind: 'worker_order', worker, order }),
        kill: () => parent.post({ kind: 'worker_kill', worker }),
      };
    },
    hear: (message) => {
      const own = ears.get(message.worker);
      if (message.kind === 'worker_news') own?.onNews(message.news);
      else if (ears.delete(message.worker)) own?.onExit(message.lastWords);
    },
  };
}
