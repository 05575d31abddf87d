/** Rows by a text, against the order that SQLite gives. */
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TextOrderBuilder } from '../../engine/columns/text-order.ts';

/** Few letters, so that texts share beginnings; accents and an astral character, which UTF-16 sorts elsewhere. */
const texts = fc.string({
  unit: fc.constantFrom('A', 'B', ' ', 'Ñ', 'é', '\u{1F3E1}', '\uFFFC'),
  maxLength: 14,
});

function orderOf(values: readonly (string | null)[]) {
  const builder = new TextOrderBuilder(values.length);
  expect(
    builder.addAll(
      values.map((value) => [value]),
      0,
    ),
  ).toBe(true);
  return builder.finish();
}

function bySqlite(values: readonly (string | null)[]): number[] {
  const database = new Database(':memory:');
  database.exec('CREATE TABLE t (row INTEGER PRIMARY KEY, text TEXT)');
  const insert = database.prepare('INSERT INTO t VALUES (?, ?)');
  for (const [row, value] of values.entries()) insert.run(row, value);
  const rows = database.prepare('SELECT row FROM t ORDER BY text IS NULL, text, row').pluck().all() as number[];
  database.close();
  return rows;
}

test('rows stand by their text as in SQLite, equal ones by position, those without last', () => {
  fc.assert(
    fc.property(fc.array(fc.option(texts, { freq: 6 }), { maxLength: 150 }), (values) => {
      const { rows, known, starts } = orderOf(values);
      expect([...rows]).toEqual(bySqlite(values));
      expect(known).toBe(values.filter((value) => value !== null).length);
      for (let entry = 0; entry < known; entry++) {
        const begins = entry === 0 || values[rows[entry] as number] !== values[rows[entry - 1] as number];
        expect((((starts[entry >> 3] as number) >> (entry & 7)) & 1) === 1).toBe(begins);
      }
    }),
    { numRuns: 500 },
  );
});

test('distinguishes long texts that differ in their last letter only, and a text that begins another', () => {
  const long = 'OF THE ESTATE OF '.repeat(40);
  expect([...orderOf([`${long}B`, long, `${long}A`, null, `${long}A`]).rows]).toEqual([1, 2, 4, 0, 3]);
});

test('a text that does not survive the way through UTF-8 leaves the column to SQL', () => {
  const builder = new TextOrderBuilder(1);
  expect(builder.addAll([['A\0B']], 0)).toBe(false);
});
