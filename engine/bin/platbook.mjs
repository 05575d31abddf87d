#!/usr/bin/env node
// The `platbook` command. Plain JavaScript, with imports only after the check: ESM imports are hoisted, and an old Node
// can neither read TypeScript nor load the database driver.
import { existsSync } from 'node:fs';
import { unfitNodeSentence } from '../node-version.mjs';

const unfit = unfitNodeSentence(process.versions.node);
if (unfit) {
  console.error(unfit);
  process.exit(1);
}

// From the sources in a checkout; from the built files in an installed package, where Node refuses to strip types.
const source = new URL('../cli.ts', import.meta.url);
const { main } = await import(
  existsSync(source) ? source.href : new URL('../../dist/engine/cli.js', import.meta.url).href
);
process.exitCode = await main(process.argv.slice(2));
