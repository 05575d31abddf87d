// `npm start`: the window's pages, built unless those of the present sources are there, then `platbook start`.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { contentHash } from './content-hash.mjs';

const root = path.resolve(import.meta.dirname, '..', '..');
const note = path.join(root, 'dist', 'renderer', 'built-from');

function buildPages() {
  const sources = contentHash(['renderer', 'engine/spec', 'vite.config.ts', 'package-lock.json']);
  if (fs.existsSync(note) && fs.readFileSync(note, 'utf8') === sources) return;
  const vite = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  execFileSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], { cwd: root, stdio: 'inherit' });
  fs.writeFileSync(note, sources);
}

buildPages();
process.argv.splice(2, 0, 'start');
await import('./platbook.mjs');
