/** The generated Python client in a process of Debian's Python, asked call by call. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { emptyHome } from './homes.ts';
import { platbook } from './platbook.ts';
import { requireOrSkip } from './require.ts';

export const python = '/usr/bin/python3';

export const pythonOrSkip = (name: string): boolean =>
  requireOrSkip(name, fs.existsSync(python), 'Python is not installed (apt-get install python3)');

export interface PythonAnswer {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers whose shape they check
  readonly data?: any;
  /** Tokens that the client counted for the call, over all its pages. */
  readonly tokens: number;
  readonly last?: {
    readonly status: number;
    readonly tokens: number;
    readonly request_id: string;
    readonly notice: string;
  };
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly status: number;
    readonly details: Readonly<Record<string, readonly string[]>>;
    readonly request_id: string;
    readonly retry_after: number | null;
  };
}

/** A folder with `platbook_api.py`, as the command prints it. */
export async function pythonClientFolder(): Promise<string> {
  const folder = emptyHome();
  const { out } = await platbook(folder, 'python-client');
  fs.writeFileSync(path.join(folder, 'platbook_api.py'), `${out}\n`);
  return folder;
}

export type PythonCall = (method: string, input: unknown) => Promise<PythonAnswer>;

/** Ends with the test. The environment names a proxy, which the client must not use. */
export async function openPython(address: string, key: string): Promise<PythonCall> {
  const script = path.join(import.meta.dirname, 'python-door.py');
  const child = spawn(python, [script, await pythonClientFolder(), address, key], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { HTTP_PROXY: 'http://127.0.0.1:9', http_proxy: 'http://127.0.0.1:9' },
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async (method, input) => {
    child.stdin.write(`${JSON.stringify({ method, input })}\n`);
    const { value } = await lines.next();
    if (value === undefined) throw new Error('the Python client ended');
    return JSON.parse(value) as PythonAnswer;
  };
}
