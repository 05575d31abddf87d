#!/usr/bin/env node
// The `platbook` command. Plain JavaScript, with imports only after the check: ESM imports are hoisted, and an old Node
// can neither read TypeScript nor load the database driver.
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';
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

// From the sources in a checkout; from the built files in an installed package, where Node refuses to strip types.
const source = new URL('../cli.ts', import.meta.url);
const { main } = await import(
  existsSync(source) ? source.href : new URL('../../dist/engine/cli.js', import.meta.url).href
);
// A reader that has enough (`platbook … | head`) is no fault; work goes on to its end.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
process.exitCode = await main(process.argv.slice(2));
