#!/usr/bin/env node
// The `platbook` command. Plain JavaScript, with imports only after the check: ESM imports are hoisted, and an old Node
// can neither read TypeScript nor load the database driver.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { unfitNodeSentence } from '../node-version.mjs';

const unfit = unfitNodeSentence(process.versions.node);
if (unfit) {
  console.error(unfit);
  process.exit(1);
}

// Compiled code is kept for the next start, which then takes a third of the time; workers inherit the folder. It lies in the
// package: whoever can write there can change the code itself, which does not hold for the system's folder of temporary
// files. Where it cannot be written, nothing is kept.
const cache = fileURLToPath(new URL('../../node_modules/.cache/platbook/compiled', import.meta.url));
const { directory } = module.enableCompileCache(cache);
if (directory !== undefined) process.env.NODE_COMPILE_CACHE ??= directory;

// From the built files in an installed package, where Node refuses to strip types. In a checkout from the bundle of its
// sources; while there is none, from the sources, and a process beside this one makes it for the next start.
const source = new URL('../cli.ts', import.meta.url);
const { main } = await import(
  existsSync(source) ? await checkedOut() : new URL('../../dist/engine/cli.js', import.meta.url).href
);

async function checkedOut() {
  // A trace names the files that run.
  if (process.env.PLATBOOK_SOURCES || process.argv.includes('trace')) return source.href;
  const { findBundle } = await import('./bundle.mjs');
  const bundle = findBundle();
  if (bundle !== null) {
    process.setSourceMapsEnabled(true);
    return pathToFileURL(path.join(bundle, 'cli.js')).href;
  }
  const maker = fileURLToPath(new URL('bundle.mjs', import.meta.url));
  spawn(process.execPath, [maker], { detached: true, stdio: 'ignore' })
    .on('error', () => {})
    .unref();
  return source.href;
}

// A reader that has enough (`platbook … | head`) is no fault; work goes on to its end.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
process.exitCode = await main(process.argv.slice(2));
