/**
 * Checks tables written page by page with SQLite itself: it reads the given values, and its own check finds no fault.
 */
import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type RecordValue, RecordWriter, varintLength, writeVarint } from '../../engine/store/record-writer.ts';
import { finishTables, LeafWriter, newPageSpace, type PageSpace } from '../../engine/store/table-pages.ts';
import { emptyHome } from '../support/homes.ts';

type Row = readonly [id: number, ...values: RecordValue[]];

const columns = 'id INTEGER PRIMARY KEY, a, b REAL, c TEXT, d INTEGER, e BLOB';

function addTo(leaves: LeafWriter, rows: readonly Row[]): void {
  const record = new RecordWriter();
  for (const [id, ...values] of rows) {
    record.begin();
    for (const value of [null, ...values]) record.add(value);
    record.finish();
    leaves.add(id, record);
  }
}

/** Writes the file; `ask` receives SQLite's connection to it. */
function written<Answer>(
  fill: (space: PageSpace) => Record<string, LeafWriter>,
  ask: (database: Database.Database) => Answer,
): Answer {
  const filePath = path.join(emptyHome(), 'pages.sqlite');
  const descriptor = fs.openSync(filePath, 'wx+');
  const space = newPageSpace(descriptor);
  const tables = Object.entries(fill(space)).map(([name, leaves]) => ({
    name,
    sql: `CREATE TABLE ${name} (${columns})`,
    leaves: leaves.finish(),
  }));
  finishTables(space, tables);
  const database = new Database(filePath);
  try {
    return ask(database);
  } finally {
    fs.closeSync(descriptor);
    database.close();
  }
}

/** Pages that were taken and not used are no fault: the file lives for an import. */
function faultsOf(database: Database.Database): string[] {
  const lines = database.prepare('PRAGMA integrity_check(100000)').pluck().all() as string[];
  return lines
    .flatMap((text) => text.split('\n'))
    .filter((line) => !/^Page \d+: never used$|^\*\*\* in database main \*\*\*$/.test(line) && line !== 'ok');
}

const anyValue = fc.oneof(
  fc.constant(null),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.constantFrom(
    0,
    1,
    -1,
    127,
    128,
    -128,
    -129,
    32767,
    -32769,
    8388607,
    8388608,
    -8388609,
    2 ** 31,
    2 ** 47,
    -(2 ** 47),
  ),
  fc.double({ noNaN: true }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.uint8Array({ maxLength: 300 }),
);

test('SQLite reads back what was written, value by value', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(anyValue, anyValue, anyValue), { maxLength: 60 }), (values) => {
      const rows = values.map((row, index): Row => [3 * index + 1, ...row]);
      written(
        (space) => {
          const leaves = new LeafWriter(space);
          addTo(
            leaves,
            rows.map(([id, a, b, c]) => [id, a ?? null, typeof b === 'number' ? b : null, null, null, c ?? null]),
          );
          return { parcels: leaves, empty: new LeafWriter(space) };
        },
        (database) => {
          const found = database.prepare('SELECT id, a, b, e FROM parcels').raw().all() as unknown[][];
          // The same values bound to statements: SQLite keeps -0 as 0, and blobs come back as buffers.
          const plain = (value: unknown): unknown =>
            value instanceof Uint8Array ? Buffer.from(value) : typeof value === 'number' ? value + 0 : value;
          expect(found).toEqual(rows.map(([id, a, b, c]) => [id, a, typeof b === 'number' ? b : null, c].map(plain)));
          expect(faultsOf(database)).toEqual([]);
        },
      );
    }),
    { numRuns: 40 },
  );
});

test('rows around the size where they overflow a page are whole', () => {
  // A page of 8,192 bytes holds 8,157 of a row; each further page 8,188 (fileformat2.html, section 1.6).
  const lengths = [0, 989, 990, 8100, ...Array.from({ length: 60 }, (_, more) => 8120 + more), 16_330, 16_360, 70_000];
  const rows = lengths.map(
    (length, index): Row => [index + 1, null, null, null, length, Buffer.alloc(length, index + 1)],
  );
  written(
    (space) => {
      const leaves = new LeafWriter(space);
      addTo(leaves, rows);
      return { parcels: leaves, others: new LeafWriter(space) };
    },
    (database) => {
      const found = database.prepare('SELECT id, d, e FROM parcels').raw().all() as [number, number, Buffer][];
      expect(found.map(([id]) => id)).toEqual(rows.map(([id]) => id));
      for (const [id, length, blob] of found)
        expect(blob.equals(Buffer.alloc(length, id)), `${length} bytes`).toBe(true);
      expect(faultsOf(database)).toEqual([]);
    },
  );
});

test('two tables grow in turns, one over enough rows for three levels of pages', () => {
  // 2 rows a page; 500 pages below each of the next level: 1,500 pages need two levels above the leaves.
  const texts = 'x'.repeat(4000);
  const count = 3000;
  written(
    (space) => {
      const [parcels, others] = [new LeafWriter(space, 4), new LeafWriter(space, 4)];
      for (let id = 1; id <= count; id++) {
        addTo(parcels, [[id, null, null, texts, id]]);
        if (id % 3 === 0) addTo(others, [[id, null, null, texts, 1]]);
      }
      return { parcels, others };
    },
    (database) => {
      expect(database.prepare('SELECT count(*), sum(d), min(id), max(id) FROM parcels').raw().get()).toEqual([
        count,
        // 3,000 × 3,001 ÷ 2
        4_501_500,
        1,
        count,
      ]);
      for (const id of [1, 100, 101, 1500, 2999]) {
        expect(database.prepare('SELECT d FROM parcels WHERE id = ?').pluck().get(id)).toBe(id);
      }
      expect(database.prepare('SELECT sum(d) FROM others').pluck().get()).toBe(count / 3);
      expect(faultsOf(database)).toEqual([]);
    },
  );
});

test('a file of many tables is read, and SQLite may rename them, index them and add to them', () => {
  written(
    (space) =>
      Object.fromEntries(
        Array.from({ length: 400 }, (_, number) => {
          const leaves = new LeafWriter(space, 1);
          addTo(leaves, [[1, null, null, `table ${number}`, number]]);
          return [`staged_${number}`, leaves];
        }),
      ),
    (database) => {
      database.exec('ALTER TABLE staged_399 RENAME TO parcels; CREATE INDEX by_c ON parcels (c)');
      database.exec("INSERT INTO parcels (c) VALUES ('another')");
      expect(database.prepare('SELECT id, c FROM parcels ORDER BY c').raw().all()).toEqual([
        [2, 'another'],
        [1, 'table 399'],
      ]);
      expect(faultsOf(database)).toEqual([]);
    },
  );
});

test('a varint is as long as it says, at every length', () => {
  // 2^7n needs one byte more than 2^7n - 1.
  for (let bits = 7; bits <= 49; bits += 7) {
    for (const value of [2 ** bits - 1, 2 ** bits]) {
      const bytes = new Uint8Array(9);
      expect(writeVarint(bytes, 0, value)).toBe(varintLength(value));
      // Read by the rule itself: seven bits a byte, the highest first.
      let read = 0;
      for (let at = 0; at < varintLength(value); at++) read = read * 128 + ((bytes[at] as number) & 0x7f);
      expect(read).toBe(value);
    }
  }
});
