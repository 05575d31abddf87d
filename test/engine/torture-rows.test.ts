/** The rows of `npm run test:torture` are the promises of docs/reliability.md. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..', '..');

test('npm run test:torture has the promises and tests of the document, not the figures below them', () => {
  const help = execFileSync(process.execPath, [path.join(root, 'test', 'torture', 'run.ts'), '--help'], {
    encoding: 'utf8',
  });
  const promises = help.split('\n').filter((line) => /^ {2}R\d+ /.test(line));
  const said = fs.readFileSync(path.join(root, 'docs/reliability.md'), 'utf8');
  const rows = [...said.matchAll(/^\| (R\d+) ([^|]+) \| `(test|node)/gm)];
  expect(rows.length).toBeGreaterThan(20);
  expect(promises.map((line) => line.trim().replace(/ +\d+ min +/, ' '))).toEqual(
    rows.map(([, id, promise]) => expect.stringContaining(`${id} ${promise}`)),
  );
});
