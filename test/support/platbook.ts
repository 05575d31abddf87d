/** The `platbook` command: in this process, as `main` runs it, or as a user runs it, in a process of its own. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { main } from '../../engine/cli.ts';

export const launcher = path.resolve(import.meta.dirname, '..', '..', 'engine', 'bin', 'platbook.mjs');

export interface Finished {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** In this process: a process of its own takes a second to start. */
export async function platbook(home: string, ...args: string[]): Promise<Finished> {
  const out: string[] = [];
  const err: string[] = [];
  const output = {
    print: (text: string) => out.push(text),
    note: (text: string) => err.push(text),
    progress: () => {},
  };
  process.exitCode = undefined;
  try {
    const code = await main(['--home', home, ...args], output);
    return { code, out: out.join('\n').trim(), err: err.join('\n').trim() };
  } finally {
    process.exitCode = undefined;
  }
}

/** In a process of its own: exit codes as a shell sees them, broken pipes, signals. */
export const platbookProcess = (home: string, ...args: string[]): Promise<Finished> =>
  platbookRunning(home, ...args).finished;

/** The same, to be interrupted. */
export function platbookRunning(
  home: string,
  ...args: string[]
): { readonly child: ChildProcess; readonly finished: Promise<Finished> } {
  const { promise: finished, resolve } = Promise.withResolvers<Finished>();
  const child = execFile(
    process.execPath,
    [launcher, ...args],
    { env: { ...process.env, PLATBOOK_HOME: home }, maxBuffer: 64 * 1024 * 1024 },
    (error, out, err) => resolve({ code: error ? Number(error.code ?? 1) : 0, out: out.trim(), err: err.trim() }),
  );
  return { child, finished };
}

/** Starts a command that keeps running; resolves when its output holds `ready`. */
export function platbookUntil(
  home: string,
  ready: RegExp,
  ...args: string[]
): Promise<{ child: ChildProcess; output: () => string }> {
  const child = spawn(process.execPath, [launcher, ...args], { env: { ...process.env, PLATBOOK_HOME: home } });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let text = '';
  return new Promise((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      text += chunk.toString();
      if (ready.test(text)) resolve({ child, output: () => text });
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.on('exit', (code) => reject(new Error(`ended with ${code}: ${text}`)));
  });
}

export const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => child.on('exit', (code) => resolve(code)));
