/** The renderer built as it ships, once for each state of its sources, however many test files ask for it. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const root = path.resolve(import.meta.dirname, '..', '..');

const vite = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js');

/** What goes into the pages. */
const inputs = ['renderer', 'engine/spec', 'vite.config.ts', 'package-lock.json'];

function digest(): string {
  const hash = createHash('sha256');
  for (const input of inputs) {
    const full = path.join(root, input);
    const files = fs.statSync(full).isDirectory()
      ? fs
          .readdirSync(full, { recursive: true, encoding: 'utf8' })
          .sort()
          .map((file) => path.join(full, file))
      : [full];
    for (const file of files.filter((one) => fs.statSync(one).isFile()))
      hash.update(file).update(fs.readFileSync(file));
  }
  return hash.digest('hex').slice(0, 16);
}

/** `development`: React says what it dislikes, which the tests take for faults. `production`: what ships. */
export type BuildMode = 'production' | 'development';

/** Folder of the built pages. */
export async function builtRenderer(mode: BuildMode = 'production'): Promise<string> {
  const folder = path.join(os.tmpdir(), `platbook-renderer-${digest()}-${mode}`);
  if (fs.existsSync(folder)) return folder;
  const temporary = fs.mkdtempSync(`${folder}-`);
  // In a process of its own: vite and React's plugin go by NODE_ENV, which is `test` in this one.
  await promisify(execFile)(
    process.execPath,
    [vite, 'build', '--mode', mode, '--logLevel', 'error', '--outDir', temporary, '--emptyOutDir'],
    { cwd: root, env: { ...process.env, NODE_ENV: mode } },
  );
  try {
    fs.renameSync(temporary, folder);
  } catch {
    // Another test file was faster.
    fs.rmSync(temporary, { recursive: true, force: true });
  }
  return folder;
}
