/** electron/SECURITY.md against the code: a page about lines that are no longer there would be worse than none. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from './built-app.ts';

const page = fs.readFileSync(path.join(root, 'electron', 'SECURITY.md'), 'utf8');
const read = (file: string): string => fs.readFileSync(path.join(root, file), 'utf8');

const tests = [
  ...fs.readdirSync(path.join(root, 'test', 'electron')).map((file) => `test/electron/${file}`),
  'test/architecture.test.ts',
]
  .filter((file) => file.endsWith('.ts') && !file.endsWith('security-page.test.ts'))
  .map(read)
  .join('\n');

test('answers all twenty recommendations, each with a line that is there and a test that is there', () => {
  const rows = page.split('\n').filter((row) => /^\| \d+ \|/.test(row));
  expect(rows.map((row) => Number(/\d+/.exec(row)?.[0]))).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  for (const row of rows) {
    const cells = row.split(/(?<!\\)\|/).map((cell) => cell.trim());
    expect(tests, row).toContain(cells[5]);
  }
});

test('every line that it names is in its file', () => {
  const named = [...page.matchAll(/`([\w./-]+)` → `([^`]+)`/g)].map(([, file = '', text = '']) => ({
    file,
    text: text.replaceAll('\\|', '|'),
  }));
  expect(named.length).toBeGreaterThan(20);
  for (const { file, text } of named.filter((one) => one.file !== 'file'))
    expect(read(file), `${file}: ${text}`).toContain(text);
});

test('nothing opens addresses outside, and no page has blink features named', () => {
  const sources = fs.readdirSync(path.join(root, 'electron')).filter((file) => file.endsWith('.ts'));
  for (const file of sources)
    expect(read(`electron/${file}`), file).not.toMatch(/openExternal|enableBlinkFeatures|executeJavaScript|file:\/\//);
});
