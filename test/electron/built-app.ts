/** The app built as it ships, into a separate folder: the project's `dist` may be in use during the tests. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { builtRenderer } from '../ui/build-renderer.ts';

export const root = path.resolve(import.meta.dirname, '..', '..');

const run = (script: string, ...args: string[]): void => {
  execFileSync(process.execPath, [path.join(root, script), ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
};

/** Removed by `remove`. */
export async function buildApp({ withShell = false } = {}): Promise<{ built: string; remove: () => void }> {
  const built = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-built-'));
  // Types are checked elsewhere, and the shipped files contain none.
  if (withShell) run('electron/build.mjs', built, '--noCheck');
  else
    run(
      'node_modules/typescript/bin/tsc',
      '-p',
      'tsconfig.build.json',
      '--noCheck',
      '--declaration',
      'false',
      '--outDir',
      built,
    );
  for (const file of ['node-version.mjs', path.join('columns', 'kernels.wasm')])
    fs.copyFileSync(path.join(root, 'engine', file), path.join(built, 'engine', file));
  fs.cpSync(await builtRenderer(), path.join(built, 'renderer'), { recursive: true });
  return { built, remove: () => fs.rmSync(built, { recursive: true, force: true }) };
}
