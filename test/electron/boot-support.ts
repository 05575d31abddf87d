/** Shared parts of the checks of a booted main: the double, calls as a page makes them, and the list of failures. */
import fs from 'node:fs';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const double = pathToFileURL(path.join(import.meta.dirname, 'electron-double.ts')).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron/main' || specifier === 'electron/common'
      ? { url: double, shortCircuit: true }
      : next(specifier, context),
});

export const electron = await import('./electron-double.ts');
const { calls, ipcHandlers } = electron;
export const folder = process.argv[2] ?? '';
export const failed: string[] = [];
export const check = (name: string, isRight: boolean): void => {
  if (!isRight) failed.push(name);
};
export const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));
export const place = (name: string): number => calls.findIndex((call) => call.name === name);
export const last = <Value>(list: readonly Value[]): Value => {
  const value = list.at(-1);
  if (value === undefined) throw new Error('nothing was called');
  return value;
};

export const home = 'platbook-app://home/';
export const scratch = path.join(process.argv[4] ?? '', 'scratch');
fs.mkdirSync(scratch, { recursive: true });

export interface Asker {
  readonly sender?: number;
  readonly url?: string;
  readonly isChild?: boolean;
}

/** A call of a page, by default from its own window and main frame. */
export async function ask(name: string, input: unknown = {}, { sender = 1, url = home, isChild = false }: Asker = {}) {
  const senderFrame = { parent: isChild ? {} : null, url };
  return (await ipcHandlers.get(`platbook:${name}`)?.({ senderFrame, sender: { id: sender } } as never, input)) as {
    ok: boolean;
    value: unknown;
  };
}

export const isPrevented = (emit: (event: { preventDefault: () => void; url: string }) => void, url = ''): boolean => {
  let answer = false;
  emit({
    url,
    preventDefault: () => {
      answer = true;
    },
  });
  return answer;
};
