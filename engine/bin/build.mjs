// `npm run build`: the sources as JavaScript with their types, for the packed library. Node refuses to strip types
// under node_modules, so an installed package cannot run the sources themselves.
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..', '..');
// The bundle of the sources is not part of it: a program may run from it.
for (const part of ['engine', 'electron', 'renderer', 'data'])
  rmSync(path.join(root, 'dist', part), { recursive: true, force: true });
execFileSync(
  process.execPath,
  [path.join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.build.json'],
  { cwd: root, stdio: 'inherit' },
);
for (const file of ['node-version.mjs', 'node-version.d.mts'])
  cpSync(path.join(root, 'engine', file), path.join(root, 'dist', 'engine', file));
cpSync(
  path.join(root, 'engine', 'columns', 'kernels.wasm'),
  path.join(root, 'dist', 'engine', 'columns', 'kernels.wasm'),
);
