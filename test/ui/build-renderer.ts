/** The renderer built as it ships, once for each state of its sources, however many test files ask for it. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { keptFolder } from '../support/kept-folder.ts';

const root = path.resolve(import.meta.dirname, '..', '..');

const vite = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js');

/** What goes into the pages. */
const sources = ['renderer', 'engine/spec', 'vite.config.ts', 'package-lock.json'];

/** `development`: React's warnings count as faults in tests. `production`: what ships. */
export type BuildMode = 'production' | 'development';

const built = new Map<BuildMode, Promise<string>>();

/** Folder of the built pages. */
export function builtRenderer(mode: BuildMode = 'production'): Promise<string> {
  const known = built.get(mode);
  if (known) return known;
  const folder = keptFolder(`renderer-${mode}`, sources, async (outDir) => {
    // In a process of its own: vite and React's plugin go by NODE_ENV, which is `test` in this one.
    await promisify(execFile)(
      process.execPath,
      [vite, 'build', '--mode', mode, '--logLevel', 'error', '--outDir', outDir, '--emptyOutDir'],
      { cwd: root, env: { ...process.env, NODE_ENV: mode } },
    );
  });
  built.set(mode, folder);
  return folder;
}
