/** Each method of an engine has an example in its docstring; they run here, as written, against the sample county. */
import fs from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Engine } from '../engine/engine.ts';
import { emptyHome, engineOn, sampleHome } from './support/homes.ts';

const source = fs.readFileSync(path.join(import.meta.dirname, '..', 'engine', 'engine.ts'), 'utf8');

/** By the method that follows the docstring. */
const examples = [
  ...source.matchAll(/\* @example (.+)\n(?:\s+\*(?!\/).*\n)*\s+\*\/\n\s+(?:async \*?|readonly )?(\w+)/g),
].map(([, code = '', method = '']) => ({ method, code }));

test('every method has an example', () => {
  const methods = Object.getOwnPropertyNames(Engine.prototype).filter((name) => name !== 'constructor');
  expect(examples.map(({ method }) => method).toSorted()).toEqual([...methods, 'book'].toSorted());
});

test.each(examples)('the example of $method runs', { timeout: 120_000 }, async ({ code }) => {
  const folder = emptyHome();
  const engine = engineOn(sampleHome());
  const script = stripTypeScriptTypes(`async () => {${code.replace("'book.pdf'", 'file')}}`);
  const run = new Function('engine', 'file', `return (${script})();`) as (...given: unknown[]) => Promise<void>;
  const log = console.log;
  console.log = () => {};
  try {
    await run(engine, path.join(folder, 'book.pdf'));
  } finally {
    console.log = log;
  }
});
