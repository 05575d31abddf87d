/** The thread that a caller in SQL waits for: it keeps the process that answers, and replaces it after it ends. */
import { type ChildProcess, fork } from 'node:child_process';
import { type MessagePort, workerData } from 'node:worker_threads';
import { scriptPath } from '../package-root.ts';
import type { SqlAnswer, SqlQuestion } from './sql-messages.ts';

export interface SqlThreadData {
  readonly home: string;
  readonly port: MessagePort;
  /** Counts answers: the caller sleeps on it. */
  readonly answered: Int32Array<SharedArrayBuffer>;
}

const { home, port, answered } = workerData as SqlThreadData;
const wordsLength = 2000;

let child: ChildProcess | null = null;

function tell(answer: SqlAnswer): void {
  port.postMessage(answer);
  Atomics.add(answered, 0, 1);
  Atomics.notify(answered, 0);
}

function start(): ChildProcess {
  const started = fork(scriptPath('sql/sql-child'), [home], {
    serialization: 'advanced',
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let words = '';
  started.stderr?.setEncoding('utf8').on('data', (text: string) => {
    words = `${words}${text}`.slice(-wordsLength);
  });
  started.on('message', (answer) => tell(answer as SqlAnswer));
  started.on('close', (_code, signal) => {
    // No caller waits between two questions.
    if (child === started) child = null;
    if (isAsked) tell({ ended: { killed: signal !== null, words } });
  });
  return started;
}

let isAsked = false;

/** The process has the file open: until it has ended, SQLite leaves its log beside the file. */
function end(): void {
  const done = (): void => tell({ rows: [] });
  if (!child) done();
  child?.once('close', done);
  child?.kill('SIGKILL');
}

port.on('message', (question: SqlQuestion | null) => {
  if (question === null) {
    end();
    return;
  }
  isAsked = true;
  child ??= start();
  child.once('message', () => {
    isAsked = false;
  });
  child.send(question, () => {});
});
