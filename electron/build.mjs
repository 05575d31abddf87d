// `npm run build:electron`: writes the shell as JavaScript beside the built engine, and the preload as one CommonJS
// file, the only form a sandboxed page can load. Options after the folder go to the compiler.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { build } from 'vite';

const root = path.resolve(import.meta.dirname, '..');

/** @param {string} folder parent of the shell's own folder */
export async function buildPreload(folder) {
  await build({
    configFile: false,
    root,
    publicDir: false,
    logLevel: 'error',
    build: {
      outDir: path.join(folder, 'electron'),
      emptyOutDir: false,
      minify: false,
      sourcemap: false,
      target: 'es2024',
      lib: { entry: path.join(import.meta.dirname, 'preload.ts'), formats: ['cjs'], fileName: () => 'preload.cjs' },
      rolldownOptions: { external: ['electron/renderer'] },
    },
  });
}

if (process.argv[1] === import.meta.filename) {
  const folder = path.resolve(process.argv[2] ?? path.join(root, 'dist'));
  const compiler = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const options = ['-p', path.join(import.meta.dirname, 'tsconfig.json'), '--outDir', folder, ...process.argv.slice(3)];
  execFileSync(process.execPath, [compiler, ...options], { cwd: root, stdio: 'inherit' });
  await buildPreload(folder);
  fs.cpSync(path.join(import.meta.dirname, 'icons'), path.join(folder, 'electron', 'icons'), {
    recursive: true,
    filter: (file) => !file.endsWith('.mjs'),
  });
}
